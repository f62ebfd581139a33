/* SPDX-License-Identifier: Apache-2.0
 * symbol_elements.c - follows the elements of small integer tensors. */
#include "ops/kit/call_run.h"
#include "plan/ahead.h"
#include "plan/trial.h"

/* The handles of an input's elements, which few integers are; NULL: they are not followed. */
static const int *handles_of(const oc_trial *t, int i, int *n)
{
    const oc_value *v = t->w->in[i];
    const oc_symbolic *y = t->in[i];
    *n = y ? y->n : 0;
    if (y || !v || !v->data || !oc_trial_follows(v->type) || oc_value_n(v) > OC_TRIAL_ELEMENTS)
        return y && oc_trial_follows(y->type) ? y->element : NULL;
    *n = (int)oc_value_n(v);
    int *handle = oc_arena_array(t->w->p->services.strings, (size_t)*n, sizeof *handle);
    for (int k = 0; handle && k < *n; k++)
        handle[k] = oc_expression_of_number(t->x, oc_trial_element(v->type, v->data, k));
    return handle;
}

/* Input i is a tensor of the handles of its elements. */
static bool fill_handles(oc_trial *t, int i)
{
    int n;
    const int *handle = handles_of(t, i, &n);
    const oc_symbolic *y = t->in[i];
    int64_t *data = oc_arena_array(&t->scratch, (size_t)n, sizeof *data);
    if (!handle || !data)
        return false;
    oc_dims dims = y ? (oc_dims){.rank = y->rank} : t->w->in[i]->dims;
    for (int a = 0; y && a < y->rank; a++)
        if (!oc_expression_is_number(t->x, y->dim[a], &dims.n[a]))
            return false;
    for (int k = 0; k < n; k++)
        data[k] = handle[k];
    t->value[i] = oc_value_borrow(OC_I64, dims, data);
    t->given[i] = &t->value[i];
    return true;
}

/* Input i without elements has handles for dims. */
static bool fill_dims(oc_trial *t, int i)
{
    const oc_slot *slot = oc_trial_slot(t->w, t->s->in[i]);
    const oc_symbolic *y = slot ? slot->symbolic : NULL;
    if (!y || y->kind != OC_TENSOR)
        return false;
    t->value[i] = (oc_value){.type = y->type, .dims.rank = y->rank};
    for (int a = 0; a < y->rank; a++)
        t->value[i].dims.n[a] = y->dim[a];
    t->given[i] = &t->value[i];
    return true;
}

/* Can the operator move handles? Then these stand for the dims or elements that it moves, and the
 * others are known. */
static bool fill_moved(oc_trial *t, oc_type *type)
{
    const oc_traits *traits = oc_step_traits(t->s);
    const oc_call c = oc_step_call(t->s, t->w->in, NULL, &t->w->p->services);
    oc_moves m = {0};
    *type = OC_I64;
    if (traits && traits->gives_dims)
        return fill_dims(t, 0);
    if (!traits || !traits->moves || t->s->op.n_in > 63)
        return false;
    traits->moves(&c, &m);
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_slot *slot = oc_trial_slot(t->w, t->s->in[i]);
        const bool moved = m.inputs >> i & 1 || (m.fill && m.fill == i);
        t->given[i] = t->w->in[i];
        t->in[i] = slot && t->given[i] && !t->given[i]->data ? slot->symbolic : NULL;
        if (t->given[i] && (moved ? !fill_handles(t, i) : !t->given[i]->data))
            return false;
        if (m.inputs >> i & 1)
            *type = t->in[i] ? t->in[i]->type : t->w->in[i]->type;
    }
    return m.inputs && !m.largest;
}

/* Is it known on which elements the run would work? */
static bool has_elements(const oc_trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
        const bool known = t->in[i] ? t->in[i]->element && oc_trial_follows(t->in[i]->type)
                                    : t->w->in[i] && t->w->in[i]->data;
        if (t->w->in[i] && !port->dims_only && !known)
            return false;
    }
    return oc_ahead_may(t->s) && t->s->op.n_out == 1;
}

static oc_status compute_elements(oc_trial *t, bool *done)
{
    oc_fit f;
    oc_symbolic *y = t->w->g->slot[t->s->out[0]].symbolic;
    t->rule = oc_call_run;
    OC_TRY(oc_trial_run(t));
    *done = t->n > 0 && t->rank[0] == y->n;
    if (*done)
        oc_trial_fit(t, &f);
    for (int i = 0; *done && i < y->n; i++)
        y->element[i] = oc_trial_entry(t, &f, 0, i);
    return OC_OK;
}

