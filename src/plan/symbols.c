/* SPDX-License-Identifier: Apache-2.0
 * symbols.c - follows dims, and the elements of small integer tensors, as expressions of dims that
 * are not known.
 *
 * Shape rules and kernels know numbers alone. So a step is tried with many sizes for the symbols in
 * its inputs (trial.h), and each output dim becomes the simplest expression that agrees with all
 * answers (fit.h). That is evidence, which is told to who looks at a model. Where an operator only
 * moves dims or elements it is certain, and a session relies on it. */
#include "graph/declared.h"
#include "ops/kit/call_run.h"
#include "plan/ahead.h"
#include "plan/trial.h"

/* ---- what is known of a value */

static oc_symbolic *new_symbolic(const oc_planner *p, oc_kind kind, oc_type type, int rank)
{
    oc_symbolic *y = oc_arena_alloc(p->services.strings, sizeof *y);
    if (y)
        *y = (oc_symbolic){.kind = kind, .type = type, .rank = rank};
    return y;
}

static oc_symbolic *of_known(const oc_planner *p, oc_type type, const oc_dims *dims)
{
    oc_symbolic *y = new_symbolic(p, OC_TENSOR, type, dims->rank);
    for (int i = 0; y && i < y->rank; i++)
        y->dim[i] = oc_expression_of_number(p->expressions, dims->n[i]);
    return y;
}

/* The number of elements; -1: it is not known, or more than are followed. */
static int count_elements(const oc_planner *p, const oc_symbolic *y)
{
    int64_t n = 1, dim;
    if (!y || y->kind != OC_TENSOR)
        return -1;
    for (int i = 0; i < y->rank; i++)
        if (!oc_expression_is_number(p->expressions, y->dim[i], &dim) || dim < 0 ||
            dim > OC_TRIAL_ENTRIES || (n *= dim) > OC_TRIAL_ENTRIES)
            return -1;
    return (int)n;
}

/* Gives the tensor room for the handles of its elements; false: they are not followed. */
static bool has_room(const oc_planner *p, oc_symbolic *y)
{
    const int n = count_elements(p, y);
    if (n >= 0)
        y->element = oc_arena_array(p->services.strings, (size_t)n, sizeof *y->element);
    if (n < 0 || !y->element)
        return false;
    y->n = n;
    return true;
}

static oc_slot *slot_at(const oc_walk *w, int place)
{
    return oc_place_is_slot(place) ? &w->g->slot[place] : NULL;
}

void oc_plan_declare_symbols(oc_planner *p, oc_slot *slot, const oc_type_info *t,
                             const oc_port *given)
{
    const oc_kind kind = given ? given->kind : oc_declared_kind(t);
    while (kind != OC_TENSOR && t->item)
        t = t->item;
    const oc_type type = given ? given->type : t->type;
    const int rank = given && kind == OC_TENSOR ? given->rank : t->rank;
    if (!p->expressions || slot->has_shape || t->kind != OC_TYPE_TENSOR || !type || rank < 0 ||
        rank > OC_MAX_RANK)
        return;
    oc_symbolic *y = slot->symbolic = new_symbolic(p, kind, type, rank);
    for (int i = 0; y && i < rank; i++) {
        const int64_t n = given && kind == OC_TENSOR ? given->dim[i] : t->dims[i].n;
        const oc_name name = p->listener && rank == t->rank ? t->dims[i].symbol : "";
        y->dim[i] = n >= 0 ? oc_expression_of_number(p->expressions, n)
                           : oc_expression_of_name(p->expressions, name);
    }
}

/* ---- the inputs of a trial */

/* An input whose rank is not known has any. */
static bool assume_rank(oc_trial *t, int i, oc_known_type type)
{
    oc_symbolic *y = new_symbolic(t->w->p, type.kind, type.type, OC_ASSUMED_RANK);
    for (int a = 0; y && a < y->rank; a++)
        y->dim[a] = oc_expression_of_name(t->x, "");
    if (y)
        y->any_rank = true;
    t->in[i] = y;
    return y != NULL;
}

/* Elements that the shape rule reads, and that nobody knows, are each a size of its own. */
static bool name_elements(const oc_trial *t, oc_slot *slot)
{
    const oc_planner *p = t->w->p;
    oc_symbolic *y = slot->symbolic =
        slot->symbolic ? slot->symbolic : of_known(p, slot->value.type, &slot->value.dims);
    if (!y || y->type == OC_STRING || !has_room(p, y))
        return false;
    for (int i = 0; i < y->n; i++)
        y->element[i] = oc_expression_of_name(p->expressions, "");
    return true;
}

