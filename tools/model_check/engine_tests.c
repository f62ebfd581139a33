/* SPDX-License-Identifier: Apache-2.0
 * engine_tests.c - has another engine compute the values of a model's main graph, all at once or in
 * parts. */
#include "model_check/engine_check.h"

#include "session/save_test.h"

enum { MOST_PARTS = 64 }; /* most tests that are made of one model */

static engine_part *add_part(engine_check *c, const int *value, int n)
{
    engine_part *p = tool_alloc(1, sizeof *p);
    p->value = tool_alloc((size_t)n, sizeof *p->value);
    p->n = n;
    memcpy(p->value, value, (size_t)n * sizeof *value);
    c->part = tool_push(c->part, (size_t)c->n_part, sizeof *c->part);
    return c->part[c->n_part++] = p;
}

/* Writes the model of the part and its inputs as a test into the folder dir. */
static void write_part(const engine_check *c, const engine_part *p, const char *dir, oc_error *e)
{
    const char **to = tool_alloc((size_t)p->n, sizeof *to);
    for (int i = 0; i < p->n; i++)
        to[i] = c->graph.item[p->value[i]].name;
    oc_model *m = oc_model_extract(c->model, NULL, 0, to, p->n, e);
    inputs in = {.model = m, .n = m ? oc_model_n_inputs(m) : 0, .open = -1};
    in.value = tool_alloc((size_t)in.n + 1, sizeof *in.value);
    for (int i = 0; i < in.n; i++) {
        const int at = text_index_find(&c->in->names, oc_model_input(m, i).name);
        in.value[i] = at >= 0 ? c->in->value[at] : NULL;
    }
    if (m)
        save_test_write(dir, m, &in, NULL, e);
    free(in.value);
    oc_model_free(m);
    free(to);
}

/* Runs the engine on the parts from number `first` on. */
static void ask(engine_check *c, check_engine *g, int first, oc_error *e)
{
    const int n = c->n_part - first;
    engine_test *t = tool_alloc((size_t)n, sizeof *t);
    char *folder = check_engine_folder(g, e);
    for (int i = 0; i < n; i++) {
        engine_part *p = c->part[first + i];
        char *dir = tool_format("%s/test_values_%04d", folder, first + i);
        t[i] = (engine_test){.dir = dir, .n_out = p->n, .of = p};
        if (e->code == OC_OK)
            write_part(c, p, dir, e);
    }
    if (e->code == OC_OK)
        check_engine_run(g, t, n, e);
    for (int i = 0; i < n; i++)
        ((engine_part *)t[i].of)->test = t[i];
    free(folder);
    free(t);
}

/* ---- which values it gives ---- */

/* Notes where the values of an answered part are. */
static void note_places(engine_check *c, const engine_part *p, bool alone)
{
    for (int i = 0; i < p->n; i++) {
        engine_value *v = &c->value[p->value[i]];
        if (check_engine_gives(&p->test, i))
            *(alone ? &v->alone : &v->inner) = (engine_place){p, i};
        else if (!alone)
            v->reason = "the engine has written no file of it";
    }
}

static void refuse(engine_check *c, const engine_part *p)
{
    for (int i = 0; i < p->n; i++)
        c->value[p->value[i]].reason = p->test.text;
}

/* Asks for the halves of parts that are not answered, from number `at` on. */
static void ask_halves(engine_check *c, check_engine *g, int at, oc_error *e)
{
    while (at < c->n_part && e->code == OC_OK) {
        const int end = c->n_part;
        for (; at < end; at++) {
            const engine_part *p = c->part[at];
            if (p->test.outcome == CHECK_AGREES) {
                note_places(c, p, false);
            } else if (p->n == 1 || p->test.late || c->n_part + 2 > MOST_PARTS) {
                refuse(c, p);
            } else {
                add_part(c, p->value, p->n / 2);
                add_part(c, p->value + p->n / 2, p->n - p->n / 2);
            }
        }
        if (c->n_part > end)
            ask(c, g, end, e);
    }
}

/* Finds how many of the first n values the engine computes, where it does not compute the model's
 * outputs: an operator may be missing. OC_UNSUPPORTED or OC_IO when it computes none. */
static void ask_first(engine_check *c, check_engine *g, const int *value, int n, oc_error *e)
{
    const engine_part *good = NULL, *bad = c->part[c->n_part - 1];
    int n_good = 0, n_bad = n;
    while (n_bad - n_good > 1 && !bad->test.late && e->code == OC_OK) {
        const int next = n_good ? n_good + (n_bad - n_good) / 2 : 1;
        const engine_part *p = add_part(c, value, next);
        ask(c, g, c->n_part - 1, e);
        if (p->test.outcome == CHECK_AGREES) {
            good = p;
            n_good = next;
        } else {
            bad = p;
            n_bad = next;
        }
    }
    c->stop = bad;
    if (!good)
        tool_fail(e, engine_stop_code(c), "check: the engine does not run this model: %.380s",
                  bad->test.text);
    else
        note_places(c, good, false);
    for (int i = n_good; i < n; i++)
        c->value[value[i]].reason = bad->test.text;
}

void engine_ask_values(engine_check *c, check_engine *g, oc_error *e)
{
    int *every = tool_alloc((size_t)c->graph.n * 2 + 1, sizeof *every);
    int *outputs = every + c->graph.n, n = 0, n_outputs = 0;
    for (int i = 0; i < c->graph.n; i++)
        if (c->graph.item[i].is_tensor) {
            every[n++] = i;
            if (c->graph.item[i].is_output)
                outputs[n_outputs++] = i;
        }
    if (n == 0)
        tool_fail(e, OC_ARGUMENT, "check: no node of the main graph gives a tensor");
    const engine_part *all = NULL, *alone = NULL;
    if (e->code == OC_OK) {
        alone = n_outputs > 0 && n_outputs < n ? add_part(c, outputs, n_outputs) : NULL;
        all = add_part(c, every, n);
        ask(c, g, 0, e);
    }
    if (e->code == OC_OK) {
        const bool refused = all->test.outcome != CHECK_AGREES;
        const bool runs = alone && alone->test.outcome == CHECK_AGREES;
        if (runs)
            note_places(c, alone, true);
        else if (alone)
            c->alone = alone->test.text;
        if (refused && !runs)
            ask_first(c, g, every, n, e);
        else
            ask_halves(c, g, alone ? 1 : 0, e);
        c->fewer = refused && runs ? all->test.text : NULL;
    }
    free(every);
}
