/* SPDX-License-Identifier: Apache-2.0
 * join_declared.c - what the graphs of two models that are joined declare of their values. */
#include "bodies/joiner.h"

#include "graph/build.h"

/* Renames the tensors whose names are the values of the pairs. */
static void rename_parameters(oc_inliner *x, oc_env *env, oc_pairs *pairs)
{
    const oc_names *names = env->joint ? &env->joint->model->names : &x->names.from->names;
    oc_pair *copy = oc_arena_array(&x->to->arena, (size_t)pairs->n, sizeof *copy);
    for (int i = 0; copy && i < pairs->n; i++) {
        const char *text = pairs->item[i].value;
        const oc_name tensor = oc_names_find(names, text, strlen(text));
        copy[i] = pairs->item[i];
        copy[i].value = tensor ? oc_env_value(&x->names, env, tensor) : text;
    }
    pairs->item = copy;
}

oc_status oc_join_declare(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out)
{
    if (env->function && !env->joint)
        return OC_OK; /* declarations of a body's inner values are not copied */
    OC_TRY(oc_inline_infos(x, env, g->value, g->n_value, &out->value, &out->n_value));
    for (int i = 0; i < g->n_quantization; i++) {
        oc_quantization *q = OC_PUSH(&x->to->arena, out->quantization, out->n_quantization);
        OC_TRY(oc_renamer_check(&x->names));
        *q = g->quantization[i];
        q->tensor = oc_env_value(&x->names, env, q->tensor);
        rename_parameters(x, env, &q->parameters);
    }
    return oc_renamer_check(&x->names);
}
