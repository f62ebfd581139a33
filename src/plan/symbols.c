/* SPDX-License-Identifier: Apache-2.0
 * symbols.c - follows dims, and the elements of small integer tensors, as expressions of dims that
 * are not known.
 *
 * Shape rules and kernels know numbers alone. So a step is tried with many sizes for the names in
 * its inputs, and each output dim becomes the simplest expression that agrees with all answers
 * (fit.h). Sizes are small, large, and of many remainders, so that no limit within the operator
 * passes for a number. Where an operator only moves elements, its kernel moves the handles of their
 * expressions, and the result is certain. */
#include "base/int.h"
#include "graph/declared.h"
#include "ops/kit/call_run.h"
#include "plan/ahead.h"
#include "plan/fit.h"
#include "plan/passes.h"

#include <string.h>

enum {
    MOST_NAMES = 8, /* in the inputs of a step */
    MOST_NUMBERS = 8,
    MOST_ELEMENTS = 64, /* of a tensor whose elements are followed */
    MOST_OUTPUTS = 16,
    TRIES = 8,     /* sizes that each name is tried with: size_of */
    MOST_RANK = 4  /* that an input is tried with whose rank is not known */
};

/* A step that is tried. */
typedef struct trial {
    oc_walk *w;
    oc_step *s;
    oc_expressions *x;
    oc_arena scratch;
    const oc_symbolic **in; /* NULL: the input is missing, or wholly known */
    const oc_value **given;
    oc_value *value, *made, **out;
    oc_status (*rule)(oc_call *c);
    int name[MOST_NAMES], n_names;
    int equals[MOST_NAMES]; /* the name whose size name i has in all tries, perhaps its own */
    int64_t number[MOST_NUMBERS]; /* that stand among the dims and elements */
    int n_numbers;
    int assumed;  /* the rank of inputs that have none; -1: all have one */
    bool guessed; /* elements of some input are not followed: ranks alone are told */
    int n;        /* answers */
    int64_t size[OC_FIT_POINTS][MOST_NAMES];
    oc_type type[MOST_OUTPUTS];
    int rank[MOST_OUTPUTS]; /* -1: answers differ in rank */
    int64_t (*answer)[OC_FIT_POINTS][MOST_ELEMENTS]; /* of each output */
} trial;

static bool is_followed(oc_type type)
{
    return type == OC_I64 || type == OC_I32 || type == OC_BOOL;
}

static int fresh(const trial *t)
{
    return oc_expression_of_name(t->x, "");
}

/* ---- what is known of a slot */