/* false: not even its rank is known, or the shape rule would read elements that are not there. */
static bool view_input(oc_trial *t, int i)
{
    const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
    oc_slot *slot = slot_at(t->w, t->s->in[i]);
    const oc_value *v = t->given[i] = t->w->in[i];
    t->in[i] = NULL;
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

/* Does the operator move dims or elements, and does it read such as are followed? */
static bool may_move(const oc_walk *w, const oc_step *s)
{
    const oc_traits *traits = oc_step_traits(s);
    bool follows = false;
    for (int i = 0; i < s->op.n_in && traits && (traits->moves || traits->gives_dims); i++) {
        const oc_slot *slot = slot_at(w, s->in[i]);
        follows |= slot && slot->symbolic && (slot->symbolic->element || traits->gives_dims);
    }
    return follows;
}

/* Does the step only move dims or elements, such as are followed? */
static bool only_moves(oc_trial *t)
{
    const oc_traits *traits = oc_step_traits(t->s);
    const oc_call c = oc_step_call(t->s, t->w->in, NULL, &t->w->p->services);
    oc_moves m = {.inputs = 1};
    if (!may_move(t->w, t->s) || t->s->op.n_in > 63)
        return false;
    if (traits->moves)
        traits->moves(&c, &m);
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_slot *slot = slot_at(t->w, t->s->in[i]);
        const oc_value *v = t->given[i] = t->w->in[i];
        const bool moved = m.inputs >> i & 1 || (m.fill && m.fill == i);
        t->in[i] = slot && v && !v->data ? slot->symbolic : NULL;
        if (v && !v->data && !(moved && t->in[i] && (t->in[i]->element || traits->gives_dims)))
            return false;
    }
    return m.inputs && !m.largest;
}

/* ---- elements */

/* Does the step read nothing but dims, and elements that are followed or known? */
static bool has_elements(const oc_trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
        const bool known = t->in[i] ? t->in[i]->element && oc_trial_follows(t->in[i]->type)
                                    : t->w->in[i] && t->w->in[i]->data;
        if (t->w->in[i] && !port->dims_only && !known)
            return false;
    }
    return oc_ahead_may(t->s);
}

/* Are all outputs tensors of few integers, as far as is known? Outputs whose dims are numbers get
 * these as expressions. */
static bool gives_few(const oc_trial *t)
{
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = slot_at(t->w, t->s->out[k]);
        if (slot && slot->has_shape && slot->value.kind == OC_TENSOR && !slot->symbolic)
            slot->symbolic = of_known(t->w->p, slot->value.type, &slot->value.dims);
        if (slot && !(slot->symbolic && oc_trial_follows(slot->symbolic->type) &&
                      count_elements(t->w->p, slot->symbolic) >= 0))
            return false;
    }
    return true;
}

/* The elements as numbers; false: some are not. */
static bool find_numbers(const oc_planner *p, const oc_symbolic *y, const oc_dims *dims,
                         oc_value *v)
{
    int64_t n;
    for (int i = 0; i < y->n; i++)
        if (!oc_expression_is_number(p->expressions, y->element[i], &n))
            return false;
    void *data = oc_arena_array(&p->plan->arena, (size_t)y->n, oc_type_size(y->type));
    for (int i = 0; data && i < y->n; i++) {
        oc_expression_is_number(p->expressions, y->element[i], &n);
        oc_convert((char *)data + (size_t)i * oc_type_size(y->type), y->type, &n, OC_I64, 1, false);
    }
    *v = oc_value_borrow(y->type, *dims, data);
    return data != NULL;
}

/* Output k has the elements that the trial has found; false: not all of them are numbers. */
static bool keep_elements(oc_trial *t, int k, bool sure)
{
    oc_slot *slot = slot_at(t->w, t->s->out[k]);
    oc_value v;
    oc_symbolic *y = slot ? of_known(t->w->p, t->type[k], &t->dims[k]) : NULL;
    if (!y || t->n_entry[k] < 0 || !has_room(t->w->p, y))
        return !slot;
    for (int i = 0; i < y->n; i++)
        y->element[i] = oc_trial_entry(t, k, i);
    slot->symbolic = y;
    if (!sure || !find_numbers(t->w->p, y, &t->dims[k], &v))
        return false;
    slot->value = v;
    slot->has_shape = true;
    slot->symbolic = NULL;
    return true;
}

