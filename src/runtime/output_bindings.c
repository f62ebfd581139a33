/* SPDX-License-Identifier: Apache-2.0
 * output_bindings.c - puts graph outputs into memory of the host. */
#include "graph/declared.h"
#include "runtime/session.h"

/* ---- bound by the host ---- */

/* Fills *o, except for what depends on the plan. */
static oc_status describe(oc_output_binding *o, const char *name, const oc_value *want, void *data,
                          size_t size, oc_error *e)
{
    const oc_dims *d = &want->dims;
    bool good = oc_type_is_listed(want->type), known = good && d->rank >= 0;
    for (int i = 0; i < d->rank; i++) {
        good = good && d->n[i] >= -1;
        known = known && d->n[i] >= 0;
    }
    int64_t count;
    size_t bytes = 0;
    if (!good || (known && !oc_dims_bytes(d, oc_type_size(want->type), &count, &bytes)))
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind_output: output '%s' needs a type, and dims >= -1", name);
    if (want->type == OC_STRING)
        return oc_error_set(e, OC_TYPE,
                            "oc_bind_output: strings of output '%s' are the session's, expected "
                            "another type",
                            name);
    if (bytes > size)
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind_output: output '%s' takes %zu bytes, %zu are bound", name,
                            bytes, size);
    *o = (oc_output_binding){.data = data, .size = size, .want = *want, .stale = true};
    const oc_value probe = oc_value_borrow(want->type, *d, data);
    if (oc_value_is_aligned(&probe))
        return OC_OK;
    return oc_error_set(e, OC_ARGUMENT,
                        "oc_bind_output: the memory of output '%s' is not aligned to %zu bytes, as "
                        "%s needs",
                        name, oc_type_align(want->type), oc_type_name(want->type));
}

static oc_status check_declared(const oc_value_info *info, const oc_value *want, oc_error *e)
{
    char text[OC_DECLARED_TEXT];
    const oc_type type = oc_declared_type(&info->type);
    if (info->type.kind == OC_TYPE_NONE ||
        (oc_declared_kind(&info->type) == OC_TENSOR && (!type || type == want->type)))
        return OC_OK;
    return oc_error_set(e, OC_TYPE, "oc_bind_output: output '%s' is %s, but %s is bound",
                        info->name, oc_declared_text(&info->type, text), oc_type_name(want->type));
}

/* Does a step of the main graph, or a graph within a step, read the slot? */
static bool is_read(const oc_plan *plan, int slot)
{
    const oc_graph_plan *g = plan->graph[0];
    for (int i = 0; i < g->n_step; i++)
        for (int k = 0; k < g->step[i]->op.n_in; k++)
            if (g->step[i]->in[k] == slot)
                return true;
    for (int i = 1; i < plan->n_graph; i++)
        for (int k = 0; plan->graph[i]->outer == g && k < plan->graph[i]->n_capture; k++)
            if (plan->graph[i]->capture[k].outer == slot)
                return true;
    return false;
}

static oc_status make_output_bindings(oc_session *s, oc_error *e)
{
    if (s->binding)
        return OC_OK;
    s->binding =
        oc_arena_array(&s->arena, (size_t)oc_session_graph(s)->n_output, sizeof *s->binding);
    return oc_arena_check(&s->arena, e);
}

oc_status oc_output_bind(oc_session *s, int output, const oc_value *want, void *data, size_t size,
                         oc_error *e)
{
    const oc_graph_plan *g = oc_session_graph(s);
    const oc_value_info *info = &g->graph->output[output];
    oc_output_binding o = {.stale = true};
    OC_TRY(make_output_bindings(s, e));
    if (data) {
        OC_TRY(describe(&o, info->name, want, data, size, e));
        OC_TRY(check_declared(info, want, e));
        o.direct = oc_place_is_slot(g->output[output]) && !is_read(s->plan, g->output[output]) &&
                   (uintptr_t)data % OC_ALIGN == 0;
    }
    s->binding[output] = o;
    return OC_OK;
}

/* ---- before a run ---- */

static bool overlap(const void *a, size_t a_size, const void *b, size_t b_size)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_size && b_size && (x < y ? y - x < a_size : x - y < b_size);
}

