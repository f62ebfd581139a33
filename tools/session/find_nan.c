/* SPDX-License-Identifier: Apache-2.0
 * find_nan.c - looks for NaN and Inf in the values of each node. */
#include "session/find_nan.h"

#include "common/number.h"
#include "common/signals.h"
#include "values/stats.h"

#include <math.h>

/* ---- counting ---- */

typedef struct tally {
    int64_t n_nan, n_inf;
    /* The first tensor that has one, and the element. Of an optional or a sequence the tensor is
     * an item. */
    const oc_value *tensor;
    int64_t element;
} tally;

static void count_tensor(tally *t, const oc_value *v, oc_error *e)
{
    const oc_type type = oc_value_type(v);
    const bool is_complex = type == OC_C64 || type == OC_C128;
    const oc_type part = type == OC_C64 ? OC_F32 : type == OC_C128 ? OC_F64 : type;
    const int64_t n = oc_value_count(v) * (is_complex ? 2 : 1);
    if (!number_is_float(part))
        return;
    for (int64_t i = 0; i < n; i++) {
        if (signals_end_at(i)) {
            tool_fail(e, OC_CANCELLED, "--find-nan: cancelled");
            return;
        }
        const double x = number_get(part, oc_value_data(v), i);
        if (isfinite(x))
            continue;
        if (!t->tensor) {
            t->tensor = v;
            t->element = is_complex ? i / 2 : i;
        }
        t->n_nan += isnan(x) != 0;
        t->n_inf += isinf(x) != 0;
    }
}

static void count_value(tally *t, const oc_value *v, oc_error *e)
{
    if (v && oc_value_kind(v) == OC_TENSOR)
        count_tensor(t, v, e);
    else if (v)
        for (int64_t i = 0; i < oc_value_count(v) && e->code == OC_OK; i++)
            count_value(t, oc_value_item(v, i), e);
}

static tally count_all(const oc_value *const *value, int n, oc_error *e)
{
    tally t = {0};
    for (int i = 0; i < n && e->code == OC_OK; i++)
        count_value(&t, value[i], e);
    return t;
}

/* ---- the report ---- */

static const char *first_name(const oc_node_event *event)
{
    return event->n_out ? event->out_name[0] : "";
}

/* Returns "node 'div' (Div-14)", or "node of 'y' (Div-14)" if it has no name. Free it with free. */
static char *node_text(const oc_node_event *e)
{
    return tool_format("node %s'%s' (%s%s%s-%d)", *e->name ? "" : "of ",
                       *e->name ? e->name : first_name(e), e->domain, *e->domain ? "::" : "",
                       e->op_type, e->since);
}

static const char *place_of(const tally *t, char text[STATS_SHAPE])
{
    return stats_index(t->tensor, t->element, text);
}

static void print_finding(const oc_node_event *event, int output, const tally *t, oc_error *e)
{
    char shape[STATS_SHAPE], place[STATS_SHAPE], number[NUMBER_TEXT], depth[64] = "";
    char *node = node_text(event);
    if (event->depth)
        snprintf(depth, sizeof depth, ", %d graph%s within", event->depth,
                 event->depth == 1 ? "" : "s");
    tool_line(
        "%s, step %" PRId64 "%s: output '%s' %s has %" PRId64 " NaN and %" PRId64 " Inf, the "
        "first at %s: %s",
        node, event->sequence, depth, event->out_name[output],
        stats_shape(event->out[output], shape), t->n_nan, t->n_inf, place_of(t, place),
        number_text(oc_value_type(t->tensor), oc_value_data(t->tensor), t->element, 6, number));
    for (int i = 0; i < event->n_in; i++) {
        char name[32];
        snprintf(name, sizeof name, "  input %d", i);
        if (event->in[i])
            stats_print(name, 0, event->in[i], NULL, e);
    }
    free(node);
}

static void write_finding(const find_nan *f, const oc_node_event *event, int output, const tally *t,
                          oc_error *e)
{
    char place[STATS_SHAPE];
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_text(&j, "model", f->model);
    json_object(&j, "found");
    json_text(&j, "node", event->name);
    json_text(&j, "domain", event->domain);
    json_text(&j, "operator", event->op_type);
    json_int(&j, "since", event->since);
    json_int(&j, "step", event->sequence);
    json_int(&j, "depth", event->depth);
    json_text(&j, "output", event->out_name[output]);
    json_int(&j, "nan", t->n_nan);
    json_int(&j, "inf", t->n_inf);
    json_text(&j, "place", place_of(t, place));
    json_array(&j, "inputs");
    for (int i = 0; i < event->n_in; i++) {
        json_object(&j, NULL);
        json_int(&j, "input", i);
        if (event->in[i])
            stats_json(&j, event->in[i], NULL, e);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    json_close(&j);
    json_end(&j);
}

/* ---- the run ---- */

static bool states_values(const oc_node_event *event)
{
    return strcmp(event->op_type, "Constant") == 0 ||
           strcmp(event->op_type, "ConstantOfShape") == 0;
}

static void hand_on(find_nan *f, const oc_node_event *event)
{
    if (f->n_handed_on++ == 0)
        f->first = node_text(event);
}

void find_nan_look(find_nan *f, const oc_node_event *event, oc_error *e)
{
    if (states_values(event))
        return;
    for (int i = 0; i < event->n_out && !f->found && e->code == OC_OK; i++) {
        const tally out = count_all(&event->out[i], 1, e);
        if (!out.tensor)
            continue;
        const tally in = count_all(event->in, event->n_in, e);
        const bool makes = (out.n_nan > 0 && in.n_nan == 0) || (out.n_inf > 0 && !in.tensor);
        if (e->code != OC_OK)
            return;
        if (!makes) {
            hand_on(f, event);
            return;
        }
        f->found = true;
        if (f->json)
            write_finding(f, event, i, &out, e);
        else
            print_finding(event, i, &out, e);
    }
}

void find_nan_print(const find_nan *f)
{
    printf("no node makes NaN or Inf");
    if (f->n_handed_on)
        tool_print("; nodes that hand on what is in an input, a weight or a constant: %" PRId64
                   ", the first is %s",
                   f->n_handed_on, f->first);
    putchar('\n');
}

void find_nan_json(json_writer *j, const find_nan *f)
{
    json_text(j, "found", NULL);
    json_int(j, "handed_on", f->n_handed_on);
}

void find_nan_free(find_nan *f)
{
    free(f->first);
    f->first = NULL;
}
