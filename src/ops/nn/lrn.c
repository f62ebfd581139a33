/* SPDX-License-Identifier: Apache-2.0
 * lrn.c - LRN: each element divided by a power of the sum of squares of neighbouring channels.
 *
 * double is computed in double, other types in float; each result is rounded once. The squares are
 * added in order of the channels. */
#include "kernels/common/element.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/elementwise/plain.h"
#include "ops/kit/op.h"

enum { PIXELS = 256, CHANNELS = 16 }; /* most pixels and channels of a unit of work */
enum { POWER = 12 * OC_ELEMENT };     /* a power takes as long as this number of products */

/* X as [images, channels, pixels]. The region of channel c is c - before .. c + behind. */
typedef struct geometry {
    int64_t images, channels, pixels, before, behind;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    const int64_t size = oc_attr_int(c, "size");
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    if (size < 1)
        return oc_fail(c, OC_VALUE, "attribute 'size' is %lld, expected 1 or more",
                       (long long)size);
    *g = (geometry){.images = x->n[0],
                    .channels = x->n[1],
                    .pixels = oc_dims_product(x, 2, x->rank),
                    .before = (size - 1) / 2,
                    .behind = size / 2};
    return OC_OK;
}

static oc_status lrn_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_same_shape(c);
}

/* What every unit shares. */
typedef struct job {
    geometry g;
    oc_type type;
    const void *x;
    void *y;
    double factor, beta, bias; /* factor: alpha / size */
    oc_elementary_pow_fn *pow;
    oc_plain_fn *add_square, *affine, *div_power; /* row functions of float */
    int64_t blocks, groups; /* blocks of the pixels, and groups of the channels, of an image */
} job;

/* Raises x to the power of beta. */
static void raise_power(const job *t, double *x, int64_t n)
{
    const void *const operands[] = {x, &t->beta};
    oc_elementary_row_pow(x, operands, (int64_t[]){1, 0}, n, &t->pow);
}

/* ---- the steps of a strip: n sums and as many elements x or own */

static void add_squares_f32(const job *t, float *sum, const float *x, int64_t n)
{
    const void *const operands[] = {sum, x};
    t->add_square(sum, operands, (int64_t[]){1, 1}, n, NULL);
}

static void add_squares_f64(OC_UNUSED const job *t, double *sum, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += x[i] * x[i];
}

static void set_bases_f32(const job *t, float *sum, int64_t n)
{
    const void *const operands[] = {sum};
    const oc_factors f = {t->factor, t->bias};
    t->affine(sum, operands, (int64_t[]){1}, n, &f);
}

static void set_bases_f64(const job *t, double *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = t->bias + t->factor * sum[i];
}

/* Divides by the power 3/4 of the bases. */
static void divide_f32(const job *t, float *y, const float *own, const float *base, int64_t n)
{
    const void *const operands[] = {own, base};
    t->div_power(y, operands, (int64_t[]){1, 1}, n, NULL);
}

static void divide_f64(OC_UNUSED const job *t, double *y, const double *own, const double *base,
                       int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = own[i] / (sqrt(base[i]) * sqrt(sqrt(base[i])));
}

#define TEMPLATE "ops/nn/lrn.inc"
#include "kernels/common/floats.inc"

static void normalize_pixels(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const geometry *g = &t->g;
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t place = unit / t->groups;
        const int64_t c0 = unit % t->groups * CHANNELS, pixel = place % t->blocks * PIXELS;
        const int64_t c1 = g->channels - c0 < CHANNELS ? g->channels : c0 + CHANNELS;
        const int64_t at = place / t->blocks * g->channels * g->pixels + pixel;
        const int64_t n = g->pixels - pixel < PIXELS ? g->pixels - pixel : PIXELS;
        if (t->type == OC_F64)
            unit_f64(t, c0, c1, (const double *)t->x + at, (double *)t->y + at, n);
        else
            unit_f32(t, c0, c1, (const float *)t->x + at, (float *)t->y + at, n);
    }
}

static oc_status lrn_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    job t = {.type = oc_type_real(x->type), .pow = oc_elementary_pick(oc_call_cpu(c))->pow};
    OC_TRY(read_geometry(c, &t.g));
    t.add_square = oc_plain_pick(oc_plain_add_square, oc_call_cpu(c));
    t.affine = oc_plain_pick(oc_plain_affine, oc_call_cpu(c));
    t.div_power = oc_plain_pick(oc_plain_div_power, oc_call_cpu(c));
    const int64_t n = oc_value_n(x);
    if (n == 0)
        return OC_OK;
    t.factor = (double)oc_attr_float(c, "alpha") / (double)oc_attr_int(c, "size");
    t.beta = (double)oc_attr_float(c, "beta");
    t.bias = (double)oc_attr_float(c, "bias");
    OC_TRY(oc_in_as(c, 0, t.type, &t.x));
    OC_TRY(oc_out_as(c, 0, t.type, n, &t.y));
    t.blocks = oc_div_up(t.g.pixels, PIXELS);
    t.groups = oc_div_up(t.g.channels, CHANNELS);
    const double region = (double)t.g.before + (double)t.g.behind + 1;
    const double channels = (double)t.g.channels;
    const double work = PIXELS * CHANNELS * (POWER + (region < channels ? region : channels));
    const int64_t units = t.g.images * t.blocks * t.groups;
    OC_TRY(oc_call_units(c, work * (double)units, units, normalize_pixels, &t));
    oc_out_from(c, 0, t.type, t.y);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) \
    "LRN <float alpha = 0.0001, float beta = 0.75, float bias = 1.0, int size> (T X) => (T Y) | T: " set
const oc_op oc_ops_lrn[] = {
    {13, SIG("float_ir4"), lrn_shape, lrn_run},
    { 1, SIG("ieee"),      lrn_shape, lrn_run},
    {0}
};
