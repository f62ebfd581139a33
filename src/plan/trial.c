/* SPDX-License-Identifier: Apache-2.0
 * trial.c - tries a step with many sizes in place of symbols. */
#include "plan/trial.h"

#include "ops/kit/call_run.h"
#include "plan/ahead.h"

enum {
    RANKS = OC_ASSUMED_RANK + 1,
    MANY = 512, /* tries of each expression by itself */
    SOME = 8    /* fewer answers of these may have sizes in common that others do not have */
};

bool oc_trial_follows(oc_type type)
{
    return type == OC_I64 || type == OC_I32 || type == OC_BOOL;
}

int64_t oc_trial_element(oc_type type, const void *data, int64_t i)
{
    return type == OC_I64   ? ((const int64_t *)data)[i]
           : type == OC_I32 ? ((const int32_t *)data)[i]
                            : ((const uint8_t *)data)[i];
}

/* What is known of output i of the step's graph in attribute a; NULL: nothing. */
static const oc_slot *graph_output(const oc_step *s, int a, int i)
{
    const oc_graph_plan *g = s->graph[a];
    return oc_place_is_slot(g->output[i]) ? &g->slot[g->output[i]] : NULL;
}

oc_status oc_trial_begin(oc_trial *t)
{
    const size_t n_in = (size_t)t->s->op.n_in, n_out = (size_t)t->s->op.n_out;
    t->in = oc_arena_array(&t->scratch, n_in, sizeof *t->in);
    t->given = oc_arena_array(&t->scratch, n_in, sizeof *t->given);
    t->value = oc_arena_array(&t->scratch, n_in, sizeof *t->value);
    t->made = oc_arena_array(&t->scratch, n_out, sizeof *t->made);
    t->out = oc_arena_array(&t->scratch, n_out, sizeof *t->out);
    t->fit = oc_arena_room(&t->scratch, sizeof *t->fit, OC_ALIGN);
    t->answer = oc_arena_room(&t->scratch, n_out * sizeof *t->answer, OC_ALIGN);
    OC_TRY(oc_arena_check(&t->scratch, t->w->p->e));
    for (int k = 0; k < t->s->op.n_out; k++)
        t->out[k] = t->w->out[k] ? &t->made[k] : NULL;
    return OC_OK;
}

/* ---- sizes */

/* 0 or 1, as if by chance, but always the one for a handle and a try. */
static int random_bit(const oc_trial *t, int handle)
{
    uint64_t bits = ((uint64_t)handle * MANY + (uint64_t)t->try) * 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93;
    return (int)(bits >> 63);
}

/* The size of the expression in this try; false: it has none. In a try of each by itself there are
 * two sizes, so that what must be equal often is, and one of them is a number of the step at times,
 * or 1. */
static bool size_of(const oc_trial *t, int handle, int64_t *size)
{
    const int number = t->try % (t->n_numbers + 1);
    if (oc_expression_is_number(t->x, handle, size))
        return true;
    if (t->round == OC_BY_NAMES)
        *size = t->x->item[handle].at[t->try];
    else if (t->round == OC_ONES)
        *size = handle == t->last_element ? -1 : 1;
    else if (number < t->n_numbers && random_bit(t, handle))
        oc_expression_is_number(t->x, t->number[number], size);
    else
        *size = oc_expression_size(t->try + random_bit(t, handle), t->try % (OC_POINTS - 1));
    return *size != OC_NO_SIZE;
}

/* ---- operands */

static void add_operand(oc_trial *t, int handle)
{
    int64_t number;
    const bool is_number = oc_expression_is_number(t->x, handle, &number);
    int *list = is_number ? t->number : t->fit->operand;
    int *n = is_number ? &t->n_numbers : &t->fit->n_operands;
    for (int i = 0; i < *n; i++)
        if (list[i] == handle)
            return;
    if (*n < (is_number ? OC_TRIAL_NUMBERS : OC_FIT_OPERANDS) && !(is_number && number < 2))
        list[(*n)++] = handle;
}

/* Names come first: expressions of them are simpler than those of expressions. */
static void add_names(oc_trial *t, int handle)
{
    const oc_expression *e = &t->x->item[handle];
    if (e->kind > OC_NAME) {
        add_names(t, e->a);
        add_names(t, e->b);
    } else {
        add_operand(t, handle);
    }
}

