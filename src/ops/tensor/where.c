/* SPDX-License-Identifier: Apache-2.0
 * where.c - Where: chooses X or Y by a bool, element by element; no per-type code. */
#include "kernels/common/element.h"
#include "ops/kit/op.h"

#define TEMPLATE "ops/tensor/where.inc"
#include "kernels/common/sizes.inc"

OC_CALL_FN(where_shape, oc_broadcast_shape(c, oc_in(c, 1)->type))

static oc_status where_run(oc_call *c)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1), oc_in(c, 2)};
    oc_value *y = oc_out(c, 0);
    const size_t elem = oc_type_size(y->type);
    oc_row_fn *row = elem == 1   ? row_u8
                     : elem == 2 ? row_u16
                     : elem == 4 ? row_u32
                     : elem == 8 ? row_u64
                                 : row_words;
    oc_call_map(c, y, x, 3, row, NULL);
    return OC_OK;
}

static void where_moves(OC_UNUSED const oc_call *c, oc_moves *m)
{
    m->inputs = 6; /* X and Y */
}

/* clang-format off */
#define SIG(set) "Where (bool condition, T X, T Y) => (T output) | T: " set
#define WHERE where_shape, where_run, OC_TRAITS(.moves = where_moves)
const oc_op oc_ops_where[] = {
    {16, SIG("all_ir4"), WHERE},
    { 9, SIG("all"),     WHERE},
    {0}
};
