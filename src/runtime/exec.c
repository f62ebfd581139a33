/* SPDX-License-Identifier: Apache-2.0
 * exec.c - runs the steps of a plan, and plans within plans. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/session.h"

#include <string.h>
#include <time.h>

uint64_t oc_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- limits ---- */

oc_status oc_exec_check_limits(void *session)
{
    const oc_session *s = session;
    if (s->options.limits.cancel && s->options.limits.cancel(s->options.limits.cancel_ctx))
        return oc_error_set(s->services.error, OC_CANCELLED,
                            "the run was cancelled after %lld nodes", (long long)s->steps);
    if (s->deadline && oc_clock() > s->deadline)
        return oc_error_set(s->services.error, OC_DEADLINE,
                            "the run passed its deadline of %g s after %lld nodes",
                            s->options.limits.deadline, (long long)s->steps);
    return OC_OK;
}

static oc_status count_step(oc_session *s)
{
    if (s->options.limits.max_steps && s->steps >= s->options.limits.max_steps)
        return oc_error_set(s->services.error, OC_LIMIT,
                            "the run passed its limit of %lld executed nodes",
                            (long long)s->options.limits.max_steps);
    s->steps++;
    return oc_exec_check_limits(s);
}

/* ---- one step ---- */

static oc_call make_call(oc_session *s, const oc_plan *plan, const oc_step *step)
{
    for (int i = 0; i < step->n_in; i++)
        step->in_value[i] = step->in[i] < 0 ? NULL : &plan->slot[step->in[i]];
    for (int i = 0; i < step->n_out; i++)
        step->out_value[i] = step->out[i] < 0 ? NULL : &plan->slot[step->out[i]];
    return (oc_call){.row = step->row,
                     .sig = step->sig,
                     .node = step->label,
                     .attr = step->attr,
                     .in = step->in_value,
                     .out = step->out_value,
                     .n_in = step->n_in,
                     .n_out = step->n_out,
                     .deferred = step->use != NULL,
                     .step = step,
                     .services = &s->services};
}

static void report(const oc_session *s, const oc_plan *plan, const oc_step *step, bool begin,
                   int64_t sequence, uint64_t nanoseconds)
{
    const bool values = s->options.observer.view != OC_VIEW_NONE;
    const oc_node_event event = {.begin = begin,
                                 .depth = plan->depth,
                                 .sequence = sequence,
                                 .name = step->node->name,
                                 .domain = step->node->domain,
                                 .op_type = step->node->op_type,
                                 .since = step->row->since,
                                 .n_in = step->n_in,
                                 .n_out = step->n_out,
                                 .in = values ? step->in_value : NULL,
                                 .out = values ? (const oc_value *const *)step->out_value : NULL,
                                 .out_name = step->node->out,
                                 .nanoseconds = (int64_t)nanoseconds,
                                 .fused_into = step->use ? step->use->node->op_type : NULL};
    s->options.observer.on_node(s->options.observer.on_node_ctx, &event);
}

static oc_status run_call(oc_session *s, const oc_plan *plan, const oc_step *step, oc_call *c)
{
    if (!step->fusion)
        return oc_call_run(c);
    const oc_call make = make_call(s, plan, step->make);
    c->fusion = step->fusion;
    c->make = &make;
    return oc_call_run(c);
}

static oc_status run_step(oc_session *s, const oc_plan *plan, const oc_step *step)
{
    OC_TRY(count_step(s));
    const int64_t sequence = s->steps - 1;
    oc_call c = make_call(s, plan, step);
    if (!s->options.observer.on_node)
        return run_call(s, plan, step, &c);
    report(s, plan, step, true, sequence, 0);
    const uint64_t start = oc_clock();
    OC_TRY(run_call(s, plan, step, &c));
    report(s, plan, step, false, sequence, oc_clock() - start);
    return OC_OK;
}

static oc_status run_steps(oc_session *s, const oc_plan *plan)
{
    for (int i = 0; i < plan->n_step; i++) {
        const oc_step *step = &plan->step[i];
        OC_TRY(run_step(s, plan, step));
        for (int k = 0; k < step->n_release; k++)
            oc_value_unref(&plan->slot[step->release[k]]);
    }
    return OC_OK;
}

static void clear_slots(const oc_plan *plan)
{
    for (int i = 0; i < plan->n_slot; i++)
        if (!plan->keep[i])
            oc_value_unref(&plan->slot[i]);
}

/* ---- the main graph ---- */

/* Copies the initializers that are not aligned in the mapped file; once, since a copy stays. */
static oc_status copy_late(oc_session *s)
{
    for (int i = 0; i < s->n_late; i++) {
        const oc_value *from = s->late[i].from;
        oc_value copy;
        if (s->late[i].to->data)
            continue;
        OC_TRY(oc_value_new_tensor(&s->pool, from->type, &from->dims, &copy, s->services.error));
        memcpy(copy.data, from->data, oc_value_bytes(from));
        *s->late[i].to = copy;
    }
    return OC_OK;
}

