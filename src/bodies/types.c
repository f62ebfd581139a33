/* SPDX-License-Identifier: Apache-2.0
 * types.c - follows the types of values while bodies replace calls. */
#include "bodies/types.h"

#include "ops/kit/registry.h"

oc_types oc_types_new(oc_arena *arena, const oc_op *host_ops)
{
    return (oc_types){.of = oc_type_table_new(arena, NULL),
                      .sigs = oc_sig_cache_new(arena),
                      .host_ops = host_ops};
}

/* Returns the signature of the version that serves a node; NULL if there is none or it is
 * malformed, which the plan reports. */
static const oc_sig *sig_of(oc_types *types, const oc_node *n, int64_t opset)
{
    int oldest;
    oc_error wrong = {.code = OC_OK};
    const oc_sig *sig;
    const oc_op *version = oc_op_find(types->host_ops, n->domain, n->op_type, opset, &oldest);
    return version && oc_sig_cached(&types->sigs, version->signature, &sig, &wrong) == OC_OK ? sig
                                                                                             : NULL;
}

oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e)
{
    const oc_sig *sig = sig_of(types, node, opset);
    if (!sig || !sig->n_out)
        return oc_arena_check(types->sigs.arena, e);
    oc_typed_node n = {.node = node, .sig = sig, .types = &types->of};
    oc_typed_inputs(&n);
    for (int i = 0; i < node->n_out; i++)
        oc_type_put(&types->of, node->out[i], oc_typed_output(&n, i));
    return oc_arena_check(types->sigs.arena, e);
}

oc_status oc_types_enter(oc_types *types, const oc_node *node, int64_t opset, const char *attr,
                         const oc_graph *g, oc_error *e)
{
    const oc_sig *sig = sig_of(types, node, opset);
    for (int a = 0; sig && a < sig->n_attr; a++) {
        if (sig->attr[a].from < 0 || strcmp(sig->attr[a].name, attr) != 0)
            continue;
        for (int i = 0; i < g->n_input; i++) {
            const int from = sig->attr[a].from + i;
            if (g->input[i].type.kind == OC_TYPE_NONE && from < node->n_in)
                oc_type_put(&types->of, g->input[i].name, oc_type_get(&types->of, node->in[from]));
        }
    }
    return oc_arena_check(types->sigs.arena, e);
}
