/* SPDX-License-Identifier: Apache-2.0
 * logic.c - And, Or and Xor of bools. A byte that the host gives and that is neither 0 nor 1 is
 * true. */
#include "ops/kit/elementwise.h"

OC_ROW2(And_row, uint8_t, uint8_t, (a != 0) & (b != 0))
OC_ROW2(Or_row, uint8_t, uint8_t, (a | b) != 0)
OC_ROW2(Xor_row, uint8_t, uint8_t, (a != 0) ^ (b != 0))

static const oc_rows And_rows = {[OC_BOOL] = And_row};
static const oc_rows Or_rows = {[OC_BOOL] = Or_row};
static const oc_rows Xor_rows = {[OC_BOOL] = Xor_row};

OC_BINARY_STAGE(And)
OC_BINARY_LEGACY(And)
OC_BINARY_STAGE(Or)
OC_BINARY_LEGACY(Or)
OC_BINARY_STAGE(Xor)
OC_BINARY_LEGACY(Xor)

OC_CALL_FN(logic_shape, oc_broadcast_shape(c, OC_BOOL))

/* clang-format off */
#define ROWS(op)                                                                                   \
    {7, #op " (bool A, bool B) => (bool C) | " OC_LEGACY_CHANGE, logic_shape,            \
     OC_STAGE(op##_stage)},           \
    {1, #op " <" OC_LEGACY_ATTRS "> (bool A, bool B) => (bool C)", oc_legacy_shape,                \
     OC_STAGE(op##_legacy)}
const oc_op oc_ops_logic[] = {
    ROWS(And),
    ROWS(Or),
    ROWS(Xor),
    {0}
};
