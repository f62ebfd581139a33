/* SPDX-License-Identifier: Apache-2.0
 * inline_declared.c - copies what a graph declares of its values, with the names that an
 * environment gives them. */
#include "bodies/inliner.h"

#include "graph/build.h"

oc_status oc_inline_infos(oc_inliner *x, oc_env *env, const oc_value_info *info, int n,
                          oc_value_info **list, int *n_list)
{
    for (int i = 0; i < n; i++) {
        oc_value_info *v = OC_PUSH(&x->to->arena, *list, *n_list);
        const oc_name name = oc_env_value(&x->names, env, info[i].name);
        OC_TRY(oc_renamer_check(&x->names));
        *v = info[i];
        v->name = name;
        oc_type_put(&x->types->of, name, oc_type_declared(&v->type));
        if (env->joint) {
            env->joint->rename_dims(x, env->joint, &v->type);
        } else if (env->function && v->type.rank > 0) {
            v->type.rank = -1;
            v->type.dims = NULL;
        }
    }
    return oc_renamer_check(&x->names);
}

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

oc_status oc_inline_declarations(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out)
{
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
