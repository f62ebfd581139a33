/* SPDX-License-Identifier: Apache-2.0
 * model.c - runs a model in several ways, axis by axis, and compares the values of its nodes. */
#include "model_check/model.h"

#include "model_check/axis.h"
#include "model_check/engine_check.h"

oc_session_options axis_base(const axis_check *c)
{
    oc_session_options o = session_args_options(&c->options->session);
    o.no_fusion = true;
    return o;
}

bool axis_is_fast(const oc_session *s)
{
    return strcmp(oc_session_describe(s).products, "fast") == 0;
}

void axis_run(const axis_check *c, oc_session *s, oc_error *e)
{
    if (s)
        inputs_bind(c->in, s, e);
    oc_run(s, e);
    oc_session_free(s);
}

size_t axis_room(const axis_check *c)
{
    return c->options->keep ? c->options->keep : (size_t)1 << 30;
}

void axis_refer(axis_check *c, const char *axis, const char *about, oc_session_options options)
{
    value_trace_free(&c->trace);
    c->trace = value_trace_new(axis_room(c));
    options.observer.on_node = value_trace_keep;
    options.observer.on_node_ctx = &c->trace;
    oc_session *s = oc_session_new(c->model, &options, &c->error);
    c->is_fast = axis_is_fast(s);
    axis_run(c, s, &c->error);
    if (c->error.code == OC_OK)
        axis_report_axis(&c->report, axis, about, &c->trace);
}

bool axis_is_fatal(const oc_error *e)
{
    return tool_ends_all(e->code);
}

static const struct axis {
    const char *name;
    void (*check)(axis_check *c);
} axes[] = {{"body", axis_bodies},   {"isa", axis_isa},         {"threads", axis_threads},
            {"fusion", axis_fusion}, {"folding", axis_folding}, {"memory", axis_memory},
            {"codes", axis_codes},   {"unfused", axis_unfused}};
enum { N_AXES = sizeof axes / sizeof *axes };

/* Sets wanted for the axes that --axis names; for the first axis when neither --axis nor
 * --against is given. */
static void read_axes(const check_options *o, bool wanted[N_AXES], oc_error *e)
{
    const args_list *list = &o->axis;
    wanted[0] = list->n == 0 && !o->against;
    for (int i = 0; i < list->n; i++) {
        const bool all = strcmp(list->item[i], "all") == 0;
        bool found = all;
        for (int a = 0; a < N_AXES; a++)
            if (all || strcmp(list->item[i], axes[a].name) == 0)
                found = wanted[a] = true;
        if (!found)
            tool_fail(
                e, OC_ARGUMENT,
                "check: --axis is '%s', expected body, isa, threads, fusion, folding, memory, "
                "codes, unfused or all",
                list->item[i]);
    }
}

int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *o)
{
    bool wanted[N_AXES] = {false};
    axis_check c = {.options = o, .bound = *bound};
    oc_error *e = &c.error;
    read_axes(o, wanted, e);
    const tensor_options file = input_args_options(input, e);
    oc_model *m = e->code == OC_OK ? session_open(path, &o->session, e) : NULL;
    inputs in = {0};
    if (m) {
        in = inputs_new(m, &file);
        inputs_gather(&in, input, (uint64_t)o->session.seed, e);
    }
    if (e->code == OC_OK && !o->engine)
        c.report = axis_report_begin(path, o->json, o->html, e);
    int code;
    if (e->code != OC_OK) {
        code = tool_report(e, o->json);
    } else if (o->engine) {
        code = check_run_engine(path, m, &in, bound, o);
    } else {
        c.model = m;
        c.in = &in;
        if (o->against)
            axis_against(&c);
        for (int a = 0; a < N_AXES && e->code == OC_OK; a++)
            if (wanted[a])
                axes[a].check(&c);
        code = axis_report_end(&c.report, e);
    }
    value_trace_free(&c.trace);
    inputs_free(&in);
    oc_model_free(m);
    return code;
}
