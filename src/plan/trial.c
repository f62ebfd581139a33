/* SPDX-License-Identifier: Apache-2.0
 * trial.c - tries a step with many sizes in place of symbols.
 *
 * Sizes are small, large, and of many remainders, so that no limit within the operator passes for a
 * number. Where a step refuses most of them, each symbol takes other sizes by itself. */
#include "plan/trial.h"

#include "ops/kit/call_run.h"
#include "plan/ahead.h"

#include <string.h>

enum { TRIES = 7 /* sizes that each symbol is tried with: size_of */ };

/* ---- one try */

/* Input i with the sizes that the names have now; false: it cannot have these. */
static bool fill_input(oc_trial *t, int i)
{
    const oc_symbolic *y = t->in[i];
    oc_value *v = &t->value[i];
    void *data = v->data;
    int64_t n;
    *v = (oc_value){.kind = y->kind, .dims.rank = y->rank, .data = data};
    v->type = y->type ? y->type : OC_F32;
    for (int a = 0; a < y->rank; a++)
        if (!oc_expression_value(t->x, y->dim[a], &v->dims.n[a]) || v->dims.n[a] < 0)
            return false;
    for (int k = 0; y->element && k < y->n; k++)
        if (!oc_expression_value(t->x, y->element[k], &n) || !oc_trial_put(y->type, data, k, n))
            return false;
    t->given[i] = v;
    return true;
}

static bool fill_inputs(oc_trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++)
        if (t->in[i] && !fill_input(t, i))
            return false;
    return true;
}

/* What the call has given is the next answer, unless it is one of another kind. */
static bool keep_answer(oc_trial *t)
{
    for (int k = 0; k < t->s->op.n_out; k++) {
        const oc_value *v = t->out[k];
        int64_t *answer = t->answer[k][t->n];
        const bool elements = t->rule == oc_call_run;
        if (!v)
            continue;
        if (elements && (v->kind != OC_TENSOR || !v->data))
            return false;
        const int n = elements ? (int)oc_value_n(v) : v->dims.rank;
        if (n > OC_TRIAL_ELEMENTS)
            return false;
        t->type[k] = v->type;
        t->rank[k] = t->n == 0 || t->rank[k] == n ? n : -1;
        for (int i = 0; i < n; i++)
            answer[i] = elements ? oc_trial_element(v->type, v->data, i) : v->dims.n[i];
    }
    return true;
}

/* The function of oc_services for an outline: what the sizes make of the outputs of graphs. */
static void tell_graph(const oc_call *c, int attr, bool input, int i, oc_value *v)
{
    const oc_trial *t = c->services->runtime;
    const oc_slot *slot = input ? NULL : oc_trial_graph_output(t->s, attr, i);
    *v = (oc_value){.type = OC_UNDEFINED, .dims.rank = -1};
    if (slot && slot->has_shape) {
        *v = oc_value_borrow(slot->value.type, slot->value.dims, NULL);
        v->kind = slot->value.kind;
    } else if (slot && slot->symbolic) {
        v->type = slot->symbolic->type;
        v->dims.rank = slot->symbolic->rank;
        for (int a = 0; a < v->dims.rank; a++)
            if (!oc_expression_value(t->x, slot->symbolic->dim[a], &v->dims.n[a]))
                v->dims.n[a] = -1;
    }
    if (t->w->p->listener) {
        oc_value declared;
        oc_plan_graph_port(c, attr, input, i, &declared);
        if (v->dims.rank < 0)
            *v = declared;
        for (int a = 0; a < v->dims.rank && v->dims.rank == declared.dims.rank; a++)
            if (declared.dims.n[a] >= 0)
                v->dims.n[a] = declared.dims.n[a];
    }
}

oc_status oc_trial_outline(oc_call *c)
{
    const oc_status status = oc_call_traits(c)->outline(c);
    oc_call_release(c);
    return status;
}

static oc_status try(oc_trial *t, const int64_t size[OC_TRIAL_NAMES], bool *done)
{
    *done = false;
    if (t->n == OC_FIT_POINTS)
        return OC_OK;
    for (int i = 0; i < t->n_names; i++) {
        t->size[t->n][i] = size[t->equals[i]];
        t->x->item[t->name[i]].number = size[t->equals[i]];
    }
    if (!fill_inputs(t))
        return OC_OK;
    for (int k = 0; k < t->s->op.n_out; k++)
        t->made[k] = (oc_value){.dims.rank = -1};
    oc_services services = t->w->p->services;
    oc_call c = oc_step_call(t->s, t->given, t->out, &services);
    if (t->rule == oc_trial_outline) {
        services.runtime = t;
        services.graph_port = tell_graph;
    }
    const oc_status status = oc_ahead_call(t->w->p, &c, t->rule, done);
    *done = *done && keep_answer(t);
    t->n += *done;
    for (int k = 0; k < t->s->op.n_out && t->rule == oc_call_run; k++)
        oc_value_unref(&t->made[k]);
    return status;
}

