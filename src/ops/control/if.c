/* SPDX-License-Identifier: Apache-2.0
 * if.c - If: one of two graphs. */
#include "ops/kit/op.h"

static oc_status if_run(oc_call *c)
{
    bool cond;
    OC_TRY(oc_one_bool(c, oc_in(c, 0), "input 0", &cond));
    const char *branch = cond ? "then_branch" : "else_branch";
    const int n = oc_graph_n_out(c, branch);
    oc_value *out;
    OC_TRY(OC_SCRATCH(c, out, n));
    OC_TRY(oc_run_graph(c, branch, NULL, 0, out, n));
    for (int i = 0; i < n; i++)
        oc_give_out(c, i, &out[i]);
    return OC_OK;
}

/* What both graphs give, or the one that runs where that is known. */
static oc_status if_outline(oc_call *c)
{
    bool cond = true;
    const bool known = oc_in(c, 0)->data != NULL;
    if (known)
        OC_TRY(oc_one_bool(c, oc_in(c, 0), "input 0", &cond));
    for (int i = 0; i < oc_n_out(c); i++) {
        const oc_value y = oc_graph_out(c, cond ? "then_branch" : "else_branch", i);
        const oc_value other = known ? y : oc_graph_out(c, "else_branch", i);
        oc_dims dims = y.dims;
        if (y.dims.rank < 0 || y.dims.rank != other.dims.rank)
            continue;
        for (int a = 0; a < dims.rank; a++)
            dims.n[a] = dims.n[a] == other.dims.n[a] ? dims.n[a] : -1;
        OC_TRY(oc_outline(c, i, y.type, &dims));
    }
    return OC_OK;
}

/* clang-format off */
#define IF NULL, if_run, OC_TRAITS(.outline = if_outline)
#define SIG(set) "If <graph then_branch gives all, graph else_branch gives all> (bool cond)" \
                 " => (V outputs~...) | V: " set
#define LISTS(set) set " seq(" set ") opt(" set ") opt(seq(all_ir4))"
const oc_op oc_ops_if[] = {
    {25, SIG(LISTS("all_ir13")), IF},
    {24, SIG(LISTS("all_ir12")), IF},
    {23, SIG(LISTS("all_ir11")), IF},
    {21, SIG(LISTS("all_ir10")), IF},
    {19, SIG(LISTS("all_ir9")),  IF},
    {16, SIG(LISTS("all_ir4")),  IF}, /* + optionals */
    {13, SIG("all seq(all)"),    IF}, /* + sequences */
    {11, SIG("all"),             IF},
    { 1, SIG("all"),             IF},
    {0}
};
