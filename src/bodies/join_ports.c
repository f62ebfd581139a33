/* SPDX-License-Identifier: Apache-2.0
 * join_ports.c - which outputs of a model become inputs of the one behind it, and what the inputs
 * and outputs of both together are called. */
#include "bodies/joiner.h"

#include "graph/build.h"
#include "graph/declarations.h"
#include "graph/declared.h"
#include "graph/ports.h"

/* ---- links ---- */

/* An optional and its content pass for each other. */
static const oc_type_info *content(const oc_type_info *t)
{
    return t->kind == OC_TYPE_OPTIONAL && t->item ? t->item : t;
}

/* from: what the first model gives. */
static oc_status link_ports(oc_joiner *j, const oc_value_info *from, int to)
{
    const oc_value_info *in = &j->second->graph.input[to];
    char given[OC_DECLARED_TEXT], wanted[OC_DECLARED_TEXT];
    if (j->feed[to])
        return oc_error_set(j->x->e, OC_ARGUMENT, "input '%s' of the second model is linked twice",
                            in->name);
    if (!oc_declared_agree(content(&from->type), content(&in->type)))
        return oc_error_set(j->x->e,
                            oc_declared_type(&from->type) == oc_declared_type(&in->type) ? OC_SHAPE
                                                                                         : OC_TYPE,
                            "'%.200s' of the first model is %s, expected %s as input '%.200s' of "
                            "the second",
                            from->name, oc_declared_text(&from->type, given),
                            oc_declared_text(&in->type, wanted), in->name);
    j->feed[to] = from;
    oc_name_map_put(&j->joint.linked, in->name, 0);
    return OC_OK;
}

static oc_status link_by_name(oc_joiner *j, const oc_link *l)
{
    const oc_graph *first = &j->first->graph;
    const int out = oc_model_find_output(j->first, l->from);
    const int in = oc_model_find_input(j->first, l->from);
    const int to = oc_model_find_input(j->second, l->to);
    if (out < 0 && in < 0)
        return oc_error_set(j->x->e, OC_ARGUMENT, "the first model has no output or input '%s'",
                            l->from);
    if (to < 0)
        return oc_error_set(j->x->e, OC_ARGUMENT, "the second model has no input '%s'", l->to);
    if (out >= 0)
        j->feeds[out] = true;
    return link_ports(j, out >= 0 ? &first->output[out] : &first->input[in], to);
}

oc_status oc_join_link(oc_joiner *j)
{
    const oc_join *join = j->x->join;
    const oc_graph *second = &j->second->graph;
    for (int i = 0; i < join->n_links; i++)
        OC_TRY(link_by_name(j, &join->links[i]));
    for (int i = 0; !join->n_links && i < second->n_input; i++) {
        const oc_link same = {second->input[i].name, second->input[i].name};
        if (oc_model_find_output(j->first, same.from) >= 0 && !oc_is_weight(j->second, i))
            OC_TRY(link_by_name(j, &same));
    }
    return j->joint.linked.n_used
               ? OC_OK
               : oc_error_set(j->x->e, OC_ARGUMENT,
                              "no output of the first model has the name of an input of the "
                              "second; links would tell which are meant");
}

/* ---- names ---- */

/* Is it the name of an input or output that the first model has in the new one too? */
static bool is_port(const oc_joiner *j, const char *name)
{
    const int in = oc_model_find_input(j->first, name);
    const int out = oc_model_find_output(j->first, name);
    return (in >= 0 && !oc_is_weight(j->first, in)) || (out >= 0 && !j->feeds[out]);
}

/* Returns the new name of an input or output of the second model. It keeps its name, and a value
 * within the first model that has this name too gets another one. */
static oc_name name_port(oc_joiner *j, const char *what, oc_name old)
{
    oc_renamer *r = &j->x->names;
    if (is_port(j, old)) {
        if (!*j->x->join->prefix)
            oc_error_set(r->e, OC_ARGUMENT,
                         "%s '%s' of the second model has the name of an input or output of the "
                         "first; a prefix would tell them apart",
                         what, old);
        return oc_renamer_join(r, j->joint.prefix, old);
    }
    if (oc_names_find(&r->from->names, old, strlen(old)))
        oc_env_bind(r, j->main_env, oc_model_name(r->to, old), oc_renamer_join(r, "first", old));
    return oc_model_name(r->to, old);
}

/* Inputs and outputs of the second model keep their names before others get theirs. */
static void reserve(oc_joiner *j, const oc_value_info *info, int n)
{
    oc_renamer *r = &j->x->names;
    for (int i = 0; i < n; i++) {
        const oc_name name = oc_model_name(r->to, info[i].name);
        if (name)
            oc_name_map_put(&r->values, name, 2);
    }
}

oc_status oc_join_name_ports(oc_joiner *j)
{
    const oc_graph *g = &j->second->graph;
    oc_renamer *r = &j->x->names;
    reserve(j, g->input, g->n_input);
    reserve(j, g->output, g->n_output);
    OC_TRY(oc_renamer_check(r));
    for (int i = 0; i < g->n_input; i++) {
        const oc_name name = g->input[i].name;
        j->in[i] = j->feed[i]                   ? NULL
                   : oc_is_weight(j->second, i) ? oc_renamer_join(r, j->joint.prefix, name)
                                                : name_port(j, "input", name);
    }
    for (int i = 0; i < g->n_output; i++) {
        const oc_name name = g->output[i].name;
        const int same = oc_model_find_input(j->second, name);
        const bool keeps = same >= 0 && j->in[same] && !oc_is_weight(j->second, same);
        j->out[i] = keeps ? j->in[same] : name_port(j, "output", name);
    }
    OC_TRY(oc_renamer_check(r));
    for (int i = 0; i < g->n_input; i++)
        if (j->feed[i])
            j->in[i] = oc_env_value(r, j->main_env, j->feed[i]->name);
    return r->e->code;
}

/* ---- inputs and outputs of the new model ---- */

oc_status oc_join_set_ports(oc_joiner *j, oc_env *env)
{
    static const oc_declarer list[] = {OC_BY_INPUT, OC_BY_VALUE};
    const oc_graph *first = &j->first->graph, *second = &j->second->graph;
    oc_inliner *x = j->x;
    oc_env plain = {.local = true};
    oc_graph *g = &x->to->graph;
    const oc_declarations declared = oc_declarations_of(first, list, 2, x->names.scratch);
    const oc_value_info *in = g->input, *out = g->output;
    g->input = g->output = NULL;
    g->n_input = g->n_output = 0;
    for (int i = 0; i < first->n_input; i++)
        if (!oc_is_weight(j->first, i))
            OC_TRY(oc_inline_infos(x, &plain, &in[i], 1, &g->input, &g->n_input));
    for (int i = 0; i < second->n_input; i++)
        if (!j->feed[i] && !oc_is_weight(j->second, i))
            OC_TRY(oc_inline_infos(x, env, &second->input[i], 1, &g->input, &g->n_input));
    OC_TRY(oc_inline_infos(x, env, second->output, second->n_output, &g->output, &g->n_output));
    for (int i = 0; i < g->n_output; i++)
        g->output[i].name = j->out[i];
    for (int i = 0; i < first->n_output; i++) {
        const oc_name name = first->output[i].name;
        const bool within = j->feeds[oc_model_find_output(j->first, name)];
        if (!within || oc_declaration_find(&declared, name).by == OC_BY_NOTHING)
            OC_TRY(oc_inline_infos(x, &plain, &out[i], 1, within ? &g->value : &g->output,
                                   within ? &g->n_value : &g->n_output));
    }
    return oc_renamer_check(&x->names);
}