oc_status oc_exec_run(oc_session *s)
{
    clear_slots(s->plan);
    oc_arena_free(&s->strings);
    s->steps = 0;
    s->has_run = false;
    s->deadline = s->options.limits.deadline > 0
                      ? oc_clock() + (uint64_t)(s->options.limits.deadline * 1e9)
                      : 0;
    oc_status status = copy_late(s);
    if (status == OC_OK)
        status = oc_session_load_inputs(s);
    if (status == OC_OK)
        status = run_steps(s, s->plan);
    if (status != OC_OK)
        clear_slots(s->plan);
    s->has_run = status == OC_OK;
    return status;
}

/* ---- graphs within: the bodies of If, Loop, Scan ---- */

/* Gives an input of a graph its value. Where the graph declares an optional, a tensor or sequence
 * becomes one that holds it. */
static oc_status put_input(oc_session *s, const oc_plan *plan, int i, const oc_value *v)
{
    oc_value *slot = &plan->slot[plan->input[i]];
    if (plan->graph->input[i].type.kind != OC_TYPE_OPTIONAL || v->kind == OC_OPTIONAL) {
        *slot = oc_value_ref(v);
        return OC_OK;
    }
    OC_TRY(oc_value_new_list(&s->pool, OC_OPTIONAL, v->type, 1, slot, s->services.error));
    oc_value_items(slot)[0] = oc_value_ref(v);
    return OC_OK;
}

static oc_status enter(oc_session *s, const oc_plan *plan, const oc_value *in, int n_in)
{
    for (int i = 0; i < plan->n_capture; i++)
        plan->slot[plan->capture[i].inner] =
            oc_value_ref(&plan->outer->slot[plan->capture[i].outer]);
    if (n_in != plan->n_input)
        return oc_error_set(s->services.error, OC_MODEL,
                            "graph '%s' has %d inputs, expected %d from the node around it",
                            plan->graph->name, plan->n_input, n_in);
    for (int i = 0; i < n_in; i++)
        OC_TRY(put_input(s, plan, i, &in[i]));
    return OC_OK;
}

static oc_status leave(oc_session *s, const oc_plan *plan, oc_value *out, int n_out)
{
    if (n_out != plan->n_output)
        return oc_error_set(s->services.error, OC_MODEL,
                            "graph '%s' has %d outputs, expected %d by the node around it",
                            plan->graph->name, plan->n_output, n_out);
    for (int i = 0; i < n_out; i++)
        out[i] = oc_value_ref(&plan->slot[plan->output[i]]);
    return OC_OK;
}

oc_status oc_exec_graph(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                        oc_value *out, int n_out)
{
    oc_session *s = session;
    const oc_step *step = c->step;
    const oc_plan *plan = step->graph[attr];
    for (int i = 0; i < n_out; i++)
        out[i] = (oc_value){0};
    oc_status status = enter(s, plan, in, n_in);
    /* A graph without nodes counts as one, so that a loop around it ends too. */
    if (status == OC_OK && plan->n_step == 0)
        status = count_step(s);
    if (status == OC_OK)
        status = run_steps(s, plan);
    if (status == OC_OK)
        status = leave(s, plan, out, n_out);
    clear_slots(plan);
    return status;
}

void oc_exec_graph_ports(void *session, const oc_call *c, int attr, int *n_in, int *n_out)
{
    (void)session;
    const oc_plan *plan = ((const oc_step *)c->step)->graph[attr];
    *n_in = plan->n_input;
    *n_out = plan->n_output;
}

void oc_exec_graph_out(void *session, const oc_call *c, int attr, int i, oc_value *declared)
{
    (void)session;
    const oc_plan *plan = ((const oc_step *)c->step)->graph[attr];
    const oc_type_info *t = &plan->graph->output[i].type;
    *declared = (oc_value){.type = OC_UNDEFINED, .dims.rank = -1};
    if (t->kind != OC_TYPE_TENSOR)
        return;
    declared->type = t->type;
    if (t->rank < 0 || t->rank > OC_MAX_RANK)
        return;
    declared->dims.rank = t->rank;
    for (int a = 0; a < t->rank; a++)
        declared->dims.n[a] = t->dims[a].n;
}

void oc_exec_attr_type(const oc_attr *attr, oc_value *declared)
{
    const oc_type_info *t = attr->u.type;
    *declared = (oc_value){.kind = t->kind == OC_TYPE_SEQUENCE ? OC_SEQUENCE : OC_TENSOR};
    if (t->kind == OC_TYPE_SEQUENCE)
        t = t->item;
    declared->type = t && t->kind == OC_TYPE_TENSOR ? t->type : OC_UNDEFINED;
}
