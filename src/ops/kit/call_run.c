/* SPDX-License-Identifier: Apache-2.0
 * call_run.c - checks a call, and runs it, alone or with those of its group. */
#include "ops/kit/call_run.h"

#include "ops/kit/host_call.h"
#include "ops/kit/layout.h"
#include "ops/kit/pattern.h"
#include "ops/kit/stages.h"

static bool set_has(const oc_sig_set *set, const oc_value *v)
{
    if (v->kind == OC_TENSOR)
        return oc_type_in(v->type, set->tensor);
    if (v->key)
        return oc_type_in(v->type, v->kind == OC_MAP ? set->map : set->map_sequence);
    if (v->type == OC_UNDEFINED) /* an empty list without a declared type fits every set */
        return v->kind == OC_SEQUENCE ? set->sequence || set->opt_sequence
                                      : set->optional || set->opt_sequence;
    if (v->kind == OC_SEQUENCE)
        return oc_type_in(v->type, set->sequence);
    return oc_type_in(v->type, set->optional | set->opt_sequence);
}

static oc_status wrong_type(oc_call *c, const char *side, int i, const oc_sig_port *port,
                            const oc_value *v)
{
    char expected[400], actual[OC_VALUE_TEXT];
    return oc_fail(c, OC_TYPE, "%s %d '%s' is %s, expected %s", side, i, port->name,
                   oc_value_text(v, actual),
                   oc_sig_set_text(&port->set, expected, sizeof expected));
}

/* The first value of a type variable binds it. */
static oc_status check_type(oc_call *c, const char *side, int i, const oc_sig_port *port,
                            const oc_value *v, const oc_value **bound)
{
    if (!set_has(&port->set, v))
        return wrong_type(c, side, i, port, v);
    if (port->var < 0 || port->mixed)
        return OC_OK;
    const oc_value **first = &bound[port->var];
    if (!*first)
        *first = v;
    if ((*first)->type != v->type && (*first)->type && v->type)
        return oc_fail(c, OC_TYPE, "%s %d '%s' is %s, expected %s as the other %s operands", side,
                       i, port->name, oc_type_name(v->type), oc_type_name((*first)->type),
                       c->op->sig->var[port->var]);
    return OC_OK;
}

/* Checks the types of n values; NULL ones pass, except inputs that a node must have. */
static oc_status check_types(oc_call *c, const char *side, const oc_value *const v[], int n,
                             const oc_sig_port *ports, int n_ports, const oc_value **bound)
{
    for (int i = 0; i < n; i++) {
        const oc_sig_port *port = oc_sig_port_at(ports, n_ports, i);
        if (!v[i] && !port->optional && ports == c->op->sig->in)
            return oc_fail(c, OC_MODEL, "input %d '%s' is missing", i, port->name);
        if (v[i])
            OC_TRY(check_type(c, side, i, port, v[i], bound));
    }
    return OC_OK;
}

static oc_status check_in(oc_call *c, const oc_value **bound)
{
    return check_types(c, "input", c->in, c->op->n_in, c->op->sig->in, c->op->sig->n_in, bound);
}

static oc_status check_out(oc_call *c, const oc_value **bound)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i] && c->out[i]->kind == OC_TENSOR && c->out[i]->type == OC_UNDEFINED)
            return oc_fail(c, OC_UNSUPPORTED, "output %d was not given a type", i);
    return check_types(c, "output", (const oc_value *const *)c->out, c->op->n_out, c->op->sig->out,
                       c->op->sig->n_out, bound);
}

/* Refuses inputs whose size overflows: a declared shape may have any dims, but shape rules rely on
 * products that do not overflow. */
static oc_status check_sizes(oc_call *c)
{
    for (int i = 0; i < c->op->n_in; i++) {
        const oc_value *v = c->in[i];
        char text[OC_DIMS_TEXT];
        if (v && v->kind == OC_TENSOR && !oc_call_may_have(c, v->type, &v->dims))
            return oc_fail(c, OC_SHAPE, "input %d is %s, which is too large", i,
                           oc_dims_text(&v->dims, text));
    }
    return OC_OK;
}

/* ---- the shape rule, and what is checked around it */

static bool is_kept(const oc_kept_shape *k, const oc_value *v)
{
    bool same = v->kind == OC_TENSOR && v->type == k->type && v->dims.rank == k->rank;
    for (int i = 0; same && i < k->rank; i++)
        same = v->dims.n[i] == k->n[i];
    return same;
}