static oc_symbolic *new_symbolic(oc_planner *p, oc_kind kind, oc_type type, int rank)
{
    oc_symbolic *y = oc_arena_alloc(p->services.strings, sizeof *y);
    if (y)
        *y = (oc_symbolic){.kind = kind, .type = type, .rank = rank};
    return y;
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

static oc_slot *slot_of(const oc_walk *w, int place)
{
    return oc_place_is_slot(place) ? &w->g->slot[place] : NULL;
}

static oc_symbolic *of_known(const trial *t, const oc_value *v)
{
    oc_symbolic *y = new_symbolic(t->w->p, OC_TENSOR, v->type, v->dims.rank);
    for (int i = 0; y && i < y->rank; i++)
        y->dim[i] = oc_expression_of_number(t->x, v->dims.n[i]);
    return y;
}

/* The number of elements; -1: it is not known, or more than are followed. */
static int count_elements(const trial *t, const oc_symbolic *y)
{
    int64_t n = 1, dim;
    if (y->kind != OC_TENSOR)
        return -1;
    for (int i = 0; i < y->rank; i++)
        if (!oc_expression_is_number(t->x, y->dim[i], &dim) || dim < 0 || dim > MOST_ELEMENTS ||
            (n *= dim) > MOST_ELEMENTS)
            return -1;
    return (int)n;
}

static int64_t element_of(oc_type type, const void *data, int i)
{
    return type == OC_I64   ? ((const int64_t *)data)[i]
           : type == OC_I32 ? ((const int32_t *)data)[i]
                            : ((const uint8_t *)data)[i];
}

/* false: the type does not have the number. */
static bool put_element(oc_type type, void *data, int i, int64_t n)
{
    oc_convert((char *)data + (size_t)i * oc_type_size(type), type, &n, OC_I64, 1, false);
    return !is_followed(type) || element_of(type, data, i) == n;
}

/* ---- the inputs of a trial */

/* An input whose elements the shape rule reads, and that nobody knows: each is a size of its own.
 * false: they are too many, or no integers. */
static bool name_elements(trial *t, oc_slot *slot)
{
    if (!slot->symbolic)
        slot->symbolic = of_known(t, &slot->value);
    oc_symbolic *y = slot->symbolic;
    const int n = y ? count_elements(t, y) : -1;
    if (n < 0 || y->type == OC_STRING)
        return false;
    y->element = oc_arena_array(t->w->p->services.strings, (size_t)n, sizeof *y->element);
    for (int i = 0; y->element && i < n; i++)
        y->element[i] = fresh(t);
    y->n = n;
    return y->element != NULL;
}

/* An input of which the type is known alone: one of the ranks that it may have. */
static bool assume_rank(trial *t, int i, oc_known_type type)
{
    oc_symbolic *y = new_symbolic(t->w->p, type.kind, type.type, oc_max(t->assumed, 0));
    for (int a = 0; y && a < y->rank; a++)
        y->dim[a] = fresh(t);
    t->in[i] = y;
    t->assumed = oc_max(t->assumed, 0);
    return y != NULL;
}

/* false: not even its rank is known, or the shape rule would read elements that are not there. */
static bool view_input(trial *t, int i)
{
    const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
    oc_slot *slot = slot_of(t->w, t->s->in[i]);
    const oc_value *v = t->given[i] = t->w->in[i];
    if (!v || v->data || !slot)
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
static const oc_slot *graph_output(const oc_step *s, int a, int i)
{
    const oc_graph_plan *g = s->graph[a];
    return oc_place_is_slot(g->output[i]) ? &g->slot[g->output[i]] : NULL;
}

static void add_number(trial *t, int64_t n)
{
    for (int i = 0; i < t->n_numbers; i++)
        if (t->number[i] == n)
            return;
    if (n > 1 && t->n_numbers < MOST_NUMBERS)
        t->number[t->n_numbers++] = n;
}

static void add_handle(trial *t, int handle)
{
    int64_t n;
    if (oc_expression_is_number(t->x, handle, &n))
        add_number(t, n);
    else if (!oc_expression_names(t->x, handle, t->name, &t->n_names, MOST_NAMES))
        t->guessed = true;
}

static void note_input(trial *t, int i)
{
    const oc_symbolic *y = t->in[i];
    const oc_value *v = t->given[i];
    for (int a = 0; y && a < y->rank; a++)
        add_handle(t, y->dim[a]);
    for (int k = 0; y && y->element && k < y->n; k++)
        add_handle(t, y->element[k]);
    for (int a = 0; !y && v && a < v->dims.rank; a++)
        add_number(t, v->dims.n[a]);
    if (!y && v && v->data && is_followed(v->type))
        for (int k = 0; k < oc_value_n(v) && k < MOST_ELEMENTS; k++)
            add_number(t, element_of(v->type, v->data, k));
}

static bool view_inputs(trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++)
        if (!view_input(t, i))
            return false;
    for (int i = 0; i < t->s->op.n_in; i++)
        note_input(t, i);
    for (int a = 0; a < t->s->op.sig->n_attr; a++)
        for (int i = 0; t->s->graph[a] && i < t->s->graph[a]->n_output; i++) {
            const oc_slot *slot = graph_output(t->s, a, i);
            for (int k = 0; slot && slot->symbolic && k < slot->symbolic->rank; k++)
                add_handle(t, slot->symbolic->dim[k]);
        }
    for (int i = 0; i < t->n_names; i++)
        t->equals[i] = i;
    return true;
}

/* ---- one try */

/* Input i with the sizes that the names have now; false: it cannot have these. */
static bool fill_input(trial *t, int i)
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
        if (!oc_expression_value(t->x, y->element[k], &n) || !put_element(y->type, data, k, n))
            return false;
    t->given[i] = v;
    return true;
}

static bool fill_inputs(trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++)
        if (t->in[i] && !fill_input(t, i))
            return false;
    return true;
}

/* What the call has given is the next answer, unless it is one of another kind. */
static bool keep_answer(trial *t)
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
        if (n > MOST_ELEMENTS)
            return false;
        t->type[k] = v->type;
        t->rank[k] = t->n == 0 || t->rank[k] == n ? n : -1;
        for (int i = 0; i < n; i++)
            answer[i] = elements ? element_of(v->type, v->data, i) : v->dims.n[i];
    }
    return true;
}

