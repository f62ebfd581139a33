/* SPDX-License-Identifier: Apache-2.0
 * walk_steps.c - takes the steps through the passes over steps, from the first step to the last:
 * what one step gives is known when the next is looked at. In graphs within a node a captured value
 * is known as it is in the graph around. */
#include "graph/declared.h"
#include "plan/ahead.h"
#include "plan/passes.h"

enum { LITTLE = 4096 }; /* elements of larger values are not kept after the walk */

/* ---- what is known */

static void know_declared(oc_slot *slot, const oc_type_info *t)
{
    if (t->kind != OC_TYPE_TENSOR || t->rank < 0 || t->rank > OC_MAX_RANK)
        return;
    slot->has_shape = true;
    slot->value = (oc_value){.type = t->type, .dims.rank = t->rank};
    for (int i = 0; i < t->rank; i++) {
        slot->value.dims.n[i] = t->dims[i].n;
        slot->has_shape &= t->dims[i].n >= 0;
    }
}

/* Dims that no value can have count as unknown. */
static void know_port(oc_slot *slot, const oc_port *p)
{
    int64_t count;
    size_t bytes;
    slot->has_shape = p->kind == OC_TENSOR && p->rank >= 0;
    slot->value = (oc_value){.type = p->type, .dims.rank = slot->has_shape ? p->rank : 0};
    for (int i = 0; i < slot->value.dims.rank; i++)
        slot->value.dims.n[i] = p->dim[i];
    slot->has_shape =
        slot->has_shape && oc_dims_bytes(&slot->value.dims, oc_type_size(p->type), &count, &bytes);
}

bool oc_plan_may_differ(const oc_plan *plan, const oc_graph_plan *g, int input)
{
    const int place = plan->fallback[input];
    return place != OC_NOWHERE &&
           !oc_declared_fits(&g->graph->input[input].type, &plan->constant[oc_constant_at(place)]);
}

static void know_inputs(const oc_walk *w)
{
    const oc_port *given = w->p->inputs;
    for (int i = 0; i < w->g->n_input; i++) {
        oc_slot *slot = &w->g->slot[w->g->input[i]];
        if (oc_plan_may_differ(w->p->plan, w->g, i))
            continue;
        if (given)
            know_port(slot, &given[i]);
        else
            know_declared(slot, &w->g->graph->input[i].type);
        oc_plan_declare_symbols(w->p, slot, &w->g->graph->input[i].type, given ? &given[i] : NULL);
    }
}

static void know_captures(const oc_graph_plan *g)
{
    for (int i = 0; i < g->n_capture; i++) {
        const oc_slot *from = &g->outer->slot[g->capture[i].outer];
        oc_slot *to = &g->slot[g->capture[i].inner];
        to->has_shape = from->has_shape;
        to->value = oc_value_ref(&from->value);
        to->symbolic = from->symbolic;
    }
}

const oc_value *oc_walk_known(const oc_walk *w, int place)
{
    static const oc_value unknown = {.dims.rank = -1};
    if (oc_place_is_constant(place))
        return &w->p->plan->constant[oc_constant_at(place)];
    if (!oc_place_is_slot(place))
        return NULL;
    return w->g->slot[place].has_shape ? &w->g->slot[place].value : &unknown;
}

oc_status oc_plan_find_inputs(oc_walk *w, oc_step *s)
{
    w->has_shapes = w->has_values = true;
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
        const oc_value *v = w->in[i] = oc_walk_known(w, s->in[i]);
        w->has_shapes &= !v || (v->dims.rank >= 0 && (!port->value || v->data));
        w->has_values &= !v || v->data || (port->dims_only && v->dims.rank >= 0);
    }
    for (int i = 0; i < s->op.n_out; i++)
        w->out[i] = oc_place_is_slot(s->out[i]) ? &w->g->slot[s->out[i]].value : NULL;
    w->has_run = false;
    return OC_OK;
}

bool oc_walk_is_weight(const oc_walk *w, const oc_step *s)
{
    return !w->p->options->no_fusion && s->op.n_out == 1 && oc_place_is_slot(s->out[0]) &&
           w->g->slot[s->out[0]].feeds_prepare;
}

/* Notes from which values the step will prepare, as far as it alone reads them. What it makes of
 * constants takes about as many bytes as they have. */
static void note_weights(const oc_walk *w, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in && s->op.version->prepare; i++) {
        if (!oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->prepared)
            continue;
        if (oc_place_is_constant(s->in[i]))
            oc_arena_expect(&w->p->plan->arena, oc_value_bytes(oc_walk_known(w, s->in[i])));
        else if (oc_place_is_slot(s->in[i]) && w->g->slot[s->in[i]].n_readers == 1)
            w->g->slot[s->in[i]].feeds_prepare = true;
    }
}

/* ---- steps */

static oc_status walk_step(oc_walk *w, oc_step *s)
{
    for (const oc_step_pass *pass = oc_step_passes; pass->name; pass++)
        OC_TRY(pass->run(w, s));
    return OC_OK;
}

static void forget_outputs(const oc_walk *w, const oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i])) {
            oc_value_unref(&w->g->slot[s->out[i]].value);
            w->g->slot[s->out[i]].has_shape = false;
            w->g->slot[s->out[i]].symbolic = NULL;
        }
}

/* What a listener hears of does not end the walk. A step of a graph within a node may never run:
 * one at fault is left to the runs that reach it. */
