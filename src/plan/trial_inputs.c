/* SPDX-License-Identifier: Apache-2.0
 * trial_inputs.c - what is known of a step's inputs, where that is not all. */
#include "base/int.h"
#include "plan/trial.h"

bool oc_trial_follows(oc_type type)
{
    return type == OC_I64 || type == OC_I32 || type == OC_BOOL;
}

int oc_trial_fresh(const oc_trial *t)
{
    return oc_expression_of_name(t->x, "");
}

oc_symbolic *oc_symbolic_new(oc_planner *p, oc_kind kind, oc_type type, int rank)
{
    oc_symbolic *y = oc_arena_alloc(p->services.strings, sizeof *y);
    if (y)
        *y = (oc_symbolic){.kind = kind, .type = type, .rank = rank};
    return y;
}

oc_slot *oc_trial_slot(const oc_walk *w, int place)
{
    return oc_place_is_slot(place) ? &w->g->slot[place] : NULL;
}

oc_symbolic *oc_trial_of_known(const oc_trial *t, const oc_value *v)
{
    oc_symbolic *y = oc_symbolic_new(t->w->p, OC_TENSOR, v->type, v->dims.rank);
    for (int i = 0; y && i < y->rank; i++)
        y->dim[i] = oc_expression_of_number(t->x, v->dims.n[i]);
    return y;
}

/* The number of elements; -1: it is not known, or more than are followed. */
int oc_trial_count(const oc_trial *t, const oc_symbolic *y)
{
    int64_t n = 1, dim;
    if (y->kind != OC_TENSOR)
        return -1;
    for (int i = 0; i < y->rank; i++)
        if (!oc_expression_is_number(t->x, y->dim[i], &dim) || dim < 0 || dim > OC_TRIAL_ELEMENTS ||
            (n *= dim) > OC_TRIAL_ELEMENTS)
            return -1;
    return (int)n;
}

int64_t oc_trial_element(oc_type type, const void *data, int i)
{
    return type == OC_I64   ? ((const int64_t *)data)[i]
           : type == OC_I32 ? ((const int32_t *)data)[i]
                            : ((const uint8_t *)data)[i];
}

/* false: the type does not have the number. */
bool oc_trial_put(oc_type type, void *data, int i, int64_t n)
{
    oc_convert((char *)data + (size_t)i * oc_type_size(type), type, &n, OC_I64, 1, false);
    return !oc_trial_follows(type) || oc_trial_element(type, data, i) == n;
}

/* ---- the inputs of a trial */

/* An input whose elements the shape rule reads, and that nobody knows: each is a size of its own.
 * false: they are too many, or no integers. */
static bool name_elements(oc_trial *t, oc_slot *slot)
{
    if (!slot->symbolic)
        slot->symbolic = oc_trial_of_known(t, &slot->value);
    oc_symbolic *y = slot->symbolic;
    const int n = y ? oc_trial_count(t, y) : -1;
    if (n < 0 || y->type == OC_STRING)
        return false;
    y->element = oc_arena_array(t->w->p->services.strings, (size_t)n, sizeof *y->element);
    for (int i = 0; y->element && i < n; i++)
        y->element[i] = oc_trial_fresh(t);
    y->n = n;
    return y->element != NULL;
}

/* An input whose rank is not known gets the assumed one. */
static bool assume_rank(oc_trial *t, int i, oc_known_type type)
{
    oc_symbolic *y = oc_symbolic_new(t->w->p, type.kind, type.type, oc_max(t->assumed, 0));
    for (int a = 0; y && a < y->rank; a++)
        y->dim[a] = oc_trial_fresh(t);
    t->in[i] = y;
    t->assumed = oc_max(t->assumed, 0);
    return y != NULL;
}

/* false: not even its rank is known, or the shape rule would read elements that are not there. */
static bool view_input(oc_trial *t, int i)
{
    const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
    oc_slot *slot = oc_trial_slot(t->w, t->s->in[i]);
    const oc_value *v = t->given[i] = t->w->in[i];
    if (!v) /* an input that the node must have is told by the run */
        return port->optional;
    if (v->data || !slot)
        return true;
    const oc_known_type type = oc_type_get(&t->w->g->types, t->s->node->in[i]);
    if (oc_type_is_known(type) && type.kind != OC_TENSOR && !slot->symbolic) {
        t->value[i] = (oc_value){.kind = type.kind, .type = type.type, .dims.rank = -1};
        t->given[i] = &t->value[i];
        return true;
    }
    if (v->dims.rank < 0 && !slot->symbolic)
        return !t->s->op.version->shape || (!port->value && assume_rank(t, i, type));
    if (port->value && !(slot->symbolic && slot->symbolic->element) && !name_elements(t, slot))
        return false;
    t->in[i] = slot->symbolic;
    return true;
}