/* The function of oc_services for an outline: what the sizes make of the outputs of graphs. */
static void tell_graph(const oc_call *c, int attr, bool input, int i, oc_value *v)
{
    const trial *t = c->services->runtime;
    const oc_slot *slot = input ? NULL : graph_output(t->s, attr, i);
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

static oc_status run_outline(oc_call *c)
{
    return oc_call_traits(c)->outline(c);
}

static oc_status try(trial *t, const int64_t size[MOST_NAMES], bool *done)
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
    if (t->rule == run_outline) {
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
    static const int16_t odd[][MOST_NAMES] = {{2, 3, 5, 7, 11, 13, 17, 19},
                                              {101, 103, 107, 109, 113, 127, 131, 137},
                                              {1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049}};
    const int64_t even = 10080 * (int64_t)odd[0][(i + 3) % MOST_NAMES];
    const int64_t sizes[TRIES] = {1,        odd[0][i],      even,      even - 1,
                                  even + 1, odd[1][i], odd[2][i], 16 * odd[0][i]};
    return sizes[k];
}

static oc_status try_all(trial *t)
{
    int64_t size[MOST_NAMES];
    bool done;
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < t->n_names; i++)
            size[i] = size_of(k, i);
        OC_TRY(try(t, size, &done));
    }
    for (int j = 0; j < t->n_names; j++) { /* one is larger than any limit, the others are small */
        for (int i = 0; i < t->n_names; i++)
            size[i] = i == j ? (int64_t)10080 << 30 : size_of(1, i);
        OC_TRY(try(t, size, &done));
    }
    memset(size, 0, sizeof size);
    OC_TRY(try(t, size, &done));
    t->n -= done && t->n == 1; /* what holds for nothing alone tells little */
    return OC_OK;
}

static bool varies(const trial *t, int i)
{
    for (int k = 1; k < t->n; k++)
        if (t->size[k][i] != t->size[0][i])
            return true;
    return false;
}

static int count_constant(const trial *t)
{
    int n = 0;
    for (int i = 0; i < t->n_names; i++)
        n += t->equals[i] == i && !varies(t, i);
    return n;
}

/* Sizes with which there is an answer: those of the first, or a number that the step itself has. */
static oc_status find_base(trial *t, int64_t base[MOST_NAMES], bool *done)
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
static oc_status try_each(trial *t, const int64_t base[MOST_NAMES])
{
    int64_t size[MOST_NAMES], taken[MOST_NAMES][TRIES + MOST_NUMBERS];
    int n_taken[MOST_NAMES] = {0};
    bool done;
    for (int i = 0; i < t->n_names; i++)
        for (int k = 0; k < TRIES + t->n_numbers; k++) {
            memcpy(size, base, sizeof size);
            size[i] = k < t->n_numbers ? t->number[k] : size_of(k - t->n_numbers, i);
            OC_TRY(try(t, size, &done));
            if (done)
                taken[i][n_taken[i]++] = size[i];
        }
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < t->n_names; i++)
            size[i] = n_taken[i] ? taken[i][n_taken[i] - 1 - k % n_taken[i]] : base[i];
        OC_TRY(try(t, size, &done));
    }
    return OC_OK;
}

/* Does the step answer where names i and j alone leave the base, for one size? */
static oc_status try_pair(trial *t, const int64_t base[MOST_NAMES], int i, int j, bool *done)
{
    int64_t size[MOST_NAMES];
    const int n = t->n;
    memcpy(size, base, sizeof size);
    size[i] = size[j] = size_of(5, i);
    OC_TRY(try(t, size, done));
    t->n = n;
    return OC_OK;
}

