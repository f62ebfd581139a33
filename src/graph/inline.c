/* SPDX-License-Identifier: Apache-2.0
 * inline.c - the rewrite that replaces calls of functions by their bodies.
 *
 * Nodes of the main graph are copied as they are, a call becomes the nodes of its body in its
 * place; frame.h tells what names and attributes mean there. What a body costs is counted, since a
 * few functions that call each other twice expand without bound. */
#include "graph/inline.h"

#include "graph/build.h"
#include "graph/frame.h"
#include "graph/opkey.h"

#include <string.h>

/* Open calls and open graphs bound the C stack. A unit of work is a node or a name of one; a call
 * counts for several, even if its body is empty. */
enum { MAX_CALLS = 200, MAX_WORK = 1 << 22, CALL_WORK = 16 };

typedef struct inliner {
    oc_renamer names;
    oc_model *to;
    const oc_body_source *source;
    oc_types types;         /* of the new model's values */
    oc_opkey_map functions; /* to indices of the old model's functions */
    int n_calls, depth;     /* open now: calls, and graphs within graphs */
    int64_t work;           /* what may still be done within calls */
    oc_error *e;
} inliner;

/* Counts n units of work within a call; the main graph's own nodes are free. */
static oc_status spend(inliner *x, int64_t n)
{
    if (x->n_calls == 0)
        return OC_OK;
    x->work -= n;
    if (x->work < 0)
        return oc_error_set(x->e, OC_LIMIT,
                            "model: its function calls expand to more than %d nodes and names",
                            MAX_WORK);
    return OC_OK;
}

static oc_name *new_names(inliner *x, int n)
{
    return oc_arena_array(&x->to->arena, (size_t)n, sizeof(oc_name));
}

/* ---- attributes ---- */

static oc_status copy_graph(inliner *x, oc_frame *f, const oc_node *n, const oc_graph *g,
                            oc_graph *out);

static oc_status copy_graphs(inliner *x, oc_frame *f, const oc_node *n, oc_attr *a)
{
    oc_graph *const *old = a->u.g;
    oc_graph **list = oc_arena_array(&x->to->arena, (size_t)a->n, sizeof *list);
    oc_graph *graph = oc_arena_array(&x->to->arena, (size_t)a->n, sizeof *graph);
    OC_TRY(oc_renamer_check(&x->names));
    a->u.g = list;
    for (int i = 0; i < a->n; i++) {
        list[i] = &graph[i];
        OC_TRY(copy_graph(x, f, n, old[i], list[i]));
    }
    return OC_OK;
}

static oc_status copy_attrs(inliner *x, oc_frame *f, const oc_node *n, oc_node *out)
{
    oc_attr *list = oc_arena_array(&x->to->arena, (size_t)n->n_attr, sizeof *list);
    OC_TRY(oc_renamer_check(&x->names));
    out->attr = list;
    out->n_attr = 0;
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *value;
        oc_frame *owner;
        OC_TRY(oc_frame_attr(&x->names, f, &n->attr[i], &value, &owner));
        if (!value)
            continue;
        oc_attr *a = &list[out->n_attr++];
        *a = *value;
        a->name = oc_frame_text(&x->names, f, n->attr[i].name);
        if (oc_attr_n_graphs(a))
            OC_TRY(copy_graphs(x, owner, out, a));
    }
    return oc_renamer_check(&x->names);
}

/* ---- nodes ---- */

/* The version that a node runs under; 0: none is imported. */
static int64_t opset_of(const inliner *x, const oc_frame *f, const oc_node *n)
{
    const oc_opsets *imports = f->function ? &f->function->opsets : &x->names.from->opsets;
    return n->opset ? n->opset : oc_opsets_find(imports, n->domain);
}