static oc_status survive(const oc_walk *w, const oc_step *s, oc_status status)
{
    if (status == OC_OK || oc_ahead_ends(status))
        return status;
    forget_outputs(w, s);
    if (!w->g->outer)
        return oc_plan_fault(w->p, status);
    *w->p->e = (oc_error){.code = OC_OK};
    return OC_OK;
}

static oc_status walk_graph(oc_planner *p, oc_graph_plan *g);

/* Walks the graphs of the step's attributes, which may tell what the step gives. */
static oc_status walk_within(const oc_walk *w, const oc_step *s)
{
    for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
        if (s->graph[a])
            OC_TRY(walk_graph(w->p, s->graph[a]));
    return OC_OK;
}

static oc_status walk_steps(oc_walk *w)
{
    for (oc_step *s = w->g->first; s; s = s->after) {
        OC_TRY(walk_within(w, s));
        if (s->op.version)
            OC_TRY(survive(w, s, walk_step(w, s)));
    }
    return OC_OK;
}

/* ---- graphs */

/* The dims of a slot as numbers, -1 where they are none, and their texts. */
static oc_dims dims_of(const oc_planner *p, const oc_slot *slot, const char *text[OC_MAX_RANK])
{
    const oc_symbolic *y = slot->symbolic;
    oc_dims d = slot->has_shape ? slot->value.dims : (oc_dims){.rank = y ? y->rank : -1};
    for (int i = 0; i < d.rank && !slot->has_shape; i++)
        if (!oc_expression_is_number(p->expressions, y->dim[i], &d.n[i])) {
            d.n[i] = -1;
            text[i] = oc_expression_text(p->expressions, y->dim[i]);
        }
    return d;
}

/* Tells the listener what is known of the outputs of the steps. */
static void tell_values(const oc_walk *w)
{
    const oc_listener *listener = w->p->listener;
    for (const oc_step *s = w->g->first; s; s = s->after)
        for (int k = 0; k < s->node->n_out; k++) {
            const oc_name name = s->node->out[k];
            const char *text[OC_MAX_RANK] = {NULL};
            const oc_known_type type = oc_type_get(&w->g->types, name);
            oc_value v = {.kind = type.kind, .type = type.type, .dims.rank = -1};
            const bool has_slot = s->op.version && k < s->op.n_out && oc_place_is_slot(s->out[k]);
            const oc_slot *slot = has_slot ? &w->g->slot[s->out[k]] : NULL;
            const oc_dims dims = slot ? dims_of(w->p, slot, text) : v.dims;
            if (dims.rank >= 0)
                v = (oc_value){.kind = slot->has_shape ? slot->value.kind : slot->symbolic->kind,
                               .type = slot->has_shape ? slot->value.type : slot->symbolic->type,
                               .dims = dims};
            if (*name)
                listener->value(listener->ctx, name, &v, text);
        }
}

/* Frees the elements of known values, except those on which dims may depend. */
static void forget_elements(const oc_graph_plan *g)
{
    for (int i = 0; i < g->n_slot; i++) {
        oc_value *v = &g->slot[i].value;
        const oc_value dims = {.kind = v->kind, .type = v->type, .dims = v->dims};
        if (!v->data || (v->kind == OC_TENSOR && oc_value_bytes(v) <= LITTLE))
            continue;
        oc_value_unref(v);
        *v = dims;
    }
}

static oc_status walk_graph(oc_planner *p, oc_graph_plan *g)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    oc_walk w = {.p = p, .g = g};
    w.in = oc_arena_array(&scratch, (size_t)g->max_in, sizeof *w.in);
    w.out = oc_arena_array(&scratch, (size_t)g->max_out, sizeof *w.out);
    oc_status status = oc_arena_check(&scratch, p->e);
    if (status == OC_OK) {
        if (g->outer)
            know_captures(g);
        for (int i = 0; g->outer && p->listener && i < g->n_input; i++)
            oc_plan_declare_symbols(p, &g->slot[g->input[i]], &g->graph->input[i].type, NULL);
        if (!g->outer)
            know_inputs(&w);
        for (const oc_step *s = g->first; s && !p->listener; s = s->after)
            note_weights(&w, s);
        status = walk_steps(&w);
        if (status == OC_OK && p->listener && p->listener->value && !g->outer)
            tell_values(&w);
        forget_elements(g);
    }
    oc_arena_free(&scratch);
    return status;
}

/* Who listens hears of all dims that follow. A session asks only where some dims of an input are
 * declared and others are not. */
static bool follows_symbols(const oc_planner *p, const oc_graph_plan *g)
{
    bool follows = p->listener != NULL;
    for (int i = 0; i < g->n_input; i++) {
        const oc_type_info *t = &g->graph->input[i].type;
        bool known = false, open = false;
        for (int a = 0; t->kind == OC_TYPE_TENSOR && a < t->rank; a++) {
            known |= t->dims[a].n >= 0;
            open |= t->dims[a].n < 0;
        }
        follows |= known && open;
    }
    return follows;
}

OC_PASS(oc_plan_walk)
{
    p->fold_room = oc_plan_fold_room(p);
    if (follows_symbols(p, g)) {
        p->expressions = oc_arena_alloc(p->services.strings, sizeof *p->expressions);
        OC_TRY(oc_arena_check(p->services.strings, p->e));
        oc_expressions_begin(p->expressions, p->services.strings);
    }
    return walk_graph(p, g);
}