/* What is known of output i of the step's graph in attribute a; NULL: nothing. */
const oc_slot *oc_trial_graph_output(const oc_step *s, int a, int i)
{
    const oc_graph_plan *g = s->graph[a];
    return oc_place_is_slot(g->output[i]) ? &g->slot[g->output[i]] : NULL;
}

static void add_number(oc_trial *t, int64_t n)
{
    for (int i = 0; i < t->n_numbers; i++)
        if (t->number[i] == n)
            return;
    if (n > 1 && t->n_numbers < OC_TRIAL_NUMBERS)
        t->number[t->n_numbers++] = n;
}

static void add_handle(oc_trial *t, int handle)
{
    int64_t n;
    if (oc_expression_is_number(t->x, handle, &n))
        add_number(t, n);
    else if (!oc_expression_names(t->x, handle, t->name, &t->n_names, OC_TRIAL_NAMES))
        t->guessed = true;
}

static void note_input(oc_trial *t, int i)
{
    const oc_symbolic *y = t->in[i];
    const oc_value *v = t->given[i];
    for (int a = 0; y && a < y->rank; a++)
        add_handle(t, y->dim[a]);
    for (int k = 0; y && y->element && k < y->n; k++)
        add_handle(t, y->element[k]);
    for (int a = 0; !y && v && a < v->dims.rank; a++)
        add_number(t, v->dims.n[a]);
    if (!y && v && v->data && oc_trial_follows(v->type))
        for (int k = 0; k < oc_value_n(v) && k < OC_TRIAL_ELEMENTS; k++)
            add_number(t, oc_trial_element(v->type, v->data, k));
}

static bool view_inputs(oc_trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++)
        if (!view_input(t, i))
            return false;
    for (int i = 0; i < t->s->op.n_in; i++)
        note_input(t, i);
    for (int a = 0; a < t->s->op.sig->n_attr; a++)
        for (int i = 0; t->s->graph[a] && i < t->s->graph[a]->n_output; i++) {
            const oc_slot *slot = oc_trial_graph_output(t->s, a, i);
            for (int k = 0; slot && slot->symbolic && k < slot->symbolic->rank; k++)
                add_handle(t, slot->symbolic->dim[k]);
        }
    for (int i = 0; i < t->n_names; i++)
        t->equals[i] = i;
    return true;
}

oc_status oc_trial_begin(oc_trial *t)
{
    const size_t n_in = (size_t)t->s->op.n_in, n_out = (size_t)t->s->op.n_out;
    t->in = oc_arena_array(&t->scratch, n_in, sizeof *t->in);
    t->given = oc_arena_array(&t->scratch, n_in, sizeof *t->given);
    t->value = oc_arena_array(&t->scratch, n_in, sizeof *t->value);
    t->made = oc_arena_array(&t->scratch, n_out, sizeof *t->made);
    t->out = oc_arena_array(&t->scratch, n_out, sizeof *t->out);
    OC_TRY(oc_arena_check(&t->scratch, t->w->p->e));
    for (int k = 0; k < t->s->op.n_out; k++)
        t->out[k] = t->w->out[k] ? &t->made[k] : NULL;
    return OC_OK;
}

oc_status oc_trial_look(oc_trial *t, bool *seen)
{
    t->n_names = t->n_numbers = 0;
    t->guessed = t->single = false;
    if (!t->answer)
        t->answer =
            oc_arena_room(&t->scratch, (size_t)t->s->op.n_out * sizeof *t->answer, OC_ALIGN);
    OC_TRY(oc_arena_check(&t->scratch, t->w->p->e));
    *seen = view_inputs(t);
    for (int i = 0; i < t->s->op.n_in && *seen; i++)
        if (t->in[i] && t->in[i]->element)
            t->value[i].data = oc_arena_array(&t->scratch, (size_t)t->in[i]->n, 16);
    return oc_arena_check(&t->scratch, t->w->p->e);
}
