/* SPDX-License-Identifier: Apache-2.0
 * pad.c - Pad: elements added around a tensor, or cut off where a pad is negative.
 *
 * The core is the part of the input that negative pads leave; where they reach beyond the input
 * they cut what the other pad adds. Modes other than constant repeat elements of the core. */
#include "ops/kit/layout.h"

#include <math.h>

enum { CONSTANT, REFLECT, EDGE, WRAP };

/* One axis of the output: `before` new elements, `size` elements of the input from `first` on, and
 * `after` new elements. */
typedef struct side {
    int64_t before, first, size, after;
} side;

/* wrap is a word of version 19, which older files have, too. */
static oc_status read_mode(oc_call *c, int *mode)
{
    static const char *const names[] = {"constant", "reflect", "edge", "wrap", NULL};
    return oc_attr_enum(c, "mode", names, mode);
}

static oc_status read_pads(oc_call *c, oc_ints *pads, oc_ints *axes)
{
    *axes = (oc_ints){NULL, 0};
    if (oc_call_since(c) < 11) {
        *pads = oc_attr_ints(c, oc_call_since(c) == 1 ? "paddings" : "pads");
        return OC_OK;
    }
    if (oc_in_or_null(c, 3))
        OC_TRY(oc_in_ints(c, 3, axes));
    return oc_in_ints(c, 1, pads);
}

static oc_status make_side(oc_call *c, int axis, int64_t size, int64_t before, int64_t after,
                           side *s)
{
    int64_t all;
    if (!oc_i64_add(size, before, &all) || !oc_i64_add(all, after, &all))
        return oc_fail(c, OC_SHAPE, "axis %d of the result is too large", axis);
    if (all < 0)
        return oc_fail(c, OC_SHAPE,
                       "pads %" PRId64 " and %" PRId64 " leave %" PRId64
                       " elements on axis %d, which has %" PRId64 ", expected 0 or more",
                       before, after, all, axis, size);
    const int64_t first = before < -size ? size : before < 0 ? -before : 0;
    const int64_t end = after < -size ? 0 : after < 0 ? size + after : size;
    if (end > first)
        *s = (side){before > 0 ? before : 0, first, end - first, after > 0 ? after : 0};
    else /* padding alone, after the other pad has cut its part */
        *s = (side){.before = all};
    return OC_OK;
}

typedef struct geometry {
    int mode;
    side sides[OC_MAX_RANK]; /* the sides of each axis */
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    bool seen[OC_MAX_RANK];
    oc_ints pads, axes;
    OC_TRY(read_mode(c, &g->mode));
    OC_TRY(read_pads(c, &pads, &axes));
    OC_TRY(oc_axes(c, "axes", axes, x->rank, seen));
    const int n = oc_in_or_null(c, 3) ? axes.n : x->rank;
    if (pads.n != 2 * n)
        return oc_fail(c, OC_SHAPE, "pads has %d elements, expected 2 * %d", pads.n, n);
    for (int a = 0; a < x->rank; a++)
        g->sides[a] = (side){.size = x->n[a]};
    for (int i = 0; i < n; i++) {
        int axis = i;
        if (oc_in_or_null(c, 3))
            oc_dims_axis(axes.v[i], x->rank, &axis);
        OC_TRY(make_side(c, axis, x->n[axis], pads.v[i], pads.v[i + n], &g->sides[axis]));
    }
    return OC_OK;
}

static oc_status pad_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {.rank = x->dims.rank};
    for (int a = 0; a < y.rank; a++) {
        const side *s = &g.sides[a];
        y.n[a] = s->before + s->size + s->after;
        if (g.mode != CONSTANT && s->size == 0 && y.n[a] > 0)
            return oc_fail(c, OC_SHAPE, "axis %d has no element to repeat", a);
    }
    return oc_set_out(c, 0, x->type, &y);
}

/* The index of the core element that is repeated at i < 0 or i >= size. */
static int64_t repeated(int mode, int64_t i, int64_t size)
{
    if (mode == EDGE || size == 1)
        return mode == EDGE && i > 0 ? size - 1 : 0;
    const int64_t period = mode == WRAP ? size : 2 * (size - 1);
    i %= period;
    i += i < 0 ? period : 0;
    return i < size ? i : period - i;
}

/* Repeats slabs of the output along one axis. The inner axes are complete already. */
static void repeat_axis(oc_call *c, const oc_value *y, int axis, const side *s, int mode)
{
    const int64_t n = y->dims.n[axis], rows = oc_dims_product(&y->dims, 0, axis);
    const size_t slab =
        oc_type_size(y->type) * (size_t)oc_dims_product(&y->dims, axis + 1, y->dims.rank);
    const size_t step = slab * (size_t)n;
    char *base = y->data;
    OC_CALL_LOOP (c, k, n - s->size, 4) {
        const int64_t i = k < s->before ? k : k + s->size;
        const int64_t from = s->before + repeated(mode, i - s->before, s->size);
        oc_call_copy_rows(c, base + slab * (size_t)i, step, base + slab * (size_t)from, step, slab,
                          rows);
    }
}

/* Sets all elements to the constant, which is an attribute before version 11. */
static oc_status fill_constant(oc_call *c, const oc_value *y)
{
    static const oc_string empty = {"", 0};
    static const uint64_t zeros[2] = {0, 0};
    const size_t elem = oc_type_size(y->type);
    uint64_t one[2];
    if (oc_call_since(c) < 11) {
        const float value = oc_attr_float(c, "value");
        oc_convert(one, y->type, &value, OC_F32, 1, false);
        oc_call_fill(c, y->data, oc_value_n(y), one, elem);
        return OC_OK;
    }
    const oc_value *v = oc_in_or_null(c, 2);
    OC_TRY(oc_expect_one(c, 2));
    const void *none = y->type == OC_STRING ? (const void *)&empty : zeros;
    oc_call_fill(c, y->data, oc_value_n(y), v ? v->data : none, elem);
    return OC_OK;
}

