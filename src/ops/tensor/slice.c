/* SPDX-License-Identifier: Apache-2.0
 * slice.c - Slice: every step-th element between two ends, along some axes. */
#include "ops/kit/op.h"

/* n elements of one axis: first, first + step, ... */
typedef struct cut {
    int64_t first, step, n;
} cut;

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    x = oc_max(x, low);
    return oc_min(x, high);
}

/* Makes the cut of one axis. A negative end counts from the back; both ends are clamped, so no sum
 * below can overflow. */
static cut make_cut(int64_t start, int64_t end, int64_t step, int64_t size)
{
    const bool back = step < 0;
    start = clamp(start < 0 ? start + size : start, 0, back ? size - 1 : size);
    end = clamp(end < 0 ? end + size : end, back ? -1 : 0, back ? size - 1 : size);
    const int64_t distance = back ? start - end : end - start;
    const uint64_t stride = back ? 0 - (uint64_t)step : (uint64_t)step;
    if (distance <= 0)
        return (cut){0, 1, 0};
    const int64_t n = (int64_t)((uint64_t)(distance - 1) / stride) + 1;
    return (cut){start, n == 1 ? 1 : step, n};
}

/* The operands, from inputs or attributes. */
typedef struct slice {
    oc_ints start, end, axis, step;
    bool has_axes, has_steps;
} slice;

static oc_status read_slice(oc_call *c, slice *s)
{
    *s = (slice){.has_axes = oc_in_or_null(c, 3) != NULL, .has_steps = oc_in_or_null(c, 4) != NULL};
    if (oc_call_since(c) == 1) {
        s->has_axes = oc_attr_has(c, "axes");
        s->start = oc_attr_ints(c, "starts");
        s->end = oc_attr_ints(c, "ends");
        s->axis = oc_attr_ints(c, "axes");
        return OC_OK;
    }
    OC_TRY(oc_in_ints(c, 1, &s->start));
    OC_TRY(oc_in_ints(c, 2, &s->end));
    if (s->has_axes)
        OC_TRY(oc_in_ints(c, 3, &s->axis));
    if (s->has_steps)
        OC_TRY(oc_in_ints(c, 4, &s->step));
    return OC_OK;
}

static oc_status check_slice(oc_call *c, const slice *s, int rank)
{
    bool seen[OC_MAX_RANK];
    const int n = s->start.n;
    if (s->end.n != n || (s->has_axes && s->axis.n != n) || (s->has_steps && s->step.n != n))
        return oc_fail(c, OC_SHAPE, "starts has %d elements, expected as many of the other lists",
                       n);
    if (n > rank)
        return oc_fail(c, OC_SHAPE, "starts has %d elements, the input has only %d axes", n, rank);
    for (int i = 0; i < s->step.n; i++)
        if (s->step.v[i] == 0)
            return oc_fail(c, OC_VALUE, "steps has 0 at [%d], expected another value", i);
    return oc_axes(c, "axes", s->axis, rank, seen);
}

typedef struct geometry {
    cut axis[OC_MAX_RANK];
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    slice s;
    OC_TRY(read_slice(c, &s));
    OC_TRY(check_slice(c, &s, x->rank));
    for (int a = 0; a < x->rank; a++)
        g->axis[a] = (cut){0, 1, x->n[a]};
    for (int i = 0; i < s.start.n; i++) {
        int axis = i;
        if (s.has_axes)
            oc_dims_axis(s.axis.v[i], x->rank, &axis);
        g->axis[axis] =
            make_cut(s.start.v[i], s.end.v[i], s.has_steps ? s.step.v[i] : 1, x->n[axis]);
    }
    return OC_OK;
}

static oc_status slice_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {.rank = x->dims.rank};
    for (int a = 0; a < y.rank; a++)
        y.n[a] = g.axis[a].n;
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status slice_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const size_t elem = oc_type_size(x->type);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    int64_t dst[OC_MAX_RANK], src[OC_MAX_RANK], first = 0;
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, src);
    if (oc_value_n(y) == 0)
        return OC_OK;
    for (int a = 0; a < x->dims.rank; a++) {
        first += g.axis[a].first * src[a];
        src[a] *= g.axis[a].step;
    }
    oc_call_move(c, y->data, dst, (const char *)x->data + elem * (size_t)first, src, &y->dims,
                 elem);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Slice (T data, TIND starts!, TIND ends!, TIND axes!?, TIND steps!?) => (T output)" \
                 " | T: " set "; TIND: index"
#define CHANGE10 "; change input 1 from starts; change input 2 from ends; change input 3 from axes"
#define SIG1 "Slice <ints starts, ints ends, ints axes?> (T data) => (T output) | T: all"
#define SLICE slice_shape, slice_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_slice[] = {
    {13, SIG("all_ir4"), SLICE},
    {11, SIG("all"),     SLICE}, /* negative axes */
    {10, SIG("all") CHANGE10, SLICE}, /* + steps */
    { 1, SIG1,           SLICE},
    {0}
};
