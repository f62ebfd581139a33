/* SPDX-License-Identifier: Apache-2.0
 * plan.c - inspect --plan: the steps that a session would run, including conversions of layouts. */
#include "inspect/view.h"

#include <stdlib.h>

static void print_step(int number, const oc_plan_step *s)
{
    char *op = tool_format("%s%s%s", s->runs, s->fused_into ? " in " : "",
                           s->fused_into ? s->fused_into : "");
    tool_line("%6d  %-32s %-8s %s%s%s", number, op, s->nchw16c ? "NCHW16c" : "",
              *s->name ? s->name : "of ", *s->name ? "" : s->output,
              s->folded ? "  (computed already)" : "");
    free(op);
}

static void json_step(json_writer *j, int number, const oc_plan_step *s)
{
    json_object(j, NULL);
    json_int(j, "number", number);
    json_text(j, "name", s->name);
    json_text(j, "domain", s->domain);
    json_text(j, "op_type", s->op_type);
    json_text(j, "output", s->output);
    json_text(j, "group", s->runs);
    json_text(j, "fused_into", s->fused_into);
    json_bool(j, "folded", s->folded);
    json_text(j, "layout", s->nchw16c ? "NCHW16c" : "NCHW");
    json_close(j);
}

void view_plan(const view *v, oc_error *e)
{
    oc_session *s = oc_session_new(v->model, v->options, e);
    oc_plan_step step;
    if (v->j)
        json_array(v->j, "steps");
    else if (s)
        printf("  step  %-32s %-8s %s\n", "operator", "layout", "node");
    for (int i = 0; oc_session_step_at(s, i, &step); i++)
        if (v->j)
            json_step(v->j, i, &step);
        else
            print_step(i, &step);
    if (v->j)
        json_close(v->j);
    oc_session_free(s);
}