static void note_symbolic(oc_trial *t, const oc_symbolic *y, void (*add)(oc_trial *t, int handle))
{
    for (int a = 0; a < y->rank; a++)
        add(t, y->dim[a]);
    for (int k = 0; y->element && k < y->n; k++)
        add(t, t->last_element = y->element[k]);
}

static void note_known(oc_trial *t, const oc_value *v)
{
    for (int a = 0; a < v->dims.rank; a++)
        add_operand(t, oc_expression_of_number(t->x, v->dims.n[a]));
    if (v->data && oc_trial_follows(v->type))
        for (int k = 0; k < oc_value_n(v) && k < OC_TRIAL_NUMBERS; k++)
            add_operand(t, oc_expression_of_number(t->x, oc_trial_element(v->type, v->data, k)));
}

/* What is known of the step's inputs, and of what its graphs give. */
static void note_operands(oc_trial *t, void (*add)(oc_trial *t, int handle))
{
    for (int i = 0; i < t->s->op.n_in; i++)
        if (t->in[i])
            note_symbolic(t, t->in[i], add);
        else if (t->given[i])
            note_known(t, t->given[i]);
    for (int a = 0; a < t->s->op.sig->n_attr; a++)
        for (int i = 0; t->s->graph[a] && i < t->s->graph[a]->n_output; i++) {
            const oc_slot *slot = graph_output(t->s, a, i);
            if (slot && slot->symbolic)
                note_symbolic(t, slot->symbolic, add);
        }
}

/* ---- one try */

/* Element k of an input in this try; false: it has none. A bool that is not known is one or the
 * other as if by chance: no size of an expression tells which. */
static bool size_of_element(const oc_trial *t, const oc_symbolic *y, int k, int64_t *size)
{
    const int handle = y->element[k];
    if (y->type != OC_BOOL || oc_expression_is_number(t->x, handle, size))
        return size_of(t, handle, size);
    *size = random_bit(t, handle);
    return true;
}

/* Input i with the sizes of this try; false: it cannot have these. */
static bool fill_input(oc_trial *t, int i)
{
    const oc_symbolic *y = t->in[i];
    oc_value *v = &t->value[i];
    void *data = y->element ? oc_arena_array(&t->scratch, (size_t)y->n, 16) : NULL;
    int64_t size;
    *v = (oc_value){.kind = y->kind, .type = y->type ? y->type : OC_F32, .data = data};
    v->dims.rank = y->any_rank ? t->try % RANKS : y->rank;
    for (int a = 0; a < v->dims.rank; a++)
        if (!size_of(t, y->dim[a], &v->dims.n[a]) || v->dims.n[a] < 0)
            return false;
    for (int k = 0; data && k < y->n; k++) {
        char *element = (char *)data + (size_t)k * oc_type_size(v->type);
        if (!size_of_element(t, y, k, &size))
            return false;
        oc_convert(element, v->type, &size, OC_I64, 1, false);
        if (oc_trial_follows(v->type) && oc_trial_element(v->type, data, k) != size)
            return false;
    }
    t->given[i] = v;
    return !y->element || data;
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
    const bool elements = t->rule == oc_call_run;
    for (int k = 0; k < t->s->op.n_out; k++) {
        const oc_value *v = t->out[k];
        if (!v)
            continue;
        if (elements && (v->kind != OC_TENSOR || !v->data || !oc_trial_follows(v->type)))
            return false;
        const int64_t n = elements ? oc_value_n(v) : v->dims.rank;
        if (n > OC_TRIAL_ENTRIES)
            return false;
        t->type[k] = v->type;
        t->dims[k] = v->dims;
        t->n_entry[k] = t->n == 0 || t->n_entry[k] == n ? (int)n : -1;
        for (int64_t i = 0; i < n; i++)
            t->answer[k][i][t->n] = elements ? oc_trial_element(v->type, v->data, i) : v->dims.n[i];
    }
    for (int i = 0; i < t->fit->n_operands; i++)
        if (!size_of(t, t->fit->operand[i], &t->fit->at[i][t->n]))
            return false;
    return true;
}

