/* SPDX-License-Identifier: Apache-2.0
 * graph_shapes.c - what does a graph within a node give when only the dims of its inputs are
 * known? */
#include "ops/kit/call_run.h"
#include "runtime/session.h"

enum { SMALL = 4096 }; /* bytes of values that are computed, because dims may depend on them */

static const oc_value unknown = {.dims.rank = -1};

/* Are the type and the dims of the value known, even if its elements are not? A list is known
 * only with its items. */
static bool has_shape(const oc_value *v)
{
    return v->kind == OC_TENSOR ? v->dims.rank >= 0 : v->buffer != NULL;
}

static bool has_elements(const oc_value *v)
{
    return has_shape(v) && v->data;
}

/* ---- one step ---- */

static bool is_small(oc_value *const *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i] && (v[i]->kind != OC_TENSOR || oc_value_bytes(v[i]) > SMALL))
            return false;
    return true;
}

static void forget_outputs(const oc_step *step, const oc_frame *f)
{
    for (int i = 0; i < step->op.n_out; i++)
        if (step->out[i] != OC_NOWHERE) {
            oc_value_unref(&f->slot[step->out[i]]);
            f->slot[step->out[i]] = unknown;
        }
}

/* Does the failure of a step that may never run end the run? An error of the model or the
 * operator does not. */
static bool ends_run(oc_status status)
{
    return status == OC_CANCELLED || status == OC_DEADLINE || status == OC_NOMEM;
}

/* Runs the shape rule of a step, then its operator if all that the operator reads is known and
 * small. */
static oc_status infer(oc_session *s, const oc_frame *f, const oc_step *step)
{
    bool shapes = step->op.version->shape != NULL, values = true;
    for (int i = 0; i < step->op.n_in; i++) {
        const oc_value *v = f->in[i] = oc_frame_at(s->plan, f, step->in[i]);
        if (!v)
            continue;
        const bool elements = has_elements(v);
        shapes &= has_shape(v) &&
                  (elements || !oc_sig_port_at(step->op.sig->in, step->op.sig->n_in, i)->value);
        values &= elements;
    }
    forget_outputs(step, f);
    if (!shapes)
        return OC_OK;
    for (int i = 0; i < step->op.n_out; i++) {
        f->out[i] = step->out[i] == OC_NOWHERE ? NULL : &f->slot[step->out[i]];
        if (f->out[i])
            *f->out[i] = (oc_value){0};
    }
    oc_call c = oc_step_call(step, f->in, f->out, &s->services);
    oc_status status = oc_call_plan(&c);
    values |= oc_sig_reads_dims_only(step->op.sig, step->op.n_in);
    if (status == OC_OK && values && !step->op.sig->random && !step->op.hosts &&
        is_small(f->out, step->op.n_out))
        status = oc_call_run(&c);
    if (status == OC_OK || ends_run(status))
        return status;
    *s->services.error = (oc_error){.code = OC_OK};
    forget_outputs(step, f);
    return OC_OK;
}

/* ---- the graph ---- */

static void enter(const oc_frame *f, const oc_value *in, int n_in)
{
    const oc_graph_plan *g = f->graph;
    for (int i = 0; i < g->n_capture; i++)
        f->slot[g->capture[i].inner] = oc_value_ref(&f->outer->slot[g->capture[i].outer]);
    for (int i = 0; i < n_in; i++)
        f->slot[g->input[i]] =
            g->graph->input[i].type.kind == OC_TYPE_OPTIONAL ? unknown : oc_value_ref(&in[i]);
}

static oc_status infer_steps(oc_session *s, const oc_frame *f)
{
    for (int i = 0; i < f->graph->n_step; i++) {
        const oc_step *step = f->graph->step[i];
        OC_TRY(oc_watch_step(&s->watch, s->services.error));
        if (!step->computed)
            OC_TRY(infer(s, f, step));
        for (int k = 0; k < step->n_release; k++)
            oc_value_unref(&f->slot[step->release[k]]);
    }
    return OC_OK;
}

/* Returns what is known about output i: from its value, else from its type and declaration. */
static oc_value describe(const oc_session *s, const oc_call *c, const oc_frame *f, int attr, int i)
{
    const oc_graph_plan *g = f->graph;
    const oc_value *v = oc_frame_at(s->plan, f, g->output[i]);
    oc_value declared;
    if (has_shape(v) && v->type)
        return (oc_value){.kind = v->kind, .type = v->type, .dims = v->dims};
    oc_plan_graph_port(c, attr, false, i, &declared);
    if (declared.type == OC_UNDEFINED) {
        const oc_known_type t = oc_type_get(&g->types, g->graph->output[i].name);
        declared.kind = t.kind;
        declared.type = t.type;
    }
    return declared;
}

oc_status oc_exec_shapes(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                         oc_value *out, int n_out)
{
    oc_session *s = session;
    const oc_step *step = oc_step_of(c);
    oc_frame *f = &s->frame[step->graph[attr]->id];
    enter(f, in, n_in);
    const oc_status status = infer_steps(s, f);
    for (int i = 0; status == OC_OK && i < n_out; i++)
        out[i] = describe(s, c, f, attr, i);
    oc_frame_clear(f);
    return status;
}
