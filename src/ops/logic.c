/* SPDX-License-Identifier: Apache-2.0
 * logic.c - And, Or and Xor of bools. */
#include "ops/elementwise.h"

OC_ROW2(And_row, uint8_t, uint8_t, a &b)
OC_ROW2(Or_row, uint8_t, uint8_t, a | b)
OC_ROW2(Xor_row, uint8_t, uint8_t, a ^ b)

static oc_status run(oc_call *c, oc_row_fn *row, bool legacy)
{
    oc_value b = *oc_in(c, 1);
    if (legacy)
        OC_TRY(oc_legacy_b(c, &b));
    const oc_value *x[] = {oc_in(c, 0), &b};
    oc_map(oc_out(c, 0), x, 2, row, oc_call_parallel(c));
    return OC_OK;
}

#define RUN(op)                                                                                    \
    static oc_status op##_run(oc_call *c)                                                          \
    {                                                                                              \
        return run(c, op##_row, false);                                                            \
    }                                                                                              \
    static oc_status op##_legacy(oc_call *c)                                                       \
    {                                                                                              \
        return run(c, op##_row, true);                                                             \
    }
RUN(And)
RUN(Or)
RUN(Xor)

static oc_status logic_shape(oc_call *c)
{
    return oc_broadcast_shape(c, OC_BOOL);
}

/* clang-format off */
#define ROWS(op)                                                                                   \
    {7, #op " (bool A, bool B) => (bool C)", logic_shape, op##_run},                               \
    {1, #op " <" OC_LEGACY_ATTRS "> (bool A, bool B) => (bool C)", oc_legacy_shape, op##_legacy}
const oc_op oc_ops_logic[] = {
    ROWS(And),
    ROWS(Or),
    ROWS(Xor),
    {0}
};
/* clang-format on */