static oc_status copy_node(inliner *x, oc_frame *f, const oc_node *n, oc_graph *out)
{
    oc_renamer *r = &x->names;
    oc_name *in = new_names(x, n->n_in), *outs = new_names(x, n->n_out);
    OC_TRY(oc_renamer_check(r));
    for (int i = 0; i < n->n_in; i++)
        in[i] = oc_frame_value(r, f, n->in[i]);
    for (int i = 0; i < n->n_out; i++)
        outs[i] = oc_frame_value(r, f, n->out[i]);
    oc_node copy = *n;
    copy.name = oc_frame_node(r, f, n->name);
    copy.op_type = oc_frame_text(r, f, n->op_type);
    copy.domain = oc_frame_text(r, f, n->domain);
    copy.overload = oc_frame_text(r, f, n->overload);
    copy.in = in;
    copy.out = outs;
    copy.opset = f->function ? opset_of(x, f, n) : n->opset;
    OC_TRY(copy_attrs(x, f, n, &copy));
    oc_node *node = OC_PUSH(&x->to->arena, out->node, out->n_node);
    OC_TRY(oc_renamer_check(r));
    *node = copy;
    if (x->source->note_types)
        OC_TRY(x->source->note_types(x->source->ctx, &x->types, node, opset_of(x, f, n)));
    return oc_renamer_check(r);
}

/* The imported version of ONNX's own domain, whatever table the names are of; 0: none. */
static int64_t find_onnx(const oc_opsets *o)
{
    for (int i = 0; i < o->n; i++)
        if (!*o->item[i].domain)
            return o->item[i].version;
    return 0;
}

/* to = Identity (from) */
static oc_status add_identity(inliner *x, const oc_frame *f, oc_name from, oc_name to,
                              oc_graph *out)
{
    OC_TRY(oc_renamer_check(&x->names));
    oc_name *ports = new_names(x, 2);
    const oc_name none = oc_model_name(x->to, ""), op = oc_model_name(x->to, "Identity");
    oc_node *n = OC_PUSH(&x->to->arena, out->node, out->n_node);
    OC_TRY(oc_renamer_check(&x->names));
    const int64_t of_body = find_onnx(&f->function->opsets);
    const int64_t of_model = find_onnx(&x->names.from->opsets);
    ports[0] = from;
    ports[1] = to;
    oc_types_put(&x->types, to, oc_types_get(&x->types, from));
    *n = (oc_node){.name = none,
                   .op_type = op,
                   .domain = none,
                   .overload = none,
                   .doc = "",
                   .in = ports,
                   .out = ports + 1,
                   .n_in = 1,
                   .n_out = 1,
                   .opset = of_body    ? of_body
                            : of_model ? of_model
                                       : OC_MAX_OPSET};
    return oc_renamer_check(&x->names);
}

/* ---- calls ---- */

static oc_status copy_initializers(inliner *x, oc_frame *f, const oc_graph *g, oc_graph *out)
{
    for (int i = 0; i < g->n_initializer; i++) {
        oc_constant *c = OC_PUSH(&x->to->arena, out->initializer, out->n_initializer);
        OC_TRY(oc_renamer_check(&x->names));
        *c = g->initializer[i];
        c->name = oc_frame_value(&x->names, f, c->name);
        OC_TRY(oc_renamer_check(&x->names));
        oc_types_put(&x->types, c->name, (oc_known_type){OC_TENSOR, c->value.type});
    }
    for (int i = 0; i < g->n_sparse; i++) {
        oc_sparse *s = OC_PUSH(&x->to->arena, out->sparse, out->n_sparse);
        OC_TRY(oc_renamer_check(&x->names));
        *s = g->sparse[i];
        s->name = oc_frame_value(&x->names, f, s->name);
        OC_TRY(oc_renamer_check(&x->names));
        oc_types_put(&x->types, s->name, (oc_known_type){OC_TENSOR, s->values.type});
    }
    return oc_renamer_check(&x->names);
}

/* A function that is being expanded already is known by its nodes: its struct may have moved. */
static oc_status refuse_recursion(inliner *x, const oc_frame *caller, const oc_function *f)
{
    const oc_frame *p = caller;
    while (p->function && p->function->body.node != f->body.node)
        p = p->caller;
    if (!p->function)
        return OC_OK;
    const char *path = f->name;
    for (const oc_frame *q = caller; path && q != p->caller; q = q->caller)
        path = oc_arena_printf(x->names.scratch, "%s -> %s", q->function->name, path);
    return oc_error_set(x->e, OC_MODEL, "functions call each other in a circle: %s",
                        path ? path : f->name);
}

