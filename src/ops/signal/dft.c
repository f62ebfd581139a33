/* SPDX-License-Identifier: Apache-2.0
 * dft.c - DFT: the discrete Fourier transform along one axis.
 *
 * The last axis holds real and imaginary part, or the real part alone. One-sided, a real signal of
 * n elements has n / 2 + 1 frequencies; the way back takes these, and makes the others from them:
 * X[n - k] is the conjugate of X[k]. Everything is computed in double and rounded once. */
#include "kernels/common/element.h"
#include "ops/signal/transforms.h"

typedef struct geometry {
    int axis;
    int64_t length;          /* length of the transform */
    int64_t in, out;         /* elements along the axis */
    int64_t used;            /* elements of the input that count */
    int64_t in_parts, parts; /* numbers of an element, 1 or 2; the same of the output */
    int64_t inner;           /* elements from one to the next along the axis */
    bool inverse, onesided;
    const void *x; /* set by run */
    void *y;
} geometry;

static oc_status read_axis(oc_call *c, int rank, int *axis)
{
    int64_t value = oc_call_since(c) < 20 ? oc_attr_int(c, "axis") : -2;
    if (oc_call_since(c) >= 20 && oc_in_or_null(c, 2))
        OC_TRY(oc_in_int(c, 2, &value));
    if (value == -1 || !oc_dims_axis(value, rank, axis) || *axis == rank - 1)
        return oc_fail(c, OC_VALUE,
                       "axis is %" PRId64 ", expected a value in [%d, %d] other than -1", value,
                       -rank, rank - 2);
    return OC_OK;
}

static oc_status read_length(oc_call *c, geometry *g)
{
    const bool halves = g->inverse && g->onesided;
    g->length = g->in;
    if (oc_in_or_null(c, 1))
        OC_TRY(oc_in_int(c, 1, &g->length));
    else if (halves && !oc_i64_mul(2, g->in - 1, &g->length))
        return oc_fail(c, OC_LIMIT, "the axis is too long");
    if (g->length < 1)
        return oc_fail(c, OC_VALUE,
                       "the length of the transform is %" PRId64 ", expected 1 or more", g->length);
    g->out = g->onesided && !g->inverse ? g->length / 2 + 1 : g->length;
    g->used = halves ? g->length / 2 + 1 : g->length;
    if (g->used > g->in)
        g->used = g->in;
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *d = &oc_in(c, 0)->dims;
    *g = (geometry){.inverse = oc_attr_int(c, "inverse") != 0,
                    .onesided = oc_attr_int(c, "onesided") != 0};
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    OC_TRY(read_axis(c, d->rank, &g->axis));
    g->in_parts = d->n[d->rank - 1];
    if (g->in_parts != 1 && g->in_parts != 2)
        return oc_fail_dims(c, 0, "expected 1 (real) or 2 (complex) as the last dimension");
    if (g->onesided && g->in_parts != (g->inverse ? 2 : 1))
        return oc_fail_dims(c, 0, "expected %s as the last dimension: the transform is one-sided",
                            g->inverse ? "2 (complex)" : "1 (real)");
    g->parts = g->onesided && g->inverse ? 1 : 2;
    g->in = d->n[g->axis];
    g->inner = oc_dims_product(d, g->axis + 1, d->rank - 1);
    return read_length(c, g);
}

static oc_status dft_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = oc_in(c, 0)->dims;
    y.n[g.axis] = g.out;
    y.n[y.rank - 1] = g.parts;
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

/* Computes frequency n - k of a one-sided spectrum from frequency k; frequencies 0 and n / 2 are
 * real. */
static void complete(const oc_signals *to, int64_t n, int64_t signal)
{
    const int64_t signals = to->signals;
    to->im[signal] = 0;
    if (n % 2 == 0)
        to->im[n / 2 * signals + signal] = 0;
    OC_LOOP (to->work, i, (n - 1) / 2, 1024) {
        const int64_t k = i + 1;
        to->re[(n - k) * signals + signal] = to->re[k * signals + signal];
        to->im[(n - k) * signals + signal] = -to->im[k * signals + signal];
    }
}

#define TEMPLATE "ops/signal/dft.inc"
#include "kernels/common/floats.inc"

static oc_status dft_run(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const oc_dims *d = &oc_in(c, 0)->dims;
    const oc_type real = oc_type_real(oc_in(c, 0)->type);
    OC_TRY(oc_in_as(c, 0, real, &g.x));
    OC_TRY(oc_out_as(c, 0, real, oc_value_n(oc_out(c, 0)), &g.y));
    const oc_transforms t = {.length = g.length,
                             .count = oc_dims_product(d, 0, g.axis) * g.inner,
                             .inverse = g.inverse,
                             .read = real == OC_F64 ? read_f64 : read_f32,
                             .write = real == OC_F64 ? write_f64 : write_f32,
                             .ctx = &g};
    OC_TRY(oc_transforms_run(c, &t));
    oc_out_from(c, 0, real, g.y);
    return OC_OK;
}

/* clang-format off */
#define TYPES "T1: float_ir4; T2: index"
const oc_op oc_ops_dft[] = {
    {20, "DFT <int inverse = 0, int onesided = 0> "
         "(T1 input, T2 dft_length!?, int64 axis!?) => (T1 output) | " TYPES, dft_shape, dft_run},
    {17, "DFT <int axis = 1, int inverse = 0, int onesided = 0> "
         "(T1 input, T2 dft_length!?) => (T1 output) | " TYPES,               dft_shape, dft_run},
    {0}
};
