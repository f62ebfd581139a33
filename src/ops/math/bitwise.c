/* SPDX-License-Identifier: Apache-2.0
 * bitwise.c - BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot and BitShift of integers. A signed
 * integer is taken as its bits. A shift by as many places as the type has, or more, gives 0. */
#include "ops/kit/elementwise.h"

#define WIDTH(x) (8 * sizeof(x))

#define ROWS(row, op, expr)                                                                        \
    OC_BITS_ROWS(row, op, OC_SAME, expr)                                                           \
    static const oc_rows op##_rows = {OC_BITS_ENTRIES(op)};
ROWS(OC_ROW1, Not, ~x)
ROWS(OC_ROW2, Left, b < WIDTH(a) ? (uint64_t)a << b : 0)
ROWS(OC_ROW2, Right, b < WIDTH(a) ? (uint64_t)a >> b : 0)

static oc_status stage_bits(oc_call *c, oc_stage *s, oc_integers_fn *row)
{
    const size_t size = oc_type_size(oc_in(c, 0)->type);
    oc_integers_fn *const same[] = {row, row, row, row};
    const oc_rows rows = {OC_SIZE_ENTRIES(same)};
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    return oc_stage_rows(c, s, rows, x, 2, &size, sizeof size);
}

#define BITS_STAGE(op, row)                                                                        \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        return stage_bits(c, s, oc_integers_pick(oc_call_cpu(c))->row);                            \
    }
BITS_STAGE(And, and)
BITS_STAGE(Or, or)
BITS_STAGE(Xor, exor)

static oc_status Not_stage(oc_call *c, oc_stage *s)
{
    return oc_stage_unary(c, s, Not_rows, NULL, 0);
}

OC_CALL_FN(binary_shape, oc_broadcast_shape(c, oc_in(c, 0)->type))

static oc_status shift_direction(oc_call *c, int *direction)
{
    static const char *const names[] = {"LEFT", "RIGHT", NULL};
    return oc_attr_enum(c, "direction", names, direction);
}

static oc_status shift_shape(oc_call *c)
{
    int direction;
    OC_TRY(shift_direction(c, &direction));
    return binary_shape(c);
}

static oc_status shift_stage(oc_call *c, oc_stage *s)
{
    int direction;
    OC_TRY(shift_direction(c, &direction));
    return oc_stage_binary(c, s, direction ? Right_rows : Left_rows);
}

/* clang-format off */
#define BINARY(op) \
    {18, "Bitwise" #op " (T A, T B) => (T C) | T: signed unsigned", binary_shape, \
     OC_STAGE(op##_stage)}
const oc_op oc_ops_bitwise[] = {
    {11, "BitShift <string direction> (T X, T Y) => (T Z) | T: unsigned", shift_shape,
     OC_STAGE(shift_stage)},
    BINARY(And),
    {18, "BitwiseNot (T X) => (T Y) | T: signed unsigned", oc_same_shape,
     OC_STAGE(Not_stage)},
    BINARY(Or),
    BINARY(Xor),
    {0}
};