/* ---- many tries */

/* Try k for name i. Remainders of 0, 1 and -1 tell quotients that are rounded down from others;
 * products of few must fit in memory. */
static int64_t size_of(int k, int i)
{
    static const int16_t odd[][OC_TRIAL_NAMES] = {
        {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53},
        {101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179}};
    const int64_t even = 10080 * (int64_t)odd[0][(i + 3) % OC_TRIAL_NAMES];
    const int64_t sizes[TRIES] = {odd[0][i], even - 1,      1, even, even + 1,
                                  odd[1][i], 16 * odd[0][i]};
    return sizes[k];
}

static oc_status try_together(oc_trial *t)
{
    int64_t size[OC_TRIAL_NAMES];
    bool done;
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < t->n_names; i++)
            size[i] = size_of(k, i);
        OC_TRY(try(t, size, &done));
    }
    return OC_OK;
}

/* Each name by itself is larger than any limit, and all are 0. */
static oc_status try_extremes(oc_trial *t)
{
    int64_t size[OC_TRIAL_NAMES];
    bool done;
    for (int j = 0; j < t->n_names; j++) {
        for (int i = 0; i < t->n_names; i++)
            size[i] = i == j ? (int64_t)10080 << 30 : size_of(0, i);
        OC_TRY(try(t, size, &done));
    }
    memset(size, 0, sizeof size);
    OC_TRY(try(t, size, &done));
    t->n -= done && t->n == 1; /* what holds for nothing alone tells little */
    return OC_OK;
}

/* Has name i had two sizes? 0 is none: to it much applies that other sizes do not have. */
static bool varies(const oc_trial *t, int i)
{
    int64_t first = 0;
    for (int k = 0; k < t->n; k++) {
        if (first && t->size[k][i] && t->size[k][i] != first)
            return true;
        first = first ? first : t->size[k][i];
    }
    return false;
}

static int count_constant(const oc_trial *t)
{
    int n = 0;
    for (int i = 0; i < t->n_names; i++)
        n += t->equals[i] == i && !varies(t, i);
    return n;
}

/* Sizes with which there is an answer: those of the first, or a number that the step itself has. */
static oc_status find_base(oc_trial *t, int64_t base[OC_TRIAL_NAMES], bool *done)
{
    *done = t->n > 0;
    memcpy(base, t->size[0], sizeof t->size[0]);
    for (int k = 0; k < t->n_numbers && !*done; k++) {
        for (int i = 0; i < t->n_names; i++)
            base[i] = t->number[k];
        OC_TRY(try(t, base, done));
    }
    return OC_OK;
}

/* From the base each name by itself takes other sizes, and then all names those that they took. */
static oc_status try_each(oc_trial *t, const int64_t base[OC_TRIAL_NAMES])
{
    int64_t size[OC_TRIAL_NAMES], taken[OC_TRIAL_NAMES][TRIES + OC_TRIAL_NUMBERS];
    int n_taken[OC_TRIAL_NAMES] = {0};
    bool done;
    for (int i = 0; i < t->n_names; i++)
        for (int k = 0; k < TRIES + t->n_numbers; k++) {
            memcpy(size, base, sizeof size);
            size[i] = k < t->n_numbers ? t->number[k] : size_of(k - t->n_numbers, i);
            OC_TRY(try(t, size, &done));
            if (done)
                taken[i][n_taken[i]++] = size[i];
        }
    t->single = t->n_names > 1;
    for (int k = 0; k < TRIES; k++) {
        bool all = true;
        for (int i = 0; i < t->n_names; i++) {
            size[i] = n_taken[i] ? taken[i][n_taken[i] - 1 - k % n_taken[i]] : base[i];
            all &= n_taken[i] <= 1 || size[i] != base[i];
        }
        OC_TRY(try(t, size, &done));
        t->single &= !(done && all);
    }
    return OC_OK;
}

