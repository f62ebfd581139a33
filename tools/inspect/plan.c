/* SPDX-License-Identifier: Apache-2.0
 * plan.c - inspect --plan: the steps that a session would run, conversions of layouts among them;
 * inspect --plan --passes: what each pass that makes a plan does to them. */
#include "common/index.h"
#include "inspect/view.h"

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

/* ---- passes */

/* The steps that a pass has left, as lines of text, and where each stands. */
typedef struct step_lines {
    char **line;
    int n;
    text_index at;
} step_lines;

typedef struct passes {
    const view *v;
    step_lines before; /* of the last pass */
} passes;

static char *step_line(const oc_plan_step *s)
{
    return tool_format("%s%s%s%s%s%s%s", s->runs, s->fused_into ? " in " : "",
                       s->fused_into ? s->fused_into : "", s->nchw16c ? ", in NCHW16c" : "",
                       s->folded ? ", computed already" : "", *s->name ? ": " : ": of ",
                       *s->name ? s->name : s->output);
}

static step_lines list_steps(const oc_plan_pass *pass)
{
    step_lines x = {0};
    for (; x.n < pass->n_step; x.n++) {
        x.line = tool_push(x.line, (size_t)x.n, sizeof *x.line);
        x.line[x.n] = step_line(&pass->step[x.n]);
        text_index_add(&x.at, x.line[x.n], x.n);
    }
    return x;
}

static void free_lines(step_lines *x)
{
    for (int i = 0; i < x->n; i++)
        free(x->line[i]);
    free(x->line);
    text_index_free(&x->at);
}

static void print_missing(const step_lines *x, const step_lines *from, char sign)
{
    for (int i = 0; i < x->n; i++)
        if (text_index_find(&from->at, x->line[i]) < 0)
            tool_line("  %c %s", sign, x->line[i]);
}

/* Steps that the pass has taken out or changed after '-', those that it has put in or changed after
 * '+'. */
static void print_pass(passes *t, const oc_plan_pass *pass)
{
    step_lines after = list_steps(pass);
    tool_line("%s%s%s (%d steps)", pass->name, *pass->name ? ": " : "", pass->then, pass->n_step);
    if (*pass->name) {
        print_missing(&t->before, &after, '-');
        print_missing(&after, &t->before, '+');
    }
    free_lines(&t->before);
    t->before = after;
}

static void tell_pass(void *ctx, const oc_plan_pass *pass)
{
    passes *t = ctx;
    json_writer *j = t->v->j;
    if (!j) {
        print_pass(t, pass);
        return;
    }
    json_object(j, NULL);
    json_text(j, "pass", pass->name);
    json_text(j, "then", pass->then);
    json_array(j, "steps");
    for (int i = 0; i < pass->n_step; i++)
        json_step(j, i, &pass->step[i]);
    json_close(j);
    json_close(j);
}

void view_passes(const view *v, oc_error *e)
{
    oc_session *s = oc_session_new(v->model, v->options, e);
    passes t = {.v = v};
    if (v->j)
        json_array(v->j, "passes");
    if (s)
        oc_session_passes(s, tell_pass, &t, e);
    if (v->j)
        json_close(v->j);
    free_lines(&t.before);
    oc_session_free(s);
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
