/* SPDX-License-Identifier: Apache-2.0
 * check_model.c - a model run natively and through bodies; the first node that differs. */
#include "check_cases.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
    char *name, *op;
    oc_value *value; /* a tensor */
} record;

typedef struct recorder {
    record *item; /* what the native run's nodes gave, in order */
    int n, next;
    compare_bound bound;
    oc_error error;
    int n_compared, n_differ;
    char first[700]; /* where the runs part; "" when they do not */
    double max_abs;
    uint64_t max_ulp;
} recorder;

/* ---- the native run ---- */

static void keep(void *ctx, const oc_node_event *event)
{
    recorder *r = ctx;
    if (event->begin || event->depth != 0 || r->error.code != OC_OK)
        return;
    for (int i = 0; i < event->n_out; i++) {
        const oc_value *v = event->out[i];
        if (!v || !*event->out_name[i] || oc_value_kind(v) != OC_TENSOR)
            continue;
        oc_value *copy = tensor_copy(v, &r->error);
        r->item = tool_grow(r->item, (size_t)r->n + 1, sizeof *r->item);
        r->item[r->n++] = (record){tool_format("%s", event->out_name[i]),
                                   tool_format("%s", event->op_type), copy};
    }
}

/* ---- the other run ---- */

/* Both runs meet their common names in much the same order, so the search begins at the last. */
static const record *find_record(recorder *r, const char *name)
{
    for (int k = 0; k < r->n; k++) {
        const int i = (r->next + k) % r->n;
        if (strcmp(r->item[i].name, name) == 0) {
            r->next = i + 1;
            return &r->item[i];
        }
    }
    return NULL;
}

static void compare_with(recorder *r, const record *native, const oc_value *v, const char *node)
{
    const compare_result c = compare_values(v, native->value, &r->bound);
    r->n_compared++;
    r->max_abs = fmax(r->max_abs, c.max_abs);
    r->max_ulp = c.max_ulp > r->max_ulp ? c.max_ulp : r->max_ulp;
    if (c.agrees)
        return;
    if (r->n_differ++ == 0)
        snprintf(r->first, sizeof r->first, "'%.80s', which %.40s%s%.60s%s gives: %s", native->name,
                 native->op, *node ? " '" : "", node, *node ? "'" : "", c.text);
}

static void look_up(void *ctx, const oc_node_event *event)
{
    recorder *r = ctx;
    if (event->begin || event->depth != 0)
        return;
    for (int i = 0; i < event->n_out; i++) {
        const oc_value *v = event->out[i];
        const record *native =
            v && *event->out_name[i] && r->n ? find_record(r, event->out_name[i]) : NULL;
        if (native && native->value && oc_value_kind(v) == OC_TENSOR)
            compare_with(r, native, v, event->name);
    }
}

static void run_once(const oc_model *m, const inputs *in, const check_options *o,
                     oc_body_policy body, void (*on_node)(void *, const oc_node_event *),
                     recorder *r, oc_error *e)
{
    oc_session_options options = session_args_options(&o->session);
    options.body = body;
    options.on_node = on_node;
    options.on_node_ctx = r;
    oc_session *s = oc_session_new(m, &options, e);
    if (s)
        inputs_bind(in, s, e);
    oc_run(s, e);
    oc_session_free(s);
    if (e->code == OC_OK)
        *e = r->error;
}

/* ---- the report ---- */

static int report(const char *path, const recorder *r, bool json, const oc_error *e)
{
    if (e->code != OC_OK)
        return tool_report(e, json);
    if (json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        json_text(&j, "model", path);
        json_int(&j, "compared", r->n_compared);
        json_int(&j, "differ", r->n_differ);
        json_text(&j, "first", r->n_differ ? r->first : NULL);
        json_number(&j, "max_abs", r->max_abs);
        json_unsigned(&j, "max_ulp", r->max_ulp);
        json_close(&j);
        json_end(&j);
    } else {
        printf("%d values compared, %d differ, max abs %.3g, max ulp %" PRIu64 "\n", r->n_compared,
               r->n_differ, r->max_abs, r->max_ulp);
        if (r->n_differ)
            printf("the runs part at %s\n", r->first);
    }
    return r->n_differ ? TOOL_DIFFERS : TOOL_OK;
}

int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *o)
{
    oc_error e = {0};
    recorder r = {.bound = *bound};
    const tensor_options file = input_args_options(input, &e);
    oc_model *m = session_open(path, &o->session, &e);
    inputs in = {0};
    if (m) {
        in = inputs_new(m, &file);
        inputs_gather(&in, input, (uint64_t)o->session.seed, &e);
        run_once(m, &in, o, OC_BODY_NATIVE, keep, &r, &e);
        run_once(m, &in, o, OC_BODY_EXPAND, look_up, &r, &e);
    }
    const int code = report(path, &r, o->json, &e);
    inputs_free(&in);
    oc_model_free(m);
    for (int i = 0; i < r.n; i++) {
        free(r.item[i].name);
        free(r.item[i].op);
        oc_value_free(r.item[i].value);
    }
    free(r.item);
    return code;
}