/* Outputs that are inputs too, or stand twice in the function's list. */
static oc_status add_identities(inliner *x, oc_frame *f, oc_graph *out)
{
    oc_renamer *r = &x->names;
    for (int i = 0; i < f->call->n_out; i++) {
        const oc_name formal = f->function->body.output[i].name;
        const oc_name made = oc_frame_value(r, f, formal);
        const oc_name wanted = oc_frame_value(r, f->caller, f->call->out[i]);
        OC_TRY(oc_renamer_check(r));
        if (!*wanted || made == wanted)
            continue;
        if (!*made)
            return oc_error_set(
                x->e, OC_MODEL, "%s: output %d is input '%s' of function '%s', which is missing",
                oc_frame_label(r, f->caller, f->call), i, formal, f->function->name);
        OC_TRY(add_identity(x, f, made, wanted, out));
    }
    return OC_OK;
}

static oc_status copy_nodes(inliner *x, oc_frame *f, const oc_graph *g, oc_graph *out);

static oc_status inline_call(inliner *x, oc_frame *caller, const oc_node *n, const oc_function *f,
                             bool local, oc_graph *out)
{
    oc_frame *frame;
    OC_TRY(refuse_recursion(x, caller, f));
    if (x->n_calls == MAX_CALLS)
        return oc_error_set(x->e, OC_LIMIT, "function '%s' is called through more than %d others",
                            f->name, MAX_CALLS);
    x->n_calls++;
    OC_TRY(spend(x, (int64_t)f->body.n_input + f->body.n_output + f->body.n_initializer +
                        f->body.n_sparse + f->n_attr_name + f->n_attr_default + CALL_WORK));
    OC_TRY(oc_frame_new(&x->names, caller, n, f, local, &frame));
    OC_TRY(copy_initializers(x, frame, &f->body, out));
    OC_TRY(copy_nodes(x, frame, &f->body, out));
    OC_TRY(add_identities(x, frame, out));
    x->n_calls--;
    return OC_OK;
}

static const oc_function *ask(inliner *x, const oc_frame *f, const oc_node *n)
{
    return x->source->body_of(x->source->ctx, n, opset_of(x, f, n), &x->types);
}

/* What the source has for a node of a body, asked with inputs and attributes as they are in this
 * call of it: the library may look at which are given, and at values. */
static const oc_function *ask_within(inliner *x, oc_frame *f, const oc_node *n)
{
    oc_renamer *r = &x->names;
    oc_name *in = oc_arena_array(r->scratch, (size_t)n->n_in, sizeof *in);
    oc_attr *attr = oc_arena_array(r->scratch, (size_t)n->n_attr, sizeof *attr);
    oc_node call = *n;
    if (oc_renamer_check(r) != OC_OK)
        return NULL;
    for (int i = 0; i < n->n_in; i++)
        in[i] = oc_frame_value(r, f, n->in[i]);
    call.in = in;
    call.attr = attr;
    call.n_attr = 0;
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *value;
        oc_frame *owner;
        if (oc_frame_attr(r, f, &n->attr[i], &value, &owner) != OC_OK)
            return NULL;
        if (!value)
            continue;
        attr[call.n_attr] = *value;
        attr[call.n_attr++].name = n->attr[i].name;
    }
    return oc_renamer_check(r) == OC_OK ? ask(x, f, &call) : NULL;
}

/* A call's function: one of the model's own, where the caller may know them, or what body_of gives.
 * NULL: the node stays. */
static const oc_function *find_callee(inliner *x, oc_frame *f, const oc_node *n, bool *local)
{
    const int i = f->local ? oc_opkey_map_get(&x->functions, oc_opkey_of_call(n)) : -1;
    *local = i >= 0;
    if (*local)
        return &x->names.from->function[i];
    if (!x->source->body_of)
        return NULL;
    return f->function || f->outer ? ask_within(x, f, n) : ask(x, f, n);
}

