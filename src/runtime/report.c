/* SPDX-License-Identifier: Apache-2.0
 * report.c - tells the host's observer about a step.
 *
 * A value in NCHW16c is shown as a copy in NCHW. If the host changes the copy, the step's
 * readers get its elements. */
#include "runtime/session.h"
#include "runtime/sized.h"

#include <ocellus_model.h>

/* The values of one list as the host sees them. */
typedef struct view {
    const oc_value *const *list;
    int n;
    const oc_value *const *of; /* the values themselves */
    /* n copies; a cleared one means that the value itself is shown. NULL: all are shown
     * themselves. */
    oc_value *copy;
    const oc_value **mixed;
} view;

static void copy_value(oc_session *s, const oc_value *to, const oc_value *from)
{
    const oc_work all = {&s->services.parallel, s->services.threads, 0, &s->watch};
    oc_layout_copy(to, from, s->services.cpu, &all);
}

static bool is_copied(const oc_value *v)
{
    return v && v->kind == OC_TENSOR && oc_is_nchw16c(v) && v->data;
}

static oc_status fill_view(oc_session *s, view *w)
{
    for (int i = 0; i < w->n; i++) {
        const oc_value *v = w->of[i];
        w->copy[i] = (oc_value){0};
        w->mixed[i] = v;
        if (!is_copied(v))
            continue;
        OC_TRY(oc_value_new_tensor(&s->pool, v->type, &v->dims, &w->copy[i], s->services.error));
        copy_value(s, &w->copy[i], v);
        w->mixed[i] = &w->copy[i];
    }
    return OC_OK;
}

static oc_status open_view(oc_session *s, const oc_value *const *of, int n, view *w)
{
    bool any = false;
    *w = (view){.list = of, .of = of, .n = n};
    for (int i = 0; i < n; i++)
        any |= is_copied(of[i]);
    if (!any)
        return OC_OK;
    const size_t count = (size_t)n;
    w->copy = oc_memory_alloc(&s->memory, count * sizeof *w->copy);
    w->mixed = oc_memory_alloc(&s->memory, count * sizeof *w->mixed);
    if (!w->copy || !w->mixed)
        return oc_memory_error(&s->memory, count * sizeof *w->copy, s->services.error);
    w->list = w->mixed;
    for (int i = 0; i < n; i++)
        w->copy[i] = (oc_value){0};
    return fill_view(s, w);
}

static void close_view(oc_session *s, view *w, bool changed)
{
    for (int i = 0; i < w->n && w->copy; i++) {
        if (changed && w->copy[i].data)
            copy_value(s, w->of[i], &w->copy[i]);
        oc_value_unref(&w->copy[i]);
    }
    if (w->copy)
        oc_memory_free(&s->memory, w->copy, (size_t)w->n * sizeof *w->copy);
    if (w->mixed)
        oc_memory_free(&s->memory, w->mixed, (size_t)w->n * sizeof *w->mixed);
}

static void call_host(oc_session *s, const oc_frame *f, const oc_step *step,
                      const oc_node_event *times, const view *in, const view *out)
{
    const struct {
        oc_node_event event;
        char later[OC_SIZED_ROOM];
    } told = {.event = {.begin = times->begin,
                        .depth = f->graph->depth,
                        .sequence = times->sequence,
                        .name = step->node->name,
                        .domain = step->node->domain,
                        .op_type = step->node->op_type,
                        .since = step->op.version->since,
                        .n_in = step->op.n_in,
                        .n_out = step->op.n_out,
                        .in = in->list,
                        .out = out->list,
                        .out_name = step->node->out,
                        .nanoseconds = times->nanoseconds,
                        .fused_into = step->last ? step->last->node->op_type : NULL,
                        .runs = step->group ? step->group->name : step->node->op_type,
                        .fused_output = step->last ? step->last->node->out[0] : NULL}};
    s->options.observer.on_node(s->options.observer.on_node_ctx, &told.event);
}

oc_status oc_report_step(oc_session *s, const oc_frame *f, const oc_step *step, bool begin,
                         int64_t sequence, uint64_t nanoseconds)
{
    const oc_node_event times = {
        .begin = begin, .sequence = sequence, .nanoseconds = (int64_t)nanoseconds};
    view in = {0}, out = {0};
    oc_status status = OC_OK;
    if (s->options.observer.view != OC_VIEW_NONE) {
        status = open_view(s, f->in, step->op.n_in, &in);
        if (status == OC_OK)
            status = open_view(s, (const oc_value *const *)f->out, step->op.n_out, &out);
    }
    if (status == OC_OK)
        call_host(s, f, step, &times, &in, &out);
    close_view(s, &in, false);
    close_view(s, &out, status == OC_OK && !begin);
    return status;
}