/* Makes room for the handles of the outputs' elements; false: some output has none that are
 * followed. */
static bool room_for_elements(oc_trial *t)
{
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = oc_trial_slot(t->w, t->s->out[k]);
        if (slot && slot->has_shape && !slot->symbolic && slot->value.kind == OC_TENSOR)
            slot->symbolic = oc_trial_of_known(t, &slot->value);
        if (!slot)
            continue;
        oc_symbolic *y = slot->symbolic;
        const int n = y && oc_trial_follows(y->type) ? oc_trial_count(t, y) : -1;
        if (n < 0)
            return false;
        y->element = oc_arena_array(t->w->p->services.strings, (size_t)n, sizeof *y->element);
        if (!y->element)
            return false;
        y->n = n;
    }
    return t->s->op.n_out > 0;
}

/* The outputs' elements as numbers; false: some are not. */
static bool find_numbers(oc_trial *t, const oc_symbolic *y, oc_value *v)
{
    int64_t n;
    oc_dims dims = {.rank = y->rank};
    for (int a = 0; a < y->rank; a++)
        oc_expression_is_number(t->x, y->dim[a], &dims.n[a]);
    for (int i = 0; i < y->n; i++)
        if (!oc_expression_is_number(t->x, y->element[i], &n))
            return false;
    void *data = oc_arena_array(&t->w->p->plan->arena, (size_t)y->n, oc_type_size(y->type));
    for (int i = 0; data && i < y->n; i++) {
        oc_expression_is_number(t->x, y->element[i], &n);
        oc_trial_put(y->type, data, i, n);
    }
    *v = oc_value_borrow(y->type, dims, data);
    return data != NULL;
}

static void settle(oc_trial *t)
{
    t->w->is_found = true;
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = oc_trial_slot(t->w, t->s->out[k]);
        oc_value v;
        const bool known = slot && find_numbers(t, slot->symbolic, &v);
        t->w->is_found &= !slot || known;
        if (!known)
            continue;
        slot->value = v;
        slot->has_shape = true;
        slot->symbolic = NULL;
    }
}

/* Output k has as elements the handles that were moved to it. */
static bool take_moved(oc_trial *t, int k, oc_type type)
{
    const oc_value *v = &t->made[k];
    oc_slot *slot = oc_trial_slot(t->w, t->s->out[k]);
    if (!slot)
        return true;
    oc_symbolic *y = oc_trial_of_known(t, v);
    const int n = y ? oc_trial_count(t, y) : -1;
    int *handle =
        n < 0 ? NULL : oc_arena_array(t->w->p->services.strings, (size_t)n, sizeof *handle);
    if (!handle)
        return false;
    for (int i = 0; i < n; i++)
        handle[i] = (int)((const int64_t *)v->data)[i];
    y->type = type;
    y->n = n;
    y->element = handle;
    slot->symbolic = y;
    return true;
}

oc_status oc_plan_move_elements(oc_trial *t, bool *done)
{
    oc_type type;
    *done = false;
    if (!fill_moved(t, &type))
        return OC_OK;
    oc_call c = oc_step_call(t->s, t->given, t->out, &t->w->p->services);
    const oc_status status = oc_ahead_call(t->w->p, &c, oc_call_run, done);
    for (int k = 0; k < t->s->op.n_out; k++) {
        *done = *done && take_moved(t, k, type);
        oc_value_unref(&t->made[k]);
    }
    if (*done)
        settle(t);
    return status;
}

oc_status oc_plan_follow_elements(oc_trial *t)
{
    bool done = false;
    if (!room_for_elements(t))
        return OC_OK;
    if (has_elements(t) && oc_place_is_slot(t->s->out[0]))
        OC_TRY(compute_elements(t, &done));
    for (int k = 0; k < t->s->op.n_out && !done; k++)
        if (oc_place_is_slot(t->s->out[k]))
            t->w->g->slot[t->s->out[k]].symbolic->element = NULL;
    if (done && oc_sig_reads_dims_only(t->s->op.sig, t->s->op.n_in))
        settle(t);
    return OC_OK;
}