static void copy_core(oc_call *c, const oc_value *y, const oc_value *x, const side sides[])
{
    const size_t elem = oc_type_size(x->type);
    int64_t dst[OC_MAX_RANK], src[OC_MAX_RANK], to = 0, from = 0;
    oc_dims core = {.rank = x->dims.rank};
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, src);
    for (int a = 0; a < core.rank; a++) {
        core.n[a] = sides[a].size;
        to += sides[a].before * dst[a];
        from += sides[a].first * src[a];
    }
    if (oc_dims_count(&core))
        oc_call_move(c, (char *)y->data + elem * (size_t)to, dst,
                     (const char *)x->data + elem * (size_t)from, src, &core, elem);
}

/* In NCHW16c: the sides of its axes; the last axis is the 16 channels of a block. */
static void block_sides(const oc_value *x, side sides[])
{
    const int rank = x->dims.rank;
    for (int a = 1; a < rank; a += rank - 2)
        sides[a] = (side){.size = x->dims.n[a]};
}

static oc_status pad_run(oc_call *c)
{
    oc_value x = *oc_in(c, 0), y = *oc_out(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    if (g.mode == WRAP && oc_call_since(c) < 19)
        oc_remark(c, "mode 'wrap' is of version 19, and taken as there");
    if (oc_value_n(&y) == 0)
        return OC_OK;
    if (oc_is_nchw16c(&y)) {
        x = oc_value_in_memory(&x);
        y = oc_value_in_memory(&y);
        block_sides(&x, g.sides);
    }
    if (g.mode == CONSTANT)
        OC_TRY(fill_constant(c, &y));
    copy_core(c, &y, &x, g.sides);
    for (int a = y.dims.rank - 1; a >= 0 && g.mode != CONSTANT; a--)
        repeat_axis(c, &y, a, &g.sides[a], g.mode);
    return OC_OK;
}

static bool is_whole(const side *s, int64_t size)
{
    return s->before == 0 && s->after == 0 && s->size == size;
}

/* Are pads and axes known? */
static bool is_known(const oc_call *c)
{
    for (int i = 1; i < oc_n_in(c); i += 2) {
        const oc_value *v = oc_in_or_null(c, i);
        if (v && !v->data)
            return false;
    }
    return true;
}

/* Are the first n axes left as they are, as far as is known? */
static bool leaves_axes(oc_call *c, int n)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    geometry g;
    if (!is_known(c) || read_geometry(c, &g) != OC_OK)
        return false;
    for (int a = 0; a < n; a++)
        if (!is_whole(&g.sides[a], x->n[a]))
            return false;
    return true;
}

static bool is_zero(oc_call *c)
{
    const float value = oc_call_since(c) < 11 ? oc_attr_float(c, "value") : 0;
    const oc_value *v = oc_call_since(c) < 11 ? NULL : oc_in_or_null(c, 2);
    bool zero = value == 0 && !signbit(value) && (!v || (v->data && oc_value_n(v) == 1));
    for (size_t i = 0; zero && v && i < oc_type_size(v->type); i++)
        zero = ((const char *)v->data)[i] == 0;
    return zero && (!v || v->type != OC_STRING);
}

static bool pad_adds(oc_call *c, int64_t *pads)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    geometry g;
    if (!pads)
        return leaves_axes(c, x->rank);
    if (!is_known(c) || !is_zero(c) || read_geometry(c, &g) != OC_OK || g.mode != CONSTANT)
        return false;
    for (int a = 0; a < x->rank; a++) {
        const side *s = &g.sides[a];
        if (s->first != 0 || s->size != x->n[a])
            return false;
        pads[a] = s->before;
        pads[a + x->rank] = s->after;
    }
    return true;
}

static void pad_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out(c, 0);
    if (oc_nchw16c_fits(y->type, &y->dims) && leaves_axes(c, 2))
        l->out = oc_layouts_block(l, 0, 1);
}

/* Version 11 made what stands around the image an input. */
static void pad_moves(const oc_call *c, oc_moves *m)
{
    m->inputs = oc_call_since(c) >= 11;
    m->fill = oc_attr_is(c, "mode", "constant") ? 2 : 0;
}

/* clang-format off */
#define MODE "string mode = \"constant\""
#define SIG18(set) "Pad <" MODE "> (T data, int64 pads!, T constant_value?, TIND axes!?)" \
                   " => (T output) | T: " set "; TIND: index"
#define SIG11(set) "Pad <" MODE "> (T data, int64 pads!, T constant_value?) => (T output) | T: " set
#define SIG1(pads) "Pad <" MODE ", ints " pads ", float value = 0.0> (T data) => (T output) | T: ieee"
#define PAD                                                                                        \
    pad_shape, pad_run, OC_TRAITS(.layouts = pad_layouts, .moves = pad_moves, .adds = pad_adds)
const oc_op oc_ops_pad[] = {
    {25, SIG18("all_ir13"), PAD},
    {24, SIG18("all_ir12"), PAD},
    {23, SIG18("all_ir11"), PAD},
    {21, SIG18("all_ir10"), PAD},
    {19, SIG18("all_ir4"),  PAD}, /* + wrap */
    {18, SIG18("all_ir4"),  PAD}, /* + axes */
    {13, SIG11("all_ir4"),  PAD},
    {11, SIG11("numeric; change input 1 from pads; change input 2 from value or 0.0"),
         PAD},
    { 2, SIG1("pads"),      PAD},
    { 1, SIG1("paddings"),  PAD},
    {0}
};