/* Returns false if the value is more than a tensor of known dims. */
static bool keep_shape(oc_kept_shape *k, const oc_value *v)
{
    *k = (oc_kept_shape){.type = v->type, .rank = v->dims.rank};
    if (v->kind != OC_TENSOR || k->rank < 0 || k->rank > OC_KEPT_RANK)
        return false;
    for (int i = 0; i < k->rank; i++) {
        k->n[i] = (int32_t)v->dims.n[i];
        if (k->n[i] != v->dims.n[i])
            return false;
    }
    return true;
}

bool oc_call_compare(oc_call *c)
{
    const oc_planned *p = oc_call_planned(c);
    if (!p || !p->is_set)
        return false;
    for (int i = 0; i < c->op->n_in; i++)
        if (c->in[i] && !is_kept(&p->port[i], c->in[i]))
            return false;
    c->as_planned = true;
    return true;
}

void oc_call_remember(oc_call *c, oc_arena *arena, oc_planned **kept)
{
    const int n_in = c->op->n_in, n_out = c->op->n_out;
    oc_planned *p = *kept;
    if (!p)
        p = *kept = oc_arena_alloc(arena, sizeof *p + (size_t)(n_in + n_out) * sizeof *p->port);
    if (!p)
        return;
    p->is_set = false;
    if (p->memo)
        memset(p->memo, 0, p->memo_size);
    p->layouts = oc_call_layouts(c);
    for (int i = 0; i < n_in; i++)
        if (c->in[i] && !keep_shape(&p->port[i], c->in[i]))
            return;
    for (int i = 0; i < n_out; i++)
        if (c->out[i] && (c->out[i]->data || !keep_shape(&p->port[n_in + i], c->out[i])))
            return;
    p->is_set = true;
}

void *oc_call_memo(oc_call *c, size_t size)
{
    oc_planned *p = c->seen ? *c->seen : NULL;
    if (!p || !p->is_set)
        return NULL;
    if (!p->memo)
        p->memo = oc_arena_alloc(c->services->kept, size);
    p->memo_size = size;
    return p->memo;
}

/* Field by field: a struct that is made elsewhere and copied costs more than all the rest. */
static void set_out(oc_value *v, const oc_kept_shape *k)
{
    v->kind = OC_TENSOR;
    v->type = k->type;
    v->key = OC_UNDEFINED;
    v->dims.rank = k->rank;
    for (int a = 0; a < k->rank; a++)
        v->dims.n[a] = k->n[a];
    v->data = NULL;
    v->buffer = NULL;
    v->nchw16c = v->owned = v->bound = false;
}

static void set_planned(oc_call *c)
{
    const oc_kept_shape *k = oc_call_planned(c)->port + c->op->n_in;
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i])
            set_out(c->out[i], &k[i]);
}

static oc_status set_outputs(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    OC_TRY(check_in(c, bound));
    OC_TRY(oc_call_check_pattern(c));
    if (!c->op->version->shape)
        return OC_OK;
    OC_TRY(c->op->version->shape(c));
    OC_TRY(check_out(c, bound));
    if (c->seen)
        oc_call_remember(c, c->services->kept, c->seen);
    return OC_OK;
}

static oc_status plan_shapes(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    OC_TRY(check_in(c, bound));
    OC_TRY(check_sizes(c));
    OC_TRY(oc_call_check_pattern(c));
    OC_TRY(c->op->version->shape(c));
    return check_out(c, bound);
}

/* Returns the status of a call whose function has returned this status: the watch may have ended
 * its work although the function knows of no error. */
static oc_status end_call(oc_call *c, oc_status status)
{
    status = oc_call_agreed(c, status);
    if (status == OC_OK)
        status = oc_check_limits(c);
    oc_call_release(c);
    return status;
}

oc_status oc_call_plan(oc_call *c)
{
    c->was_set = 0;
    return end_call(c, plan_shapes(c));
}

static bool wants_any(const oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i])
            return true;
    return false;
}

static oc_status alloc_outputs(oc_call *c)
{
    for (int i = 0; i < c->op->n_out && c->op->version->run != oc_alias; i++)
        OC_TRY(oc_alloc_out(c, i));
    return OC_OK;
}

/* The calls to run: those of a group, or a call alone. With none, only checks and the shape rule
 * run. */
typedef struct order {
    oc_call *const *call;
    int n;
} order;

/* Runs calls one by one, which store their results, until the rest can run together. */
static oc_status run_one_by_one(oc_call *const call[], int n)
{
    bool together = false;
    for (int i = 0; i + 1 < n; i++) {
        *call[i]->out[0] = (oc_value){0};
        OC_TRY(oc_call_run(call[i]));
        if (i + 2 < n)
            OC_TRY(oc_group_run(call + i + 1, n - i - 1, &together));
        if (together)
            return OC_OK;
    }
    oc_call *last = call[n - 1];
    const oc_layouts l = oc_call_layouts(last);
    OC_TRY(oc_call_arrange(last, &l, last->out[0]->nchw16c));
    return last->op->version->run(last);
}