/* Does the step answer where names i and j alone leave the base, for one size? */
static oc_status try_pair(oc_trial *t, const int64_t base[OC_TRIAL_NAMES], int i, int j, bool *done)
{
    int64_t size[OC_TRIAL_NAMES];
    const int n = t->n;
    memcpy(size, base, sizeof size);
    size[i] = size[j] = size_of(5, i);
    OC_TRY(try(t, size, done));
    t->n = n;
    return OC_OK;
}

/* Finds two names that take other sizes only where they are equal, and each with no third one. */
static oc_status find_equals(oc_trial *t, const int64_t base[OC_TRIAL_NAMES], bool *found)
{
    int partners[OC_TRIAL_NAMES] = {0}, partner[OC_TRIAL_NAMES] = {0};
    bool done;
    *found = false;
    for (int i = 0; i < t->n_names; i++)
        for (int j = 0; j < i; j++) {
            if (varies(t, i) || varies(t, j) || t->equals[i] != i || t->equals[j] != j)
                continue;
            OC_TRY(try_pair(t, base, i, j, &done));
            partners[i] += done;
            partners[j] += done;
            partner[i] = done ? j : partner[i];
        }
    for (int i = 0; i < t->n_names; i++)
        if (partners[i] == 1 && partners[partner[i]] == 1 && partner[i] < i) {
            t->equals[i] = partner[i];
            *found = true;
        }
    return OC_OK;
}

/* Elements that nobody knows, as a shape that any input fits: ones, and -1. */
static oc_status try_ranks(oc_trial *t)
{
    int64_t size[OC_TRIAL_NAMES];
    bool done;
    int last = -1;
    for (int i = 0; i < t->n_names; i++)
        size[i] = 1;
    for (int i = 0; i < t->s->op.n_in; i++)
        for (int k = 0; t->in[i] && t->in[i]->element && k < t->in[i]->n; k++)
            for (int j = 0; j < t->n_names; j++)
                last = t->name[j] == t->in[i]->element[k] ? j : last;
    if (last >= 0)
        size[last] = -1;
    t->guessed = true;
    return try(t, size, &done);
}

oc_status oc_trial_run(oc_trial *t)
{
    int64_t base[OC_TRIAL_NAMES] = {0};
    bool done, again = t->n_names > 0;
    t->n = 0;
    if (!again)
        return try(t, base, &done);
    while (again) {
        again = false;
        t->n = 0;
        OC_TRY(try_together(t));
        OC_TRY(try_extremes(t));
        if (t->n && count_constant(t) == 0)
            return OC_OK;
        OC_TRY(find_base(t, base, &done));
        if (!done)
            return try_ranks(t);
        OC_TRY(try_each(t, base));
        OC_TRY(find_equals(t, base, &again));
    }
    /* A size that no other can replace is what the step demands; two may depend on each other. */
    t->guessed |= count_constant(t) > 1;
    return OC_OK;
}

/* ---- what follows */

static void add_operand(const oc_trial *t, oc_fit *f, int handle)
{
    int64_t n;
    for (int i = 0; i < f->n_operands; i++)
        if (f->operand[i] == handle)
            return;
    if (f->n_operands < OC_FIT_OPERANDS && !oc_expression_is_number(t->x, handle, &n))
        f->operand[f->n_operands++] = handle;
}

void oc_trial_fit(const oc_trial *t, oc_fit *f)
{
    *f = (oc_fit){.x = t->x, .n_points = t->n};
    for (int i = 0; i < t->n_names; i++)
        add_operand(t, f, t->name[i]);
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_symbolic *y = t->in[i];
        for (int a = 0; y && a < y->rank; a++)
            add_operand(t, f, y->dim[a]);
        for (int k = 0; y && y->element && k < y->n; k++)
            add_operand(t, f, y->element[k]);
    }
    for (int k = 0; k < t->n; k++) {
        for (int i = 0; i < t->n_names; i++)
            t->x->item[t->name[i]].number = t->size[k][i];
        for (int i = 0; i < f->n_operands; i++)
            oc_expression_value(t->x, f->operand[i], &f->at[i][k]);
    }
}

int oc_trial_entry(const oc_trial *t, const oc_fit *f, int k, int i)
{
    int64_t y[OC_FIT_POINTS];
    bool open = t->guessed;
    for (int p = 0; p < t->n; p++) {
        y[p] = t->answer[k][p][i];
        open |= y[p] < 0 && t->rule != oc_call_run;
    }
    open |= t->single && !oc_fit_is_plain(f, y);
    const int found = open ? OC_NO_EXPRESSION : oc_fit_expression(f, y);
    return found < 0 ? oc_trial_fresh(t) : found;
}
