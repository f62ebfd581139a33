/* SPDX-License-Identifier: Apache-2.0
 * part.c - makes a model from a part of another model and from all that the part uses. */
#include "graph/part.h"

#include "graph/build.h"
#include "graph/declarations.h"
#include "graph/opkey.h"
#include "graph/walk.h"

typedef struct part {
    oc_need need;
    const oc_model *from;
    oc_model *to;
    oc_arena *scratch;
    oc_declarations declared; /* what the model's main graph declares */
    /* names of all values of the new graph, and of its inputs and outputs */
    oc_name_map made, ports;
    oc_name_map domains;      /* domains of the part's nodes */
    oc_opkey_map function_of; /* maps keys of functions to indices in from->function */
    bool *called;             /* for each function: true when the part calls it */
    int *open;                /* called functions whose own nodes are not yet examined */
    int n_open;
    oc_name none; /* the name "" */
    oc_error *e;
} part;

static oc_status check_memory(const part *p)
{
    OC_TRY(oc_arena_check(p->scratch, p->e));
    return oc_arena_check(&p->to->arena, p->e);
}

static bool has(const oc_name_map *map, oc_name name)
{
    return oc_name_map_get(map, name) >= 0;
}

/* ---- what the model declares ---- */

static oc_status number_declared(part *p)
{
    static const oc_declarer list[] = {OC_BY_INPUT, OC_BY_OUTPUT, OC_BY_VALUE, OC_BY_INITIALIZER,
                                       OC_BY_SPARSE};
    p->declared = oc_declarations_of(&p->from->graph, list, sizeof list / sizeof *list, p->scratch);
    return check_memory(p);
}

static bool is_input(const part *p, oc_name name)
{
    return oc_declaration_find(&p->declared, name).by == OC_BY_INPUT;
}

static oc_value_info info_of(part *p, oc_name name, oc_type type, const oc_dims *dims)
{
    const int rank = dims ? dims->rank : -1;
    oc_dim *d = rank > 0 ? oc_arena_array(&p->to->arena, (size_t)rank, sizeof *d) : NULL;
    for (int i = 0; d && i < rank; i++)
        d[i] = (oc_dim){.n = dims->n[i], .symbol = p->none};
    return (oc_value_info){.name = name,
                           .doc = "",
                           .type = {.kind = type ? OC_TYPE_TENSOR : OC_TYPE_NONE,
                                    .type = type,
                                    .rank = rank,
                                    .dims = d,
                                    .denotation = p->none,
                                    .opaque_domain = p->none,
                                    .opaque_name = p->none}};
}

/* Returns what the model declares about a value of its main graph. */
static oc_value_info declared(part *p, oc_name name)
{
    const oc_declaration d = oc_declaration_find(&p->declared, name);
    return d.info ? *d.info : info_of(p, name, d.type, d.dims);
}

/* ---- nodes ---- */

/* Returns a name that no value has. An output of one of the part's nodes gets it when the part
 * also begins with that value. */
static oc_name rename_output(const part *p, oc_name name)
{
    for (int i = 1;; i++) {
        const char *text = oc_arena_printf(p->scratch, "%s_unread_%d", name, i);
        if (!text)
            return NULL;
        if (!oc_names_find(&p->to->names, text, strlen(text)))
            return oc_model_name(p->to, text);
    }
}

static oc_status copy_node(part *p, const oc_node *n)
{
    oc_graph *g = &p->to->graph;
    oc_node *copy = OC_PUSH(&p->to->arena, g->node, g->n_node);
    oc_name *out = oc_arena_array(&p->to->arena, (size_t)n->n_out, sizeof *out);
    OC_TRY(check_memory(p));
    for (int k = 0; k < n->n_out; k++) {
        out[k] = oc_need_cuts(&p->need, n->out[k]) ? rename_output(p, n->out[k]) : n->out[k];
        OC_TRY(check_memory(p));
        oc_name_map_put(&p->made, out[k], 0);
    }
    *copy = *n;
    copy->out = out;
    return check_memory(p);
}

static oc_status copy_nodes(part *p)
{
    for (int i = 0; i < p->from->graph.n_node; i++)
        if (p->need.kept[i])
            OC_TRY(copy_node(p, &p->from->graph.node[i]));
    return OC_OK;
}

/* ---- inputs, outputs, initializers ---- */

static oc_status add_input(part *p, const oc_value_info *info)
{
    oc_value_info *input = OC_PUSH(&p->to->arena, p->to->graph.input, p->to->graph.n_input);
    OC_TRY(check_memory(p));
    *input = *info;
    oc_name_map_put(&p->made, info->name, 0);
    oc_name_map_put(&p->ports, info->name, 0);
    return check_memory(p);
}

