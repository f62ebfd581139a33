/* SPDX-License-Identifier: Apache-2.0
 * tile.c - Tile: a tensor repeated along its axes. */
#include "ops/kit/op.h"

enum { FEW = 64 /* copies of an element */ };

/* The whole number in [0, limit] that float input i holds. */
static oc_status read_number(oc_call *c, int i, double limit, int64_t *number)
{
    const oc_value *v = oc_in(c, i);
    OC_TRY(oc_expect_one(c, i));
    const double x = oc_element_f64(v->type, v->data, 0);
    if (!(x >= 0 && x <= limit && x == (double)(int64_t)x))
        return oc_fail(c, OC_VALUE, "input %d is %g, expected a whole number from 0 to %g", i, x,
                       limit);
    *number = (int64_t)x;
    return OC_OK;
}

/* Version 1 repeats along one axis, and its numbers are floats. */
static oc_status read_one_axis(oc_call *c, oc_dims *repeats)
{
    const int rank = repeats->rank;
    int64_t tiles, axis;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    OC_TRY(read_number(c, 1, 0x1p53, &tiles));
    OC_TRY(read_number(c, 2, rank - 1, &axis));
    for (int a = 0; a < rank; a++)
        repeats->n[a] = a == axis ? tiles : 1;
    return OC_OK;
}

static oc_status read_repeats(oc_call *c, oc_dims *repeats)
{
    *repeats = oc_in(c, 0)->dims;
    if (oc_call_since(c) == 1)
        return read_one_axis(c, repeats);
    OC_TRY(oc_expect_dims(c, 1, &(oc_dims){1, {repeats->rank}}, ", one for each axis of input 0"));
    return oc_in_dims(c, 1, repeats);
}

static oc_status tile_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims y = x->dims, repeats;
    OC_TRY(read_repeats(c, &repeats));
    for (int a = 0; a < y.rank; a++)
        if (!oc_i64_mul(y.n[a], repeats.n[a], &y.n[a]))
            return oc_fail(c, OC_SHAPE, "axis %d of the result is too large", a);
    return oc_set_out(c, 0, x->type, &y);
}

/* A few bytes are repeated faster by moves of a size that the compiler knows. */
#define ELEMENT(size)                                                                              \
    case size:                                                                                     \
        for (int64_t k = 1; k < n; k++)                                                            \
            memcpy(p + k * (size), p, size);                                                       \
        return true;

/* Returns false if no element has this size. */
static bool repeat_element(char *p, size_t size, int64_t n)
{
    switch (size) {
        ELEMENT(1)
        ELEMENT(2)
        ELEMENT(4)
        ELEMENT(8)
        ELEMENT(16)
    }
    return false;
}
#undef ELEMENT

/* Repeats along an axis. The inner axes are complete, and of the outer axes only the places that
 * input x has. step: of y, in bytes. */
static void repeat_axis(oc_call *c, char *y, const oc_dims *x, const size_t step[], int axis,
                        int64_t n)
{
    const int64_t blocks = oc_dims_product(x, 0, axis);
    const size_t size = step[axis] * (size_t)x->n[axis];
    int64_t at[OC_MAX_RANK] = {0};
    OC_CALL_LOOP (c, i, blocks, 64) {
        size_t place = 0;
        for (int a = 0; a < axis; a++)
            place += (size_t)at[a] * step[a];
        if (n > FEW || !repeat_element(y + place, size, n))
            oc_call_repeat(c, y + place, size, n);
        for (int a = axis - 1; a >= 0 && ++at[a] == x->n[a]; a--)
            at[a] = 0;
    }
}

static oc_status tile_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const size_t elem = oc_type_size(x->type);
    int64_t to[OC_MAX_RANK], from[OC_MAX_RANK];
    size_t step[OC_MAX_RANK];
    oc_dims repeats;
    OC_TRY(read_repeats(c, &repeats));
    if (oc_value_n(y) == 0)
        return OC_OK;
    oc_dims_strides(&y->dims, to);
    oc_dims_strides(&x->dims, from);
    oc_call_move(c, y->data, to, x->data, from, &x->dims, elem);
    for (int a = 0; a < x->dims.rank; a++)
        step[a] = (size_t)to[a] * elem;
    for (int a = x->dims.rank - 1; a >= 0; a--)
        if (repeats.n[a] > 1)
            repeat_axis(c, y->data, &x->dims, step, a, repeats.n[a]);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Tile (T input, int64 repeats!) => (T output) | T: " set
#define TILE tile_shape, tile_run, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_tile[] = {
    {13, SIG("all_ir4"), TILE},
    { 6, SIG("all"),     TILE},
    { 1, "Tile (T input, T tiles!, T axis!) => (T output) | T: ieee", TILE},
    {0}
};
