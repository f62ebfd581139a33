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

/* clang-format off */
#define SIG(set) "If <graph then_branch gives all, graph else_branch gives all> (bool cond)" \
                 " => (V outputs~...) | V: " set
#define LISTS(set) set " seq(" set ") opt(" set ") opt(seq(all_ir4))"
const oc_op oc_ops_if[] = {
    {25, SIG(LISTS("all_ir13")), NULL, if_run},
    {24, SIG(LISTS("all_ir12")), NULL, if_run},
    {23, SIG(LISTS("all_ir11")), NULL, if_run},
    {21, SIG(LISTS("all_ir10")), NULL, if_run},
    {19, SIG(LISTS("all_ir9")),  NULL, if_run},
    {16, SIG(LISTS("all_ir4")),  NULL, if_run}, /* + optionals */
    {13, SIG("all seq(all)"),    NULL, if_run}, /* + sequences */
    {11, SIG("all"),             NULL, if_run},
    { 1, SIG("all"),             NULL, if_run},
    {0}
};
/* clang-format on */