static bool lies_within(const oc_value *v, const oc_output_binding *o)
{
    for (int64_t i = 0; v->kind != OC_TENSOR && i < oc_value_n(v); i++)
        if (lies_within(&oc_value_items(v)[i], o))
            return true;
    return v->kind == OC_TENSOR && overlap(v->data, oc_value_bytes(v), o->data, o->size);
}

/* Checks that nothing that the run reads or writes overlaps the memory of this output. */
static oc_status check_alone(const oc_session *s, int output)
{
    const oc_graph_plan *g = oc_session_graph(s);
    const oc_output_binding *o = &s->binding[output];
    const char *name = g->graph->output[output].name;
    for (int i = 0; i < g->n_input; i++)
        if (s->bound[i].dims.rank >= 0 && lies_within(&s->bound[i], o))
            return oc_error_set(s->services.error, OC_ARGUMENT,
                                "output '%s' is bound to memory that input '%s' has", name,
                                g->graph->input[i].name);
    for (int i = 0; i < output; i++)
        if (overlap(s->binding[i].data, s->binding[i].size, o->data, o->size))
            return oc_error_set(s->services.error, OC_ARGUMENT,
                                "output '%s' is bound to memory that output '%s' has", name,
                                g->graph->output[i].name);
    return OC_OK;
}

oc_status oc_output_bindings_begin(oc_session *s)
{
    s->services.room = NULL;
    for (int i = 0; s->binding && i < oc_session_graph(s)->n_output; i++) {
        s->binding[i].stale = false;
        if (!s->binding[i].data)
            continue;
        OC_TRY(check_alone(s, i));
        s->services.room = oc_output_bindings_room;
    }
    return OC_OK;
}

/* ---- in a run ---- */

static bool fits(const oc_output_binding *o, const oc_value *v)
{
    bool same = v->kind == OC_TENSOR && v->type == o->want.type &&
                (o->want.dims.rank < 0 || o->want.dims.rank == v->dims.rank);
    for (int i = 0; same && i < o->want.dims.rank; i++)
        same = o->want.dims.n[i] < 0 || o->want.dims.n[i] == v->dims.n[i];
    return same;
}

bool oc_output_bindings_room(void *session, oc_value *out)
{
    const oc_session *s = session;
    const oc_graph_plan *g = oc_session_graph(s);
    for (int i = 0; i < g->n_output; i++) {
        const oc_output_binding *o = &s->binding[i];
        if (!o->data || !o->direct || out != &s->frame->slot[g->output[i]])
            continue;
        if (!fits(o, out) || oc_value_bytes(out) > o->size)
            return false;
        out->data = o->data;
        return out->bound = true;
    }
    return false;
}

/* ---- after a run ---- */

static oc_status misfit(const oc_session *s, int output, const oc_value *v)
{
    const oc_output_binding *o = &s->binding[output];
    const char *name = oc_session_graph(s)->graph->output[output].name;
    char actual[OC_VALUE_TEXT], bound[OC_VALUE_TEXT];
    oc_value_text(v, actual);
    if (fits(o, v))
        return oc_error_set(s->services.error, OC_LIMIT,
                            "output '%s' is %s and takes %zu bytes, but %zu are bound", name,
                            actual, oc_value_bytes(v), o->size);
    return oc_error_set(
        s->services.error, v->kind != OC_TENSOR || v->type != o->want.type ? OC_TYPE : OC_SHAPE,
        "output '%s' is %s, but %s is bound", name, actual,
        o->want.dims.rank < 0 ? oc_type_name(o->want.type) : oc_value_text(&o->want, bound));
}

oc_status oc_output_bindings_fill(oc_session *s)
{
    const oc_graph_plan *g = oc_session_graph(s);
    for (int i = 0; s->services.room && i < g->n_output; i++) {
        oc_output_binding *o = &s->binding[i];
        const oc_value *v = oc_frame_at(s->plan, s->frame, g->output[i]);
        if (!o->data)
            continue;
        if (!fits(o, v) || oc_value_bytes(v) > o->size)
            return misfit(s, i, v);
        if (v->data != o->data)
            OC_TRY(
                oc_watch_copy(&s->watch, o->data, v->data, oc_value_bytes(v), s->services.error));
        o->value = oc_value_borrow(v->type, v->dims, o->data);
        o->value.bound = true;
    }
    return OC_OK;
}
