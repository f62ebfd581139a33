/* SPDX-License-Identifier: Apache-2.0
 * identity.c - Identity: the input itself, of any kind. */
#include "ops/kit/layout.h"

static oc_status identity_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    if (x->kind == OC_TENSOR)
        return oc_same_shape(c);
    *oc_out(c, 0) = (oc_value){.kind = x->kind, .type = x->type, .dims = x->dims};
    return OC_OK;
}

/* clang-format off */
#define IDENTITY identity_shape, oc_alias, OC_TRAITS(.layouts = oc_same_layouts, .moves = oc_moves_first)
#define SIG(set) "Identity (V input) => (V output) | V: " set
#define LISTS " seq(all) opt(all) opt(seq(all))"
const oc_op oc_ops_identity[] = {
    {25, SIG("all_ir13" LISTS),    IDENTITY},
    {24, SIG("all_ir12" LISTS),    IDENTITY},
    {23, SIG("all_ir11" LISTS),    IDENTITY},
    {21, SIG("all_ir10" LISTS),    IDENTITY},
    {19, SIG("all_ir9" LISTS),     IDENTITY},
    {16, SIG("all_ir4" LISTS),     IDENTITY}, /* + optionals */
    {14, SIG("all_ir4 seq(all)"),  IDENTITY}, /* + sequences */
    {13, SIG("all_ir4"),           IDENTITY},
    { 1, SIG("all"),               IDENTITY},
    {0}
};