/* Adds a value that the part begins with and whose elements the host gives. */
static oc_status add_constant(part *p, oc_name name, const oc_value *v)
{
    oc_graph *g = &p->to->graph;
    if (v->kind != OC_TENSOR || v->type == OC_STRING)
        return oc_error_set(p->e, OC_ARGUMENT, "the elements given for value '%s' are no numbers",
                            name);
    oc_constant *c = OC_PUSH(&p->to->arena, g->initializer, g->n_initializer);
    OC_TRY(check_memory(p));
    *c = (oc_constant){.name = name, .doc = p->none};
    OC_TRY(oc_model_tensor(p->to, v->type, &v->dims, &c->value, p->e));
    OC_TRY(oc_watch_copy(p->to->memory.watch, c->value.data, v->data, oc_value_bytes(v), p->e));
    oc_name_map_put(&p->made, name, 0);
    const oc_value_info info = info_of(p, name, v->type, &v->dims);
    return oc_model_names_weights(p->from) ? add_input(p, &info) : check_memory(p);
}

/* Adds the values that the part begins with, then those inputs of the model that it uses. */
static oc_status add_inputs(part *p)
{
    const oc_graph *g = &p->from->graph;
    const oc_part *want = p->need.part;
    for (int i = 0; i < want->n_from; i++) {
        const oc_cut *cut = &want->from[i];
        const oc_name name = oc_names_find(&p->from->names, cut->name, strlen(cut->name));
        const oc_value_info info = declared(p, name);
        if (oc_need_has(&p->need, name))
            OC_TRY(cut->value ? add_constant(p, name, cut->value) : add_input(p, &info));
    }
    for (int i = 0; i < g->n_input; i++)
        if (oc_need_has(&p->need, g->input[i].name) && !oc_need_cuts(&p->need, g->input[i].name))
            OC_TRY(add_input(p, &g->input[i]));
    return OC_OK;
}

/* Does the part have the initializer, as a weight or as the default of an input? */
static bool keeps_initializer(const part *p, oc_name name)
{
    const int cut = oc_name_map_get(&p->need.cut, name);
    return oc_need_has(&p->need, name) &&
           (cut < 0 || (!p->need.part->from[cut].value && is_input(p, name)));
}

static oc_status add_initializers(part *p)
{
    const oc_graph *from = &p->from->graph;
    oc_graph *g = &p->to->graph;
    for (int i = 0; i < from->n_initializer; i++)
        if (keeps_initializer(p, from->initializer[i].name)) {
            oc_constant *c = OC_PUSH(&p->to->arena, g->initializer, g->n_initializer);
            OC_TRY(check_memory(p));
            *c = from->initializer[i];
            oc_name_map_put(&p->made, c->name, 0);
        }
    for (int i = 0; i < from->n_sparse; i++)
        if (keeps_initializer(p, from->sparse[i].values.name)) {
            oc_sparse *s = OC_PUSH(&p->to->arena, g->sparse, g->n_sparse);
            OC_TRY(check_memory(p));
            *s = from->sparse[i];
            oc_name_map_put(&p->made, s->values.name, 0);
        }
    return check_memory(p);
}

static oc_status add_outputs(part *p)
{
    const oc_part *want = p->need.part;
    const oc_graph *from = &p->from->graph;
    oc_graph *g = &p->to->graph;
    const int n = want->to ? want->n_to : from->n_output;
    g->output = oc_arena_array(&p->to->arena, (size_t)n, sizeof *g->output);
    OC_TRY(check_memory(p));
    g->n_output = n;
    for (int i = 0; i < n; i++) {
        const char *to = want->to ? want->to[i] : NULL;
        g->output[i] =
            to ? declared(p, oc_names_find(&p->from->names, to, strlen(to))) : from->output[i];
        oc_name_map_put(&p->ports, g->output[i].name, 0);
    }
    return check_memory(p);
}

/* Adds the declarations of the other values, and the annotations of quantization. */
static oc_status add_facts(part *p)
{
    const oc_graph *from = &p->from->graph;
    oc_graph *g = &p->to->graph;
    for (int i = 0; i < from->n_value; i++)
        if (has(&p->made, from->value[i].name) && !has(&p->ports, from->value[i].name)) {
            oc_value_info *v = OC_PUSH(&p->to->arena, g->value, g->n_value);
            OC_TRY(check_memory(p));
            *v = from->value[i];
        }
    for (int i = 0; i < from->n_quantization; i++)
        if (has(&p->made, from->quantization[i].tensor)) {
            oc_quantization *q = OC_PUSH(&p->to->arena, g->quantization, g->n_quantization);
            OC_TRY(check_memory(p));
            *q = from->quantization[i];
        }
    return check_memory(p);
}

/* ---- functions and imports ---- */