/* Finds two names that take other sizes only where they are equal, and each with no third one. */
static oc_status find_equals(trial *t, const int64_t base[MOST_NAMES], bool *found)
{
    int partners[MOST_NAMES] = {0}, partner[MOST_NAMES] = {0};
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
static oc_status try_ranks(trial *t)
{
    int64_t size[MOST_NAMES];
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

static oc_status try_step(trial *t)
{
    int64_t base[MOST_NAMES] = {0};
    bool done, again = t->n_names > 0;
    t->n = 0;
    if (!again)
        return try(t, base, &done);
    while (again) {
        again = false;
        t->n = 0;
        OC_TRY(try_all(t));
        if (t->n && count_constant(t) == 0)
            return OC_OK;
        OC_TRY(find_base(t, base, &done));
        if (!done)
            return try_ranks(t);
        OC_TRY(try_each(t, base));
        OC_TRY(find_equals(t, base, &again));
    }
    /* One size that no other can replace is what the step demands; two may depend on each other. */
    t->guessed |= count_constant(t) > 1;
    return OC_OK;
}

/* ---- what follows */

static void add_operand(const trial *t, oc_fit *f, int handle)
{
    int64_t n;
    for (int i = 0; i < f->n_operands; i++)
        if (f->operand[i] == handle)
            return;
    if (f->n_operands < OC_FIT_OPERANDS && !oc_expression_is_number(t->x, handle, &n))
        f->operand[f->n_operands++] = handle;
}

static void make_fit(const trial *t, oc_fit *f)
{
    *f = (oc_fit){.x = t->x, .n_points = t->n};
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_symbolic *y = t->in[i];
        for (int a = 0; y && a < y->rank; a++)
            add_operand(t, f, y->dim[a]);
        for (int k = 0; y && y->element && k < y->n; k++)
            add_operand(t, f, y->element[k]);
    }
    for (int i = 0; i < t->n_names; i++)
        add_operand(t, f, t->name[i]);
    for (int k = 0; k < t->n; k++) {
        for (int i = 0; i < t->n_names; i++)
            t->x->item[t->name[i]].number = t->size[k][i];
        for (int i = 0; i < f->n_operands; i++)
            oc_expression_value(t->x, f->operand[i], &f->at[i][k]);
    }
}

/* The expression of entry i of output k. A number that names decide only by arithmetic on elements
 * is one for who looks at the model; a plan does not rely on it. */
static int entry_of(const trial *t, const oc_fit *f, int k, int i)
{
    int64_t y[OC_FIT_POINTS], number;
    bool open = t->guessed;
    for (int p = 0; p < t->n; p++) {
        y[p] = t->answer[k][p][i];
        open |= y[p] < 0 && t->rule != oc_call_run;
    }
    const int found = open ? OC_NO_EXPRESSION : oc_fit_expression(f, y);
    const bool arithmetic =
        t->rule == oc_call_run && !oc_sig_reads_dims_only(t->s->op.sig, t->s->op.n_in);
    if (found < 0 ||
        (arithmetic && !t->w->p->listener && oc_expression_is_number(t->x, found, &number)))
        return fresh(t);
    return found;
}

/* What two assumptions have in common; NULL: not even the rank. */
static oc_symbolic *shared(const trial *t, const oc_symbolic *a, oc_symbolic *b)
{
    if (!a || !b || a->rank != b->rank)
        return NULL;
    for (int i = 0; i < b->rank; i++)
        b->dim[i] = a->dim[i] == b->dim[i] ? b->dim[i] : fresh(t);
    return b;
}

/* An outline tells dims of lists as those of tensors: which of both an output is, its types tell.
 * Inputs whose type is not known are tried as floats, which tells nothing of an output's. */
static oc_known_type type_of_output(const trial *t, int k)
{
    const oc_sig_set *set = &oc_sig_port_at(t->s->op.sig->out, t->s->op.sig->n_out, k)->set;
    const oc_known_type known = oc_type_get(&t->w->g->types, t->s->node->out[k]);
    if (oc_type_is_known(known))
        return known;
    bool typed = true;
    for (int i = 0; i < t->s->op.n_in; i++)
        typed &= !t->in[i] || t->in[i]->type;
    return (oc_known_type){set->tensor ? OC_TENSOR : set->sequence ? OC_SEQUENCE : OC_OPTIONAL,
                           typed ? t->type[k] : OC_UNDEFINED};
}

/* first: nothing is known of the outputs yet. */
static oc_status follow_dims(trial *t, bool first)
{
    oc_fit f;
    t->rule = t->s->op.version->shape ? oc_call_plan : run_outline;
    OC_TRY(try_step(t));
    if (t->n == 0)
        return OC_OK;
    make_fit(t, &f);
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = slot_of(t->w, t->s->out[k]);
        const oc_known_type type = type_of_output(t, k);
        oc_symbolic *y = slot && t->rank[k] >= 0
                             ? new_symbolic(t->w->p, type.kind, type.type, t->rank[k])
                             : NULL;
        for (int i = 0; y && i < y->rank; i++)
            y->dim[i] = entry_of(t, &f, k, i);
        if (slot)
            slot->symbolic = first ? y : shared(t, slot->symbolic, y);
    }
    return OC_OK;
}