static oc_status run_calls(oc_call *c, const order *o)
{
    bool together;
    if (o->n == 1)
        return c->op->version->run(c);
    OC_TRY(oc_group_run(o->call, o->n, &together));
    return together ? OC_OK : run_one_by_one(o->call, o->n);
}

/* Does the call run in NCHW16c? A stage follows its producer, whatever the plan says. */
static bool runs_in_nchw16c_alone(const oc_layouts *l, const order *o)
{
    return l->only || (o->n > 1 && oc_call_layouts(o->call[0]).only);
}

/* Runs a version that makes output 0 in NCHW16c, where the plan has it in NCHW. */
static oc_status run_apart(oc_call *c, const order *o)
{
    oc_value *const *out = c->out, made = *out[0], **own;
    const oc_dims in_memory = oc_value_block_dims(&made.dims);
    OC_TRY(alloc_outputs(c));
    OC_TRY(OC_SCRATCH(c, own, c->op->n_out));
    OC_TRY(OC_SCRATCH_OF(c, made.data, oc_dims_count(&in_memory), oc_type_size(made.type)));
    made.nchw16c = true;
    for (int i = 1; i < c->op->n_out; i++)
        own[i] = out[i];
    own[0] = &made;
    c->out = own;
    const oc_status status = run_calls(c, o);
    c->out = out;
    if (status == OC_OK)
        oc_call_copy_layout(c, out[0], &made);
    return status;
}

/* Is the result an input that lies as the call takes it? */
static bool is_copy(oc_call *c, const oc_value *x, const order *o)
{
    const oc_traits *traits = oc_call_traits(c);
    return o->n == 1 && traits && traits->adds && c->in[0] == x && traits->adds(c, NULL);
}

/* Runs a call whose shape rule, if it has one, has run. */
static oc_status run_in_layout(oc_call *c, const order *o)
{
    const oc_layouts l = oc_call_layouts(c);
    const oc_value *x = c->op->n_in ? c->in[0] : NULL;
    const bool nchw16c = oc_layouts_nchw16c(&l) && (c->op->nchw16c || runs_in_nchw16c_alone(&l, o));
    OC_TRY(oc_call_arrange(c, &l, nchw16c));
    c->running = true;
    if (c->op->version->shape && nchw16c && l.out && !c->op->nchw16c)
        return run_apart(c, o);
    if (x && is_copy(c, x, o))
        return oc_alias(c);
    if (c->op->version->shape) {
        if (nchw16c && l.out)
            c->out[0]->nchw16c = true;
        OC_TRY(alloc_outputs(c));
    }
    return run_calls(c, o);
}

/* Checks the outputs that a version without a shape rule has made. */
static oc_status check_made(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    OC_TRY(check_in(c, bound));
    return check_out(c, bound);
}

static oc_status shape_and_run(oc_call *c, const order *o)
{
    OC_TRY(oc_call_snapshot(c));
    if (oc_call_compare(c))
        set_planned(c);
    else
        OC_TRY(set_outputs(c));
    if (o->n == 0 || (c->op->version->shape && !wants_any(c)))
        return OC_OK;
    OC_TRY(run_in_layout(c, o));
    if (!c->op->version->shape)
        OC_TRY(check_made(c));
    return c->op->hosts ? oc_call_check_strings(c) : OC_OK;
}

static oc_status do_call(oc_call *c, const order *o)
{
    c->was_set = 0;
    return end_call(c, shape_and_run(c, o));
}

oc_status oc_call_run(oc_call *c)
{
    return do_call(c, &(order){&c, 1});
}

oc_status oc_call_run_group(oc_call *const call[], int n)
{
    return do_call(call[n - 1], &(order){call, n});
}

oc_status oc_call_check(oc_call *c)
{
    return do_call(c, &(order){NULL, 0});
}

oc_status oc_call_prepare(oc_call *c)
{
    const oc_value *bound[OC_SIG_VARS] = {NULL};
    for (int i = 0; i < c->op->n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(c->op->sig->in, c->op->sig->n_in, i);
        if (!c->in[i] && !port->optional)
            return oc_fail(c, OC_MODEL, "input %d '%s' is missing", i, port->name);
        if (c->in[i] && c->in[i]->data)
            OC_TRY(check_type(c, "input", i, port, c->in[i], bound));
    }
    return end_call(c, c->op->version->prepare(c));
}
