/* SPDX-License-Identifier: Apache-2.0
 * unfused.c - the axis unfused: compares sums of products that are multiplied, then added, with
 * those of fused multiply-adds, on an instruction set that has none. */
#include "model_check/axis.h"

/* Returns the best instruction set of this build whose sums of products the option changes. */
static const char *unfused_set(const axis_check *c)
{
    oc_error e = {0};
    oc_session_options o = axis_base(c);
    o.cpu = "v128";
    o.unfused = 0;
    oc_session *s = oc_session_new(c->model, &o, &e);
    const bool serves = s && strcmp(oc_session_describe(s).products, "exact") == 0;
    oc_session_free(s);
    return serves ? o.cpu : "scalar";
}

void axis_unfused(axis_check *c)
{
    oc_error e = {0};
    oc_session_options o = axis_base(c);
    o.cpu = unfused_set(c);
    o.unfused = 0;
    axis_refer(c, "unfused",
               "products multiplied, then added, against fused ones, within tolerance", o);
    if (c->error.code != OC_OK)
        return;
    value_comparison m = value_comparison_new(&c->trace, &c->bound);
    axis_row row = {.comparison = &m, .error = &e};
    snprintf(row.name, sizeof row.name, "fast, %s", o.cpu);
    m.picture = axis_report_picture(&c->report);
    o.unfused = 1;
    o.observer.on_node = value_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(c->model, &o, &e), &e);
    if (axis_is_fatal(&e))
        c->error = e;
    else
        axis_report_row(&c->report, &row);
}