/* The function of oc_services for an outline: what the sizes make of the outputs of graphs. */
static void tell_graph(const oc_call *c, int attr, bool input, int i, oc_value *v)
{
    const oc_trial *t = c->services->runtime;
    const oc_slot *slot = input ? NULL : graph_output(t->s, attr, i);
    oc_value declared;
    oc_plan_graph_port(c, attr, input, i, &declared);
    *v = declared;
    if (slot && slot->has_shape) {
        *v = oc_value_borrow(slot->value.type, slot->value.dims, NULL);
        v->kind = slot->value.kind;
    } else if (slot && slot->symbolic) {
        v->type = slot->symbolic->type;
        v->dims.rank = slot->symbolic->rank;
        for (int a = 0; a < v->dims.rank; a++)
            if (!size_of(t, slot->symbolic->dim[a], &v->dims.n[a]))
                v->dims.n[a] = -1;
    }
    for (int a = 0; a < v->dims.rank && v->dims.rank == declared.dims.rank; a++)
        if (declared.dims.n[a] >= 0)
            v->dims.n[a] = declared.dims.n[a];
}

oc_status oc_trial_outline(oc_call *c)
{
    const oc_status status = oc_call_traits(c)->outline(c);
    oc_call_release(c);
    return status;
}

static oc_status try(oc_trial *t)
{
    bool done;
    if (!fill_inputs(t))
        return oc_arena_check(&t->scratch, t->w->p->e);
    for (int k = 0; k < t->s->op.n_out; k++)
        t->made[k] = (oc_value){.dims.rank = -1};
    oc_services services = t->w->p->services;
    oc_call c = oc_step_call(t->s, t->given, t->out, &services);
    if (t->rule == oc_trial_outline) {
        services.runtime = t;
        services.graph_port = tell_graph;
    }
    const oc_status status = oc_ahead_call(t->w->p, &c, t->rule, &done);
    t->n += done && keep_answer(t);
    for (int k = 0; k < t->s->op.n_out && t->rule == oc_call_run; k++)
        oc_value_unref(&t->made[k]);
    return status;
}

/* ---- many tries */

/* Had operand i two sizes? 0 is none: to it much applies that other sizes do not have. */
static bool varies(const oc_trial *t, int i)
{
    int64_t first = 0;
    for (int k = 0; k < t->n; k++) {
        const int64_t size = t->fit->at[i][k];
        if (first && size && size != first)
            return true;
        first = first ? first : size;
    }
    return false;
}

/* Do the answers tell what holds for all sizes? One expression that had the one size alone with
 * which there are answers has it in each run; two may depend on each other. */
static bool suffices(const oc_trial *t)
{
    int n_constant = 0;
    for (int i = 0; i < t->fit->n_operands; i++)
        n_constant += !varies(t, i);
    return t->round == OC_EACH ? t->n >= SOME && n_constant <= 1 : t->n > 0 && n_constant == 0;
}

oc_status oc_trial_run(oc_trial *t, oc_op_fn *rule, bool only_sure)
{
    const int n_tries[] = {only_sure ? OC_SURE_POINTS : OC_POINTS, MANY, RANKS};
    t->fit->x = t->x;
    t->fit->n_operands = 0;
    t->n_numbers = 1;
    t->number[0] = oc_expression_of_number(t->x, 1);
    t->last_element = OC_NO_EXPRESSION;
    note_operands(t, add_names);
    note_operands(t, add_operand);
    t->rule = rule;
    for (t->round = OC_BY_NAMES;; t->round++) {
        t->n = 0;
        for (t->try = 0; t->try < n_tries[t->round] && t->n < OC_FIT_POINTS; t->try++)
            OC_TRY(try(t));
        if (only_sure)
            t->n = t->n == OC_SURE_POINTS ? t->n : 0;
        if (only_sure || suffices(t) || t->round == OC_ONES)
            break;
    }
    t->fit->n_points = t->n;
    return OC_OK;
}

int oc_trial_entry(oc_trial *t, int k, int i)
{
    bool open = t->round == OC_ONES;
    for (int p = 0; p < t->n; p++)
        open |= t->answer[k][i][p] < 0 && t->rule != oc_call_run;
    const int found = open ? OC_NO_EXPRESSION : oc_fit_expression(t->fit, t->answer[k][i]);
    return found < 0 ? oc_expression_of_name(t->x, "") : found;
}
