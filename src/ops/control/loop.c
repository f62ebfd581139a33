/* SPDX-License-Identifier: Apache-2.0
 * loop.c - Loop: a graph run again and again, while a condition holds or a number of times.
 *
 * The body takes the iteration number, the condition and the states; it gives the condition, the
 * states and the scan outputs. */
#include "ops/control/stack.h"

enum { FIRST_ROOM = 8 };

typedef struct loop {
    oc_call *c;
    int n_state, n_scan;
    oc_value *in, *out; /* inputs and outputs of the body */
    oc_stack *stack;    /* a stack for each scan output */
} loop;

/* Makes input i of the body, a scalar. As a list of one element it is declared by some bodies,
 * which the standard does not allow; other engines then give them one. */
static oc_status make_scalar(oc_call *c, int i, oc_type type, const void *element, oc_value *v)
{
    const oc_dims dims = {oc_graph_in(c, "body", i).dims.rank == 1, {1}};
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), type, &dims, v, oc_call_error(c)));
    memcpy(v->data, element, oc_type_size(type));
    return OC_OK;
}

static oc_status prepare(loop *l)
{
    oc_call *c = l->c;
    const int n_out = oc_graph_n_out(c, "body"), n_in = oc_graph_n_in(c, "body");
    l->n_state = oc_n_in(c) > 2 ? oc_n_in(c) - 2 : 0;
    const int n_scan = n_out - 1 - l->n_state;
    if (n_in != 2 + l->n_state || n_scan < 0 || oc_n_out(c) > n_out - 1)
        return oc_fail(c, OC_MODEL,
                       "the body has %d inputs and %d outputs, which does not fit a node with %d "
                       "states and %d outputs",
                       n_in, n_out, l->n_state, oc_n_out(c));
    oc_value *values;
    OC_TRY(OC_SCRATCH(c, values, n_in + n_out));
    OC_TRY(OC_SCRATCH(c, l->stack, n_scan));
    memset(values, 0, sizeof *values * (size_t)(n_in + n_out));
    l->in = values;
    l->out = values + n_in;
    for (int i = 0; i < n_scan; i++)
        l->stack[i] = (oc_stack){.room = FIRST_ROOM, .port = 1 + l->n_state + i};
    l->n_scan = n_scan;
    for (int i = 0; i < l->n_state; i++) {
        const oc_value *state = oc_in_or_null(c, 2 + i);
        if (!state)
            return oc_fail(c, OC_MODEL, "input %d is missing, expected a state", 2 + i);
        l->in[2 + i] = oc_value_ref(state);
    }
    return OC_OK;
}

/* May *next become the state after *state? An optional may be followed by a value that it could
 * hold, because the body wraps that value again. */
static bool may_follow(const oc_value *state, const oc_value *next)
{
    const bool known = state->type && next->type;
    if (state->kind != next->kind && state->kind != OC_OPTIONAL)
        return false;
    return !known || state->type == next->type;
}

/* The outputs of iteration n become the inputs of the next. */
static oc_status take_outputs(loop *l, int64_t n)
{
    for (int i = 0; i < l->n_state; i++) {
        oc_value *state = &l->in[2 + i], *next = &l->out[1 + i];
        char have[OC_VALUE_TEXT], want[OC_VALUE_TEXT];
        if (!may_follow(state, next))
            return oc_fail(l->c, OC_TYPE, "output %d of the body is %s, expected the type of %s",
                           1 + i, oc_value_text(next, have), oc_value_text(state, want));
        oc_value_unref(state);
        *state = *next;
        *next = (oc_value){0};
    }
    for (int i = 0; i < l->n_scan; i++) {
        oc_value *item = &l->out[1 + l->n_state + i];
        oc_stack *s = &l->stack[i];
        if (oc_wants(l->c, l->n_state + i)) {
            if (n == s->room)
                OC_TRY(oc_stack_grow(l->c, s));
            OC_TRY(oc_stack_put(l->c, s, n, item));
        }
        oc_value_unref(item);
    }
    oc_value_unref(&l->in[1]);
    l->in[1] = l->out[0];
    l->out[0] = (oc_value){0};
    return OC_OK;
}

/* Without the input cond the standard ignores the body's condition, but other engines heed it. */
static void remark_on_condition(const loop *l)
{
    const oc_value *cond = &l->in[1];
    if (cond->kind == OC_TENSOR && cond->type == OC_BOOL && oc_value_n(cond) == 1 &&
        !*(const uint8_t *)cond->data)
        oc_remark(l->c, "the condition of the body is false, which ends no Loop without input "
                        "'cond'; some other engines end it");
}