/* Does the node stand for a graph attribute of the body's function? */
static bool is_graph_call(const oc_frame *f, const oc_node *n)
{
    return f->function && !f->local && strcmp(n->domain, "attribute") == 0;
}

/* The nodes of the graph attribute that n names, between Identity nodes that bind its ports. */
static oc_status inline_graph(inliner *x, oc_frame *f, const oc_node *n, oc_graph *out)
{
    oc_renamer *r = &x->names;
    const oc_attr wanted = {.name = n->op_type, .kind = OC_ATTR_GRAPH, .ref = n->op_type};
    const oc_attr *value;
    oc_frame *owner, *inner;
    OC_TRY(oc_frame_attr(r, f, &wanted, &value, &owner));
    if (!value || !oc_attr_n_graphs(value))
        return oc_error_set(x->e, OC_MODEL, "%s: graph attribute '%s' is missing",
                            oc_frame_label(r, f->caller, f->call), n->op_type);
    const oc_graph *g = value->u.g[0];
    if (g->n_input != n->n_in || g->n_output != n->n_out)
        return oc_error_set(x->e, OC_MODEL,
                            "%s: graph attribute '%s' has %d inputs and %d outputs, expected %d "
                            "and %d",
                            oc_frame_label(r, f->caller, f->call), n->op_type, g->n_input,
                            g->n_output, n->n_in, n->n_out);
    OC_TRY(spend(x, (int64_t)g->n_input + g->n_output + g->n_initializer + g->n_sparse));
    OC_TRY(oc_frame_of_graph(r, f, owner, g, &inner));
    for (int i = 0; i < g->n_input; i++)
        OC_TRY(add_identity(x, f, oc_frame_value(r, f, n->in[i]),
                            oc_frame_value(r, inner, g->input[i].name), out));
    OC_TRY(copy_initializers(x, inner, g, out));
    OC_TRY(copy_nodes(x, inner, g, out));
    for (int i = 0; i < g->n_output; i++)
        OC_TRY(add_identity(x, f, oc_frame_value(r, inner, g->output[i].name),
                            oc_frame_value(r, f, n->out[i]), out));
    return OC_OK;
}

static oc_status copy_nodes(inliner *x, oc_frame *f, const oc_graph *g, oc_graph *out)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        bool local;
        if (is_graph_call(f, n)) {
            OC_TRY(inline_graph(x, f, n, out));
            continue;
        }
        const oc_function *callee = find_callee(x, f, n, &local);
        if (x->e->code != OC_OK)
            return x->e->code; /* the source has a body that is wrong */
        OC_TRY(spend(x, (int64_t)n->n_in + n->n_out + n->n_attr + 1));
        OC_TRY(callee ? inline_call(x, f, n, callee, local, out) : copy_node(x, f, n, out));
    }
    return OC_OK;
}

/* ---- graphs ---- */

/* In bodies declared shapes go: their symbols are the function's, not the model's. */
static oc_value_info *copy_infos(inliner *x, oc_frame *f, const oc_value_info *info, int n)
{
    oc_value_info *list = oc_arena_array(&x->to->arena, (size_t)n, sizeof *list);
    for (int i = 0; list && i < n; i++) {
        list[i] = info[i];
        list[i].name = oc_frame_value(&x->names, f, info[i].name);
        if (!list[i].name)
            return NULL; /* the renamer remembers */
        oc_types_put(&x->types, list[i].name, oc_known_from(&info[i].type));
        if (f->function && list[i].type.rank > 0) {
            list[i].type.rank = -1;
            list[i].type.dims = NULL;
        }
    }
    return list;
}

/* What the inputs of a graph within a loop are where it does not declare them: those that the
 * operator gives first are counters and conditions, the others values that the node has too. */