/* sure: the step only moves what is followed. */
static oc_status follow_elements(oc_trial *t, bool sure)
{
    OC_TRY(oc_trial_run(t, oc_call_run, sure));
    t->w->is_found = sure && t->n > 0;
    for (int k = 0; k < t->s->op.n_out && t->n; k++)
        t->w->is_found &= keep_elements(t, k, sure);
    return OC_OK;
}

/* ---- dims */

/* An outline tells dims of lists as those of tensors: which of both an output is, its types tell.
 * Inputs whose type is not known are tried as floats, which tells nothing of an output's. */
static oc_known_type type_of_output(const oc_trial *t, int k)
{
    const oc_sig_set *set = &oc_sig_port_at(t->s->op.sig->out, t->s->op.sig->n_out, k)->set;
    const oc_known_type known = oc_type_get(&t->w->g->types, t->s->node->out[k]);
    bool typed = true;
    for (int i = 0; i < t->s->op.n_in; i++)
        typed &= !t->in[i] || t->in[i]->type;
    return oc_type_is_known(known) ? known
                                   : (oc_known_type){set->tensor     ? OC_TENSOR
                                                     : set->sequence ? OC_SEQUENCE
                                                                     : OC_OPTIONAL,
                                                     typed ? t->type[k] : OC_UNDEFINED};
}

static oc_status follow_dims(oc_trial *t)
{
    OC_TRY(oc_trial_run(t, t->s->op.version->shape ? oc_call_plan : oc_trial_outline, false));
    for (int k = 0; k < t->s->op.n_out && t->n; k++) {
        oc_slot *slot = slot_at(t->w, t->s->out[k]);
        const oc_known_type type = type_of_output(t, k);
        if (slot && t->n_entry[k] >= 0)
            slot->symbolic = new_symbolic(t->w->p, type.kind, type.type, t->n_entry[k]);
        for (int i = 0; slot && slot->symbolic && i < slot->symbolic->rank; i++)
            slot->symbolic->dim[i] = oc_trial_entry(t, k, i);
    }
    return OC_OK;
}

/* Who looks at a model hears of channels that fit for no size of the other dims. */
static oc_status check_channels(oc_trial *t)
{
    const oc_traits *traits = oc_step_traits(t->s);
    if (!traits || !traits->outline || !t->s->op.version->shape)
        return OC_OK;
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_symbolic *y = t->in[i];
        oc_value *v = &t->value[i];
        if (!y)
            continue;
        *v = (oc_value){.type = y->type, .dims.rank = y->any_rank ? -1 : y->rank};
        for (int a = 0; a < v->dims.rank; a++)
            if (!oc_expression_is_number(t->x, y->dim[a], &v->dims.n[a]))
                v->dims.n[a] = -1;
        t->given[i] = v;
    }
    oc_call c = oc_step_call(t->s, t->given, t->out, &t->w->p->services);
    return traits->outline(&c);
}

/* ---- steps */

static oc_status follow(oc_trial *t)
{
    OC_TRY(oc_trial_begin(t));
    if (only_moves(t))
        OC_TRY(follow_elements(t, true));
    if (!t->w->p->listener || t->n)
        return OC_OK;
    for (int i = 0; i < t->s->op.n_in; i++)
        if (!view_input(t, i))
            return OC_OK;
    if (!t->w->has_run) {
        OC_TRY(check_channels(t));
        OC_TRY(follow_dims(t));
    }
    return t->s->op.version->shape && has_elements(t) && gives_few(t) ? follow_elements(t, false)
                                                                      : OC_OK;
}

OC_STEP_PASS(oc_plan_follow_symbols)
{
    const oc_traits *traits = oc_step_traits(s);
    w->is_found = false;
    if (!w->p->expressions || s->op.hosts || s->op.n_out > OC_TRIAL_OUTPUTS ||
        (w->has_run && w->has_values))
        return OC_OK;
    if (w->p->listener ? !s->op.version->shape && !(traits && traits->outline) : !may_move(w, s))
        return OC_OK;
    oc_trial t = {
        .w = w, .s = s, .x = w->p->expressions, .scratch = oc_arena_new(&w->p->plan->memory)};
    const oc_status status = follow(&t);
    oc_arena_free(&t.scratch);
    OC_TRY(status);
    return oc_arena_check(w->p->services.strings, w->p->e);
}
