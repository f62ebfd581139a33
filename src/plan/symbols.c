/* SPDX-License-Identifier: Apache-2.0
 * symbols.c - follows dims, and the elements of small integer tensors, as expressions of dims that
 * are not known.
 *
 * Shape rules and kernels know numbers alone. So a step is tried with many sizes for the symbols in
 * its inputs (trial.h), and each output dim becomes the simplest expression that agrees with all
 * answers (fit.h). Where an operator only moves elements, its kernel moves the handles of their
 * expressions, and the result is certain (symbol_elements.c). */
#include "graph/declared.h"
#include "ops/kit/call_run.h"
#include "plan/trial.h"

enum { MOST_RANK = 4 /* that an input is tried with whose rank is not known */ };

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
    oc_symbolic *y = slot->symbolic = oc_symbolic_new(p, kind, type, rank);
    for (int i = 0; y && i < rank; i++) {
        const int64_t n = given && kind == OC_TENSOR ? given->dim[i] : t->dims[i].n;
        const oc_name name = p->listener && rank == t->rank ? t->dims[i].symbol : "";
        y->dim[i] = n >= 0 ? oc_expression_of_number(p->expressions, n)
                           : oc_expression_of_name(p->expressions, name);
    }
}

/* What two assumptions have in common; NULL: not even the rank. */
static oc_symbolic *shared(const oc_trial *t, const oc_symbolic *a, oc_symbolic *b)
{
    if (!a || !b || a->rank != b->rank)
        return NULL;
    for (int i = 0; i < b->rank; i++)
        b->dim[i] = a->dim[i] == b->dim[i] ? b->dim[i] : oc_trial_fresh(t);
    return b;
}

/* An outline tells dims of lists as those of tensors: which of both an output is, its types tell.
 * Inputs whose type is not known are tried as floats, which tells nothing of an output's. */
static oc_known_type type_of_output(const oc_trial *t, int k)
{
    const oc_sig_set *set = &oc_sig_port_at(t->s->op.sig->out, t->s->op.sig->n_out, k)->set;
    const oc_known_type known = oc_type_get(&t->w->g->types, t->s->node->out[k]);
    if (oc_type_is_known(known))
        return known;
    bool typed = true;
    for (int i = 0; i < t->s->op.n_in; i++)
        typed &= !t->in[i] || t->in[i]->type;
    return (oc_known_type){set->tensor     ? OC_TENSOR
                           : set->sequence ? OC_SEQUENCE
                                           : OC_OPTIONAL,
                           typed ? t->type[k] : OC_UNDEFINED};
}

/* first: nothing is known of the outputs yet. */
static oc_status follow_dims(oc_trial *t, bool first)
{
    oc_fit f;
    t->rule = t->s->op.version->shape ? oc_call_plan : oc_trial_outline;
    OC_TRY(oc_trial_run(t));
    if (t->n == 0)
        return OC_OK;
    oc_trial_fit(t, &f);
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = oc_trial_slot(t->w, t->s->out[k]);
        const oc_known_type type = type_of_output(t, k);
        oc_symbolic *y = slot && t->rank[k] >= 0
                             ? oc_symbolic_new(t->w->p, type.kind, type.type, t->rank[k])
                             : NULL;
        for (int i = 0; y && i < y->rank; i++)
            y->dim[i] = oc_trial_entry(t, &f, k, i);
        if (slot)
            slot->symbolic = first ? y : shared(t, slot->symbolic, y);
    }
    return OC_OK;
}

/* With each rank that inputs without one may have: what all agree on is known. */
static oc_status follow_ranks(oc_trial *t)
{
    bool seen, first = true;
    for (t->assumed = 0; t->assumed <= MOST_RANK; t->assumed++) {
        OC_TRY(oc_trial_look(t, &seen));
        if (seen)
            OC_TRY(follow_dims(t, first));
        first &= t->n == 0;
    }
    return OC_OK;
}

/* Who looks at a model hears of channels that fit for no size of the other dims. */
static oc_status check_channels(oc_trial *t)
{
    const oc_traits *traits = oc_step_traits(t->s);
    if (!traits || !traits->outline || !t->s->op.version->shape || t->w->has_run)
        return OC_OK;
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_symbolic *y = t->in[i];
        oc_value *v = &t->value[i];
        if (!y)
            continue;
        *v = (oc_value){.type = y->type, .dims.rank = y->rank, .data = v->data};
        for (int a = 0; a < y->rank; a++)
            if (!oc_expression_is_number(t->x, y->dim[a], &v->dims.n[a]))
                v->dims.n[a] = -1;
        t->given[i] = v;
    }
    oc_call c = oc_step_call(t->s, t->given, t->out, &t->w->p->services);
    return traits->outline(&c);
}

static oc_status follow(oc_trial *t)
{
    bool seen, done;
    OC_TRY(oc_trial_begin(t));
    OC_TRY(oc_plan_move_elements(t, &done));
    if (done || !t->w->p->listener)
        return OC_OK;
    OC_TRY(oc_trial_look(t, &seen));
    if (!seen)
        return OC_OK;
    if (t->assumed >= 0)
        return follow_ranks(t);
    OC_TRY(check_channels(t));
    if (!t->w->has_run)
        OC_TRY(follow_dims(t, true));
    return t->s->op.version->shape ? oc_plan_follow_elements(t) : OC_OK;
}

/* Does the step only move dims or elements, and does it read such as are followed? */
static bool may_move(const oc_walk *w, const oc_step *s)
{
    const oc_traits *traits = oc_step_traits(s);
    bool follows = false;
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_slot *slot = oc_trial_slot(w, s->in[i]);
        follows |= slot && slot->symbolic && (slot->symbolic->element || traits->gives_dims);
    }
    return follows;
}

OC_STEP_PASS(oc_plan_follow_symbols)
{
    const oc_traits *traits = oc_step_traits(s);
    w->is_found = false;
    if (!w->p->expressions || s->op.hosts || s->op.n_out > OC_TRIAL_OUTPUTS ||
        (w->has_run && w->has_values))
        return OC_OK;
    if (w->p->listener ? !s->op.version->shape && !(traits && traits->outline)
                       : !traits || !(traits->moves || traits->gives_dims) || !may_move(w, s))
        return OC_OK;
    oc_trial t = {.w = w,
                  .s = s,
                  .x = w->p->expressions,
                  .assumed = -1,
                  .scratch = oc_arena_new(&w->p->plan->memory)};
    const oc_status status = follow(&t);
    oc_arena_free(&t.scratch);
    OC_TRY(status);
    return oc_arena_check(w->p->services.strings, w->p->e);
}