static void note_inputs(inliner *x, const oc_node *n, const oc_graph *g)
{
    const bool loop = strcmp(n->op_type, "Loop") == 0;
    if (*n->domain || (!loop && strcmp(n->op_type, "Scan") != 0))
        return;
    const int skipped = g->n_input - n->n_in; /* Scan-8 has the lengths first */
    for (int i = 0; i < g->n_input; i++) {
        const int from = loop ? i : i - skipped;
        const bool declared = g->input[i].type.kind != OC_TYPE_NONE;
        if (!declared && from >= 0 && from < n->n_in)
            oc_types_put(&x->types, g->input[i].name, oc_types_get(&x->types, n->in[from]));
    }
}

/* n: the node, already renamed, that the graph is an attribute of; NULL: the main graph. */
static oc_status copy_graph(inliner *x, oc_frame *f, const oc_node *n, const oc_graph *g,
                            oc_graph *out)
{
    if (x->depth > OC_MAX_NESTING)
        return oc_error_set(x->e, OC_LIMIT, "graph '%s': graphs are nested deeper than %d", g->name,
                            OC_MAX_NESTING);
    OC_TRY(spend(x, (int64_t)g->n_input + g->n_output + g->n_initializer + g->n_sparse + 1));
    x->depth++;
    *out = (oc_graph){.name = oc_frame_text(&x->names, f, g->name),
                      .doc = g->doc,
                      .n_input = g->n_input,
                      .n_output = g->n_output,
                      .metadata = g->metadata};
    out->input = copy_infos(x, f, g->input, g->n_input);
    out->output = copy_infos(x, f, g->output, g->n_output);
    if (!f->function) { /* what is said of a body's values helps nobody once it is expanded */
        out->value = g->value;
        out->n_value = g->n_value;
        out->quantization = g->quantization;
        out->n_quantization = g->n_quantization;
        for (int i = 0; i < g->n_value; i++)
            oc_types_put(&x->types, g->value[i].name, oc_known_from(&g->value[i].type));
    }
    OC_TRY(oc_renamer_check(&x->names));
    if (n)
        note_inputs(x, n, out);
    OC_TRY(copy_initializers(x, f, g, out));
    OC_TRY(copy_nodes(x, f, g, out));
    x->depth--;
    return OC_OK;
}

/* ---- the model ---- */

static oc_status copy_model(inliner *x, const oc_model *m)
{
    oc_model *to = x->to;
    to->ir_version = m->ir_version;
    to->model_version = m->model_version;
    to->producer_name = m->producer_name;
    to->producer_version = m->producer_version;
    to->domain = m->domain;
    to->doc = m->doc;
    to->metadata = m->metadata;
    for (int i = 0; i < m->opsets.n; i++) {
        oc_opset *o = OC_PUSH(&to->arena, to->opsets.item, to->opsets.n);
        OC_TRY(oc_arena_check(&to->arena, x->e));
        *o = m->opsets.item[i];
    }
    for (int i = 0; i < m->n_function; i++)
        if (!oc_opkey_map_put(&x->functions, oc_opkey_of_function(&m->function[i]), i))
            return oc_renamer_check(&x->names);
    oc_frame main_frame = {.local = true};
    return copy_graph(x, &main_frame, NULL, &m->graph, &to->graph);
}

oc_status oc_model_inline(const oc_model *m, const oc_body_source *source, oc_model **out,
                          oc_error *e)
{
    static const oc_body_source none = {.body_of = NULL};
    oc_model *to = NULL;
    OC_TRY(oc_model_new(&m->options, &to, e));
    oc_arena scratch = oc_arena_new(&to->memory);
    inliner x = {.names = oc_renamer_new(m, to, &scratch, e),
                 .to = to,
                 .source = source ? source : &none,
                 .types = oc_types_new(&scratch),
                 .functions = oc_opkey_map_new(&scratch),
                 .work = MAX_WORK,
                 .e = e};
    oc_status status =
        oc_names_share(&to->names, &m->names) ? OC_OK : oc_arena_check(&to->arena, e);
    if (status == OC_OK)
        status = copy_model(&x, m);
    oc_arena_free(&scratch);
    if (status != OC_OK)
        oc_model_free(to);
    else
        *out = to;
    return status;
}
