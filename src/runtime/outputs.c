/* SPDX-License-Identifier: Apache-2.0
 * outputs.c - makes the outputs that a run leaves to the host the session's own, so that the
 * host may bind them as inputs. */
#include "runtime/session.h"

#include "base/sort.h"

/* ---- places in memory, in order ---- */

static int compare(OC_UNUSED const void *ctx, const void *a, const void *b)
{
    const oc_spot *x = a, *y = b;
    const uintptr_t at = (uintptr_t)x->data, other = (uintptr_t)y->data;
    return at != other ? (at > other) - (at < other) : (x->size > y->size) - (x->size < y->size);
}

static void sort(oc_spots *own)
{
    if (own->n)
        oc_sort(own->at, own->at + own->room, own->n, sizeof *own->at, compare, NULL);
}

static oc_status add_spot(oc_session *s, const void *data, size_t size, void *what, oc_error *e)
{
    oc_spots *own = &s->own;
    if (own->n == own->room) {
        const size_t room = own->room ? 2 * own->room : 16, item = 2 * sizeof *own->at;
        oc_spot *larger = oc_memory_resize(&s->memory, own->at, own->room * item, room * item);
        if (!larger)
            return oc_memory_error(&s->memory, room * item, e);
        own->at = larger;
        own->room = room;
    }
    own->at[own->n++] = (oc_spot){data, size, what};
    return OC_OK;
}

/* ---- after a run ---- */

/* Did the host bind these elements to an input or output? They are the host's again when it
 * binds something else there, and outputs live longer. */
static bool has_bound(const oc_value *v)
{
    for (int64_t i = 0; v->kind != OC_TENSOR && i < oc_value_n(v); i++)
        if (has_bound(&oc_value_items(v)[i]))
            return true;
    return v->kind == OC_TENSOR && v->bound && !v->buffer;
}

/* Gives *v lists of its own, because an input may hold those that it has, and lists its tensors
 * whose elements are the host's. */
static oc_status own_lists(oc_session *s, oc_value *v)
{
    if (!has_bound(v))
        return OC_OK;
    if (v->kind == OC_TENSOR)
        return add_spot(s, v->data, oc_value_bytes(v), v, s->services.error);
    const int64_t n = oc_value_n(v);
    oc_value list;
    OC_TRY(oc_value_new_list(&s->pool, v->kind, v->type, n, &list, s->services.error));
    list.key = v->key;
    for (int64_t i = 0; i < n; i++)
        oc_value_items(&list)[i] = oc_value_ref(&oc_value_items(v)[i]);
    oc_value_unref(v);
    *v = list;
    for (int64_t i = 0; i < n; i++)
        OC_TRY(own_lists(s, &oc_value_items(v)[i]));
    return OC_OK;
}

static oc_status copy_tensor(oc_session *s, oc_value *v)
{
    oc_value own;
    OC_TRY(oc_value_new_tensor(&s->pool, v->type, &v->dims, &own, s->services.error));
    const oc_status status =
        oc_watch_copy(&s->watch, own.data, v->data, oc_value_bytes(v), s->services.error);
    *v = own;
    return status;
}

/* Replaces the listed tensors by copies. Tensors that share elements share one copy. */
static oc_status copy_tensors(oc_session *s)
{
    for (size_t i = 0; i < s->own.n; i++) {
        const oc_spot *spot = &s->own.at[i], *before = i > 0 ? spot - 1 : spot;
        oc_value *v = spot->what;
        if (before == spot || before->data != spot->data || before->size != spot->size) {
            OC_TRY(copy_tensor(s, v));
            continue;
        }
        oc_value same = oc_value_ref(before->what);
        same.type = v->type;
        same.dims = v->dims;
        *v = same;
    }
    return OC_OK;
}

/* Does the output hold elements of the host, although it is not put into memory of the host? */
static bool needs_copies(const oc_session *s, int output)
{
    const int place = oc_session_graph(s)->output[output];
    return !oc_output_is_bound(s, output) && oc_place_is_slot(place) &&
           has_bound(&s->frame->slot[place]);
}

/* Lists the tensors to copy of each output. Several outputs may be one slot. */
static oc_status list_foreign(oc_session *s)
{
    const oc_graph_plan *g = oc_session_graph(s);
    oc_arena scratch = oc_arena_new(&s->memory);
    bool *seen = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *seen);
    oc_status status = oc_arena_check(&scratch, s->services.error);
    for (int i = 0; i < g->n_output && status == OC_OK; i++) {
        const int place = g->output[i];
        if (!needs_copies(s, i) || seen[place])
            continue;
        seen[place] = true;
        status = own_lists(s, &s->frame->slot[place]);
    }
    oc_arena_free(&scratch);
    return status;
}

oc_status oc_outputs_own(oc_session *s)
{
    const oc_graph_plan *g = oc_session_graph(s);
    bool any = false;
    for (int i = 0; i < g->n_output && !any; i++)
        any = needs_copies(s, i);
    if (!any)
        return OC_OK;
    s->own.n = 0;
    OC_TRY(list_foreign(s));
    sort(&s->own);
    return copy_tensors(s);
}

/* ---- where elements are found again: the buffers of all outputs, by their addresses ---- */

static oc_status list_buffers(oc_session *s, const oc_value *v, oc_error *e)
{
    for (int64_t i = 0; v->kind != OC_TENSOR && i < oc_value_n(v); i++)
        OC_TRY(list_buffers(s, &oc_value_items(v)[i], e));
    if (v->kind != OC_TENSOR || !v->buffer)
        return OC_OK;
    return add_spot(s, v->buffer->data, v->buffer->size, v->buffer, e);
}

static oc_status list_outputs(oc_session *s, oc_error *e)
{
    const oc_graph_plan *g = oc_session_graph(s);
    s->own.n = 0;
    for (int i = 0; s->has_run && i < g->n_output; i++)
        OC_TRY(list_buffers(s, oc_frame_at(s->plan, s->frame, g->output[i]), e));
    sort(&s->own);
    s->own.listed = true;
    return OC_OK;
}

oc_status oc_outputs_find(oc_session *s, const void *data, oc_buffer **found, oc_error *e)
{
    *found = NULL;
    if (!s->own.listed)
        OC_TRY(list_outputs(s, e));
    size_t first = 0, end = s->own.n; /* finds the last buffer that begins at data or before it */
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if ((uintptr_t)s->own.at[middle].data <= (uintptr_t)data)
            first = middle + 1;
        else
            end = middle;
    }
    const oc_spot *spot = first > 0 ? &s->own.at[first - 1] : NULL;
    if (spot && (uintptr_t)data - (uintptr_t)spot->data < spot->size)
        *found = spot->what;
    return OC_OK;
}
