/* SPDX-License-Identifier: Apache-2.0
 * identity.c - Identity: the input itself, of any kind. */
#include "ops/kit/op.h"

static oc_status identity_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    if (x->kind == OC_TENSOR)
        return oc_same_shape(c);
    *oc_out(c, 0) = (oc_value){.kind = x->kind, .type = x->type, .dims = x->dims};
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Identity (V input^) => (V output) | V: " set
#define LISTS " seq(all) opt(all) opt(seq(all))"
const oc_op oc_ops_identity[] = {
    {25, SIG("all_ir13" LISTS),    identity_shape, oc_alias},
    {24, SIG("all_ir12" LISTS),    identity_shape, oc_alias},
    {23, SIG("all_ir11" LISTS),    identity_shape, oc_alias},
    {21, SIG("all_ir10" LISTS),    identity_shape, oc_alias},
    {19, SIG("all_ir9" LISTS),     identity_shape, oc_alias},
    {16, SIG("all_ir4" LISTS),     identity_shape, oc_alias}, /* + optionals */
    {14, SIG("all_ir4 seq(all)"),  identity_shape, oc_alias}, /* + sequences */
    {13, SIG("all_ir4"),           identity_shape, oc_alias},
    { 1, SIG("all"),               identity_shape, oc_alias},
    {0}
};
/* clang-format on */
