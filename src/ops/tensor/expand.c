/* SPDX-License-Identifier: Apache-2.0
 * expand.c - Expand: repeats elements so that the input gets the dims of its broadcast with a
 * shape. */
#include "ops/kit/op.h"

static oc_status expand_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims y = x->dims, shape;
    char text[OC_DIMS_TEXT];
    OC_TRY(oc_in_dims(c, 1, &shape));
    if (!oc_dims_broadcast(&y, &shape))
        return oc_fail_dims(c, 0, "which does not broadcast with %s", oc_dims_text(&shape, text));
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status expand_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    int64_t dst[OC_MAX_RANK], dense[OC_MAX_RANK], src[OC_MAX_RANK];
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, dense);
    const int added = y->dims.rank - x->dims.rank;
    for (int a = 0; a < y->dims.rank; a++)
        src[a] = a < added || x->dims.n[a - added] == 1 ? 0 : dense[a - added];
    oc_call_move(c, y->data, dst, x->data, src, &y->dims, oc_type_size(y->type));
    return OC_OK;
}

static bool expand_adds(oc_call *c, int64_t *pads)
{
    return !pads && oc_value_n(oc_in(c, 0)) == oc_value_n(oc_out(c, 0));
}

/* clang-format off */
#define SIG(set) "Expand (T input, int64 shape!) => (T output) | T: " set
#define EXPAND                                                                                     \
    expand_shape, expand_run, OC_TRAITS(.moves = oc_moves_first, .adds = expand_adds)
const oc_op oc_ops_expand[] = {
    {13, SIG("all_ir4"), EXPAND},
    { 8, SIG("all"),     EXPAND},
    {0}
};
