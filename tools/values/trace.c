/* SPDX-License-Identifier: Apache-2.0
 * trace.c - keeps the values that the nodes of a run give. */
#include "values/trace.h"

value_maker *value_trace_find(const value_trace *t, const char *name)
{
    const int at = text_index_find(&t->makers, name);
    return at < 0 ? NULL : &t->maker[at];
}

static value_maker *add_maker(value_trace *t, const char *name, const oc_node_event *event)
{
    text_index_add(&t->makers, name, t->n_maker);
    t->maker = tool_push(t->maker, (size_t)t->n_maker, sizeof *t->maker);
    value_maker *m = &t->maker[t->n_maker++];
    *m = (value_maker){tool_format("%s", name),
                       tool_format("%s", event->name),
                       tool_format("%s", event->op_type),
                       -1,
                       -1,
                       -1,
                       0};
    return m;
}

/* Returns about as many bytes as a copy takes; the struct of a value has room for all dims. */
static size_t bytes_of(const oc_value *v)
{
    size_t n = sizeof(value_entry) + 480;
    if (oc_value_kind(v) == OC_TENSOR) {
        const oc_string *s = oc_value_type(v) == OC_STRING ? oc_value_data(v) : NULL;
        n += (size_t)oc_value_count(v) * oc_type_size(oc_value_type(v));
        for (int64_t i = 0; s && i < oc_value_count(v) && n < SIZE_MAX / 2; i++)
            n += s[i].size; /* in v many strings may share their text */
        return n;
    }
    for (int64_t i = 0; i < oc_value_count(v) && n < SIZE_MAX / 2; i++)
        n += bytes_of(oc_value_item(v, i));
    return n;
}

value_trace value_trace_new(size_t cap)
{
    return (value_trace){.cap = cap};
}

void value_trace_free(value_trace *t)
{
    for (int i = 0; i < t->n_maker; i++) {
        free(t->maker[i].output);
        free(t->maker[i].node);
        free(t->maker[i].op);
    }
    for (int i = 0; i < t->n; i++)
        oc_value_free(t->item[i].value);
    free(t->maker);
    free(t->item);
    text_index_free(&t->makers);
}

static void keep_value(value_trace *t, value_maker *m, const oc_value *v)
{
    t->item = tool_push(t->item, (size_t)t->n, sizeof *t->item);
    value_entry *k = &t->item[t->n];
    const size_t size = bytes_of(v);
    *k = (value_entry){.next = -1};
    if (size <= t->cap - t->bytes)
        k->value = value_copy(v);
    if (k->value)
        t->bytes += size;
    else
        k->print = value_print(v);
    if (m->last < 0)
        m->first = t->n;
    else
        t->item[m->last].next = t->n;
    m->last = t->n++;
}

void value_trace_keep(void *trace, const oc_node_event *event)
{
    value_trace *t = trace;
    for (int i = 0; i < event->n_out && !event->begin; i++) {
        const oc_value *v = event->out[i];
        const char *name = event->out_name[i];
        if (!v || !*name)
            continue;
        t->n_values++;
        if (t->n == VALUE_TRACE_MOST)
            continue;
        value_maker *m = value_trace_find(t, name);
        keep_value(t, m ? m : add_maker(t, name, event), v);
    }
}

void value_trace_keep_main(void *trace, const oc_node_event *event)
{
    if (event->depth == 0)
        value_trace_keep(trace, event);
}