/* ---- elements */

/* The handles of an input's elements, which few integers are; NULL: they are not followed. */
static const int *handles_of(const trial *t, int i, int *n)
{
    const oc_value *v = t->w->in[i];
    const oc_symbolic *y = t->in[i];
    *n = y ? y->n : 0;
    if (y || !v || !v->data || !is_followed(v->type) || oc_value_n(v) > MOST_ELEMENTS)
        return y && is_followed(y->type) ? y->element : NULL;
    *n = (int)oc_value_n(v);
    int *handle = oc_arena_array(t->w->p->services.strings, (size_t)*n, sizeof *handle);
    for (int k = 0; handle && k < *n; k++)
        handle[k] = oc_expression_of_number(t->x, element_of(v->type, v->data, k));
    return handle;
}

/* Input i is a tensor of the handles of its elements. */
static bool fill_handles(trial *t, int i)
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

/* Can the operator move handles? Then these stand for the elements that it moves, and the others
 * are known. */
static bool fill_moved(trial *t)
{
    const oc_traits *traits = oc_step_traits(t->s);
    const oc_call c = oc_step_call(t->s, t->w->in, NULL, &t->w->p->services);
    oc_moves m = {0};
    if (!traits || !traits->moves || t->s->op.n_in > 63)
        return false;
    traits->moves(&c, &m);
    for (int i = 0; i < t->s->op.n_in; i++) {
        const bool moved = m.inputs >> i & 1 || (m.fill && m.fill == i);
        if (t->w->in[i] && (moved ? !fill_handles(t, i) : !t->w->in[i]->data))
            return false;
    }
    return m.inputs && !m.largest;
}

static oc_status move_elements(trial *t, bool *done)
{
    for (int k = 0; k < t->s->op.n_out; k++)
        t->made[k] = (oc_value){0};
    oc_call c = oc_step_call(t->s, t->given, t->out, &t->w->p->services);
    const oc_status status = oc_ahead_call(t->w->p, &c, oc_call_run, done);
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = slot_of(t->w, t->s->out[k]);
        for (int i = 0; slot && *done && i < slot->symbolic->n; i++)
            slot->symbolic->element[i] = (int)((const int64_t *)t->made[k].data)[i];
        oc_value_unref(&t->made[k]);
    }
    return status;
}

/* Is it known on which elements the run would work? */
static bool has_elements(const trial *t)
{
    for (int i = 0; i < t->s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(t->s->op.sig->in, t->s->op.sig->n_in, i);
        const bool known = t->in[i] ? t->in[i]->element && is_followed(t->in[i]->type)
                                    : t->w->in[i] && t->w->in[i]->data;
        if (t->w->in[i] && !port->dims_only && !known)
            return false;
    }
    return oc_ahead_may(t->s) && t->s->op.n_out == 1;
}

static oc_status compute_elements(trial *t, bool *done)
{
    oc_fit f;
    oc_symbolic *y = t->w->g->slot[t->s->out[0]].symbolic;
    t->rule = oc_call_run;
    OC_TRY(try_step(t));
    *done = t->n > 0 && t->rank[0] == y->n;
    if (*done)
        make_fit(t, &f);
    for (int i = 0; *done && i < y->n; i++)
        y->element[i] = entry_of(t, &f, 0, i);
    return OC_OK;
}

/* Gives the outputs their symbolic elements, of which nothing is known yet; false: some are not
 * followed. */
static bool room_for_elements(trial *t)
{
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = slot_of(t->w, t->s->out[k]);
        if (slot && slot->has_shape && !slot->symbolic && slot->value.kind == OC_TENSOR)
            slot->symbolic = of_known(t, &slot->value);
        if (!slot)
            continue;
        oc_symbolic *y = slot->symbolic;
        const int n = y && is_followed(y->type) ? count_elements(t, y) : -1;
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
static bool find_numbers(trial *t, const oc_symbolic *y, oc_value *v)
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
        put_element(y->type, data, i, n);
    }
    *v = oc_value_borrow(y->type, dims, data);
    return data != NULL;
}