static void use_operators(part *p, const oc_graph *g)
{
    oc_walk w = oc_walk_new(g);
    for (const oc_node *n; (n = oc_walk_next(&w));) {
        const int f = oc_opkey_map_get(&p->function_of, oc_opkey_of_call(n));
        oc_name_map_put(&p->domains, n->domain, 0);
        if (f >= 0 && !p->called[f]) {
            p->called[f] = true;
            p->open[p->n_open++] = f;
        }
    }
}

static oc_status choose_functions(part *p)
{
    const oc_model *m = p->from;
    p->called = oc_arena_array(p->scratch, (size_t)m->n_function, sizeof *p->called);
    p->open = oc_arena_array(p->scratch, (size_t)m->n_function, sizeof *p->open);
    for (int i = 0; i < m->n_function; i++)
        oc_opkey_map_put(&p->function_of, oc_opkey_of_function(&m->function[i]), i);
    OC_TRY(check_memory(p));
    use_operators(p, &p->to->graph);
    while (p->n_open)
        use_operators(p, &m->function[p->open[--p->n_open]].body);
    for (int i = 0; i < m->n_function; i++)
        if (p->called[i]) {
            oc_function *f = OC_PUSH(&p->to->arena, p->to->function, p->to->n_function);
            OC_TRY(check_memory(p));
            *f = m->function[i];
        }
    return check_memory(p);
}

/* Copies the imports that are used. Some engines look for the imports of a function among those
 * of the model, so these are copied too. */
static oc_status choose_imports(part *p)
{
    const oc_model *m = p->from;
    for (int i = 0; i < p->to->n_function; i++)
        for (int k = 0; k < p->to->function[i].opsets.n; k++)
            oc_name_map_put(&p->domains, p->to->function[i].opsets.item[k].domain, 0);
    for (int i = 0; i < m->opsets.n; i++)
        if (has(&p->domains, m->opsets.item[i].domain)) {
            oc_opset *o = OC_PUSH(&p->to->arena, p->to->opsets.item, p->to->opsets.n);
            OC_TRY(check_memory(p));
            *o = m->opsets.item[i];
        }
    return check_memory(p);
}

/* ---- the model ---- */

static void copy_texts(part *p)
{
    const oc_model *m = p->from;
    oc_model *to = p->to;
    oc_model_describe_as(to, m);
    to->graph.name = m->graph.name;
    to->graph.doc = m->graph.doc;
    to->graph.metadata = m->graph.metadata;
}

static oc_value_info *copy_infos(part *p, const oc_value_info *infos, int n)
{
    oc_value_info *copy = NULL;
    for (int i = 0, n_copy = 0; i < n; i++) {
        oc_value_info *v = OC_PUSH(&p->to->arena, copy, n_copy);
        if (v)
            *v = infos[i];
    }
    return copy;
}

static oc_status copy_whole(part *p)
{
    oc_graph *g = &p->to->graph;
    p->to->opsets = p->from->opsets;
    p->to->function = p->from->function;
    p->to->n_function = p->from->n_function;
    *g = p->from->graph;
    g->input = copy_infos(p, g->input, g->n_input);
    g->output = copy_infos(p, g->output, g->n_output);
    g->value = copy_infos(p, g->value, g->n_value);
    return check_memory(p);
}

static oc_status copy_part(part *p, const oc_part *want)
{
    if (!oc_names_share(&p->to->names, &p->from->names))
        return oc_arena_check(&p->to->arena, p->e);
    p->none = oc_model_name(p->to, "");
    copy_texts(p);
    if (!want)
        return copy_whole(p);
    OC_TRY(number_declared(p));
    OC_TRY(oc_need_find(&p->need, p->from, want, p->scratch, p->e));
    OC_TRY(copy_nodes(p));
    OC_TRY(add_inputs(p));
    OC_TRY(add_initializers(p));
    OC_TRY(add_outputs(p));
    OC_TRY(add_facts(p));
    OC_TRY(choose_functions(p));
    return choose_imports(p);
}

oc_status oc_part_extract(const oc_model *m, const oc_part *want, oc_watch *watch, oc_model **out,
                          oc_error *e)
{
    const oc_memory memory = oc_memory_beside(&m->memory, 0, watch);
    oc_model *to;
    OC_TRY(oc_model_new_beside(&memory, &to, e));
    oc_arena scratch = oc_arena_new(&to->memory);
    part p = {.from = m,
              .to = to,
              .scratch = &scratch,
              .made = oc_name_map_new(&scratch),
              .ports = oc_name_map_new(&scratch),
              .domains = oc_name_map_new(&scratch),
              .function_of = oc_opkey_map_new(&scratch),
              .e = e};
    const oc_status status = copy_part(&p, want);
    oc_arena_free(&scratch);
    if (status == OC_OK)
        *out = to;
    else
        oc_model_free(to);
    return status;
}