static oc_status iterate(loop *l, int64_t *n)
{
    oc_call *c = l->c;
    const oc_value *count = oc_in_or_null(c, 0), *condition = oc_in_or_null(c, 1);
    int64_t most = 0;
    bool go = true;
    if (count)
        OC_TRY(oc_in_int(c, 0, &most));
    if (condition)
        OC_TRY(oc_one_bool(c, condition, "input 1", &go));
    OC_TRY(make_scalar(c, 1, OC_BOOL, &go, &l->in[1]));
    for (*n = 0; go && (!count || *n < most); ++*n) {
        OC_TRY(make_scalar(c, 0, OC_I64, n, &l->in[0]));
        OC_TRY(oc_run_graph(c, "body", l->in, 2 + l->n_state, l->out, 1 + l->n_state + l->n_scan));
        oc_value_unref(&l->in[0]);
        OC_TRY(take_outputs(l, *n));
        if (condition)
            OC_TRY(oc_one_bool(c, &l->in[1], "output 0 of the body", &go));
        else
            remark_on_condition(l);
    }
    return OC_OK;
}

/* Finds what the items of the scan outputs would be if an iteration ran. */
static oc_status find_items(loop *l)
{
    const int64_t first = 0;
    OC_TRY(make_scalar(l->c, 0, OC_I64, &first, &l->in[0]));
    OC_TRY(
        oc_graph_shapes(l->c, "body", l->in, 2 + l->n_state, l->out, 1 + l->n_state + l->n_scan));
    for (int i = 0; i < l->n_scan; i++)
        l->stack[i].item = l->out[1 + l->n_state + i];
    return OC_OK;
}

static oc_status give_outputs(loop *l, int64_t n)
{
    if (n == 0 && l->n_scan)
        OC_TRY(find_items(l));
    for (int i = 0; i < l->n_state; i++)
        oc_give_out(l->c, i, &l->in[2 + i]);
    for (int i = 0; i < l->n_scan; i++)
        if (oc_wants(l->c, l->n_state + i))
            OC_TRY(oc_stack_end(l->c, &l->stack[i], n, oc_out_or_null(l->c, l->n_state + i)));
    return OC_OK;
}

static void release(loop *l)
{
    for (int i = 0; l->in && i < 2 + l->n_state; i++)
        oc_value_unref(&l->in[i]);
    for (int i = 0; l->out && i < 1 + l->n_state + l->n_scan; i++)
        oc_value_unref(&l->out[i]);
    for (int i = 0; i < l->n_scan; i++)
        oc_value_unref(&l->stack[i].all);
}

static oc_status loop_run(oc_call *c)
{
    loop l = {.c = c};
    int64_t n;
    oc_status status = prepare(&l);
    if (status == OC_OK)
        status = iterate(&l, &n);
    if (status == OC_OK)
        status = give_outputs(&l, n);
    release(&l);
    return status;
}

/* States may have other dims after each iteration. */
static oc_status loop_outline(oc_call *c)
{
    const int n = oc_min(oc_n_out(c), oc_graph_n_out(c, "body") - 1);
    for (int i = oc_max(oc_n_in(c) - 2, 0); i < n; i++) {
        const oc_value item = oc_graph_out(c, "body", i + 1);
        if (item.dims.rank < 0 || item.dims.rank == OC_MAX_RANK)
            continue;
        oc_dims dims = {.rank = item.dims.rank + 1, .n[0] = -1};
        memcpy(dims.n + 1, item.dims.n, (size_t)item.dims.rank * sizeof *dims.n);
        OC_TRY(oc_outline(c, i, item.type, &dims));
    }
    return OC_OK;
}

/* clang-format off */
#define LOOP NULL, loop_run, OC_TRAITS(.outline = loop_outline)
#define SIG(set) "Loop <graph body from M gives 1> (int64 M?, bool cond?, V v_initial?~...)" \
                 " => (V v_final_and_scan_outputs~...) | V: " set
#define LISTS(set) set " seq(" set ") opt(" set ") opt(seq(all_ir4))"
const oc_op oc_ops_loop[] = {
    {25, SIG(LISTS("all_ir13")), LOOP},
    {24, SIG(LISTS("all_ir12")), LOOP},
    {23, SIG(LISTS("all_ir11")), LOOP},
    {21, SIG(LISTS("all_ir10")), LOOP},
    {19, SIG(LISTS("all_ir9")),  LOOP},
    {16, SIG(LISTS("all_ir4")),  LOOP}, /* + optionals */
    {13, SIG("all seq(all)"),    LOOP}, /* + sequences */
    {11, SIG("all"),             LOOP},
    { 1, SIG("all"),             LOOP},
    {0}
};