static void settle(trial *t)
{
    t->w->is_found = true;
    for (int k = 0; k < t->s->op.n_out; k++) {
        oc_slot *slot = slot_of(t->w, t->s->out[k]);
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

static oc_status follow_elements(trial *t)
{
    bool done = false;
    if (!room_for_elements(t))
        return OC_OK;
    const bool moved = fill_moved(t);
    if (moved)
        OC_TRY(move_elements(t, &done));
    for (int i = 0; i < t->s->op.n_in && !moved; i++)
        t->given[i] = t->w->in[i];
    if (!moved && has_elements(t) && oc_place_is_slot(t->s->out[0]))
        OC_TRY(compute_elements(t, &done));
    for (int k = 0; k < t->s->op.n_out && !done; k++)
        if (oc_place_is_slot(t->s->out[k]))
            t->w->g->slot[t->s->out[k]].symbolic->element = NULL;
    if (done && (moved || oc_sig_reads_dims_only(t->s->op.sig, t->s->op.n_in)))
        settle(t);
    return OC_OK;
}

static oc_status make_room(trial *t)
{
    const size_t n_in = (size_t)t->s->op.n_in, n_out = (size_t)t->s->op.n_out;
    t->in = oc_arena_array(&t->scratch, n_in, sizeof *t->in);
    t->given = oc_arena_array(&t->scratch, n_in, sizeof *t->given);
    t->value = oc_arena_array(&t->scratch, n_in, sizeof *t->value);
    t->made = oc_arena_array(&t->scratch, n_out, sizeof *t->made);
    t->out = oc_arena_array(&t->scratch, n_out, sizeof *t->out);
    t->answer = oc_arena_room(&t->scratch, n_out * sizeof *t->answer, OC_ALIGN);
    OC_TRY(oc_arena_check(&t->scratch, t->w->p->e));
    for (int k = 0; k < t->s->op.n_out; k++)
        t->out[k] = t->w->out[k] ? &t->made[k] : NULL;
    return OC_OK;
}

/* Looks at the inputs anew; *seen: what the rule needs of them is there. */
static oc_status look(trial *t, bool *seen)
{
    t->n_names = t->n_numbers = 0;
    t->guessed = false;
    *seen = view_inputs(t);
    for (int i = 0; i < t->s->op.n_in && *seen; i++)
        if (t->in[i] && t->in[i]->element)
            t->value[i].data = oc_arena_array(&t->scratch, (size_t)t->in[i]->n, 16);
    return oc_arena_check(&t->scratch, t->w->p->e);
}

/* With each rank that inputs without one may have: what all agree on is known. */
static oc_status follow_ranks(trial *t)
{
    bool seen, first = true;
    for (t->assumed = 0; t->assumed <= MOST_RANK; t->assumed++) {
        OC_TRY(look(t, &seen));
        if (seen)
            OC_TRY(follow_dims(t, first));
        first &= t->n == 0;
    }
    return OC_OK;
}

/* Who looks at a model hears of channels that fit for no size of the other dims. */
static oc_status check_channels(trial *t)
{
    const oc_traits *traits = oc_step_traits(t->s);
    if (!traits || !traits->channels || !t->w->p->listener || t->w->has_run || t->assumed >= 0)
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
    return traits->channels(&c);
}

static oc_status follow(trial *t)
{
    bool seen;
    OC_TRY(make_room(t));
    OC_TRY(look(t, &seen));
    if (!seen)
        return OC_OK;
    OC_TRY(check_channels(t));
    if (t->assumed >= 0)
        return t->w->p->listener ? follow_ranks(t) : OC_OK;
    if (!t->w->has_run)
        OC_TRY(follow_dims(t, true));
    return t->s->op.version->shape ? follow_elements(t) : OC_OK;
}

oc_status oc_plan_follow_symbols(oc_walk *w, oc_step *s)
{
    w->is_found = false;
    const oc_traits *traits = oc_step_traits(s);
    if (!w->p->expressions || s->op.hosts || s->op.n_out > MOST_OUTPUTS ||
        !(s->op.version->shape || (traits && traits->outline)) ||
        (w->has_run && w->has_values))
        return OC_OK;
    trial t = {.w = w, .s = s, .x = w->p->expressions, .assumed = -1,
               .scratch = oc_arena_new(&w->p->plan->memory)};
    const oc_status status = follow(&t);
    oc_arena_free(&t.scratch);
    OC_TRY(status);
    return oc_arena_check(w->p->services.strings, w->p->e);
}
