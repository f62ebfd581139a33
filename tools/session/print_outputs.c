/* SPDX-License-Identifier: Apache-2.0
 * print_outputs.c - prints the outputs of a run on standard output. */
#include "session/print_outputs.h"

#include "values/stats.h"

bool print_outputs_args_fit(const print_outputs_args *a, const char *command)
{
    if (a->top == 0 || a->top > TOP_MOST)
        tool_say("%s: --top is %" PRId64 ", expected 1 to %d", command, a->top, TOP_MOST);
    else if (a->labels && a->top < 0)
        tool_say("%s: --labels goes with --top N", command);
    else
        return true;
    return false;
}

teller tell_new(const print_outputs_args *args, const oc_model *m, size_t cap, oc_error *e)
{
    teller t = {.args = args, .model = m};
    if (args->labels)
        labels_read(&t.labels, args->labels, cap, e);
    return t;
}

void tell_free(teller *t)
{
    labels_free(&t->labels);
}

/* ---- what can be ranked ---- */

/* What is known about the values of all outputs, items of lists included. */
typedef struct rankings {
    /* any: a value can be ranked; labelled: one of them has as many columns as there are labels */
    bool any, labelled;
} rankings;

static void look_for_rows(const teller *t, const oc_value *v, rankings *r)
{
    if (top_has_rows(v)) {
        r->any = true;
        r->labelled |= t->labels.n == top_row_size(v);
    }
    for (int64_t i = 0; oc_value_kind(v) != OC_TENSOR && i < oc_value_count(v); i++)
        look_for_rows(t, oc_value_item(v, i), r);
}

void tell_check(const teller *t, const oc_session *s, oc_error *e)
{
    rankings r = {false, false};
    char shape[STATS_SHAPE];
    const int n = oc_model_n_outputs(t->model);
    if (t->args->top <= 0)
        return;
    for (int i = 0; i < n && e->code == OC_OK; i++) {
        const oc_value *v = oc_fetch_value_at(s, i, e);
        if (v)
            look_for_rows(t, v, &r);
    }
    const oc_value *first = n ? oc_fetch_value_at(s, 0, e) : NULL;
    if (!first)
        return;
    const char *name = oc_model_output(t->model, 0).name;
    if (!r.any)
        tool_fail(e, OC_ARGUMENT,
                  "--top: no output can be ranked; '%s' is %s, expected a tensor of real numbers "
                  "with an axis, and with elements",
                  name, stats_shape(first, shape));
    else if (t->args->labels && !r.labelled)
        tool_fail(e, OC_ARGUMENT,
                  "--labels %s: %d lines, expected as many as the last axis of an output that is "
                  "not of size 1 has elements; output '%s' is %s",
                  t->args->labels, t->labels.n, name, stats_shape(first, shape));
}

/* ---- one value ---- */

static void print_more(void *ctx, const oc_value *v, oc_error *e)
{
    const teller *t = ctx;
    if (t->args->print >= 0)
        show_tensor(v, t->args->print, e);
    if (t->args->top > 0 && top_has_rows(v))
        top_print(v, (int)t->args->top, &t->labels, e);
}

static void write_more(void *ctx, const oc_value *v, oc_error *e)
{
    const teller *t = ctx;
    show_json(t->json, v, t->args->print >= 0 ? t->args->print : SHOW_MOST, e);
    if (t->args->top > 0 && top_has_rows(v))
        top_json(t->json, v, (int)t->args->top, &t->labels, e);
}

/* ---- all outputs ---- */

static int name_width(const oc_model *m)
{
    int width = 0;
    for (int i = 0; i < oc_model_n_outputs(m); i++) {
        const int size = (int)strlen(oc_model_output(m, i).name);
        width = size > width && size <= 40 ? size : width;
    }
    return width;
}

void tell_print(teller *t, const oc_session *s, oc_error *e)
{
    const stats_more more = {print_more, t};
    const int width = name_width(t->model);
    for (int i = 0; i < oc_model_n_outputs(t->model); i++) {
        oc_error none = {0};
        const oc_value *v = oc_fetch_value_at(s, i, &none);
        if (v)
            stats_print(oc_model_output(t->model, i).name, width, v, &more, e);
    }
}

void tell_json(teller *t, json_writer *j, const oc_session *s, oc_error *e)
{
    const stats_more more = {write_more, t};
    t->json = j;
    json_array(j, "outputs");
    for (int i = 0; i < oc_model_n_outputs(t->model); i++) {
        oc_error none = {0};
        const oc_value *v = oc_fetch_value_at(s, i, &none);
        json_object(j, NULL);
        json_text(j, "name", oc_model_output(t->model, i).name);
        if (v)
            stats_json(j, v, &more, e);
        json_close(j);
    }
    json_close(j);
}
