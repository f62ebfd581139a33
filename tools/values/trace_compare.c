/* SPDX-License-Identifier: Apache-2.0
 * trace_compare.c - compares the values that the nodes of a run give with those of a trace. */
#include "values/trace_compare.h"

#include "base/int.h"
#include "values/heat.h"
#include "common/signals.h"

#include <math.h>

value_comparison value_comparison_new(value_trace *t, const compare_bound *bound)
{
    for (int i = 0; i < t->n_maker; i++) {
        t->maker[i].next = t->maker[i].first;
        t->maker[i].time = 0;
    }
    return (value_comparison){.trace = t, .bound = *bound};
}

compare_bound value_bound_of(const compare_bound *given, oc_type type)
{
    compare_bound b = *given;
    const double unit = type == OC_F16                                 ? 0x1p-10
                        : type == OC_BF16                              ? 0x1p-7
                        : type == OC_F8E4M3FN || type == OC_F8E4M3FNUZ ? 0x1p-3
                        : type == OC_F8E5M2 || type == OC_F8E5M2FNUZ   ? 0x1p-2
                                                                       : 0;
    if (b.rtol < 0)
        b.rtol = fmax(1e-5, 16 * unit);
    if (b.atol < 0)
        b.atol = fmax(1e-6, 8 * unit);
    return b;
}

static bool is_stored(const oc_value *v)
{
    return oc_value_kind(v) != OC_TENSOR || oc_value_data(v) || oc_value_count(v) == 0;
}

static void note(value_comparison *m, const value_maker *maker, const char *own_op,
                 const char *text)
{
    if (m->n_differ++)
        return;
    m->first = (value_first){
        .output = maker->output, .node = maker->node, .op = maker->op, .time = maker->time};
    snprintf(m->first.own_op, sizeof m->first.own_op, "%s", own_op);
    snprintf(m->first.text, sizeof m->first.text, "%s", text);
}

/* Replaces a value by that of the trace, with which it agrees. So the following nodes are compared
 * on equal inputs, and no small difference makes a later node choose another of two nearly equal
 * numbers. A value whose bits are equal already may be a weight or an input, and stays. */
static void give(const oc_value *v, const oc_value *of_trace)
{
    if (oc_value_kind(v) != OC_TENSOR || oc_value_type(v) == OC_STRING || oc_value_count(v) == 0)
        return;
    const size_t bytes = (size_t)oc_value_count(v) * oc_type_size(oc_value_type(v));
    void *elements = oc_value_mutable_data((oc_value *)v);
    if (elements && memcmp(elements, oc_value_data(of_trace), bytes) != 0)
        memcpy(elements, oc_value_data(of_trace), bytes);
}

static void compare(value_comparison *m, const value_maker *maker, const value_entry *k,
                    const oc_value *v, const char *own_op)
{
    if (!is_stored(v)) {
        m->n_unstored++;
        return;
    }
    if (!k->value) {
        const bool agrees = value_print(v) == k->print;
        if (signals_cancelled(NULL)) /* the run ends with an error, whatever the fingerprint is */
            return;
        m->n_unkept += !agrees && !m->bound.bits;
        m->n_compared += agrees || m->bound.bits;
        if (!agrees && m->bound.bits)
            note(m, maker, own_op, "its bits differ; --keep was too little to tell where");
        return;
    }
    const compare_bound bound = value_bound_of(&m->bound, oc_value_type(k->value));
    const compare_result r = compare_values(v, k->value, &bound);
    if (r.cancelled)
        return;
    m->n_compared++;
    m->max_abs = fmax(m->max_abs, r.max_abs);
    m->max_ulp = oc_max(r.max_ulp, m->max_ulp);
    if (!r.agrees && m->picture && !m->picture->size && heat_fits(v, k->value))
        heat_put(m->picture, v, k->value, r.first);
    if (!r.agrees)
        note(m, maker, own_op, r.text);
    else if (!m->bound.bits && !m->apart)
        give(v, k->value);
}

void value_compare_node(void *comparison, const oc_node_event *event)
{
    value_comparison *m = comparison;
    for (int i = 0; i < event->n_out && !event->begin; i++) {
        const oc_value *v = event->out[i];
        value_maker *maker =
            v && *event->out_name[i] ? value_trace_find(m->trace, event->out_name[i]) : NULL;
        if (!maker || maker->next < 0)
            continue;
        const value_entry *k = &m->trace->item[maker->next];
        maker->next = k->next;
        maker->time++;
        m->n_met++;
        compare(m, maker, k, v, event->op_type);
    }
}

void value_compare_main(void *comparison, const oc_node_event *event)
{
    if (event->depth == 0)
        value_compare_node(comparison, event);
}
