/* SPDX-License-Identifier: Apache-2.0
 * engine_check.c - a model's check against another engine, from the first question to the exit
 * code. */
#include "model_check/engine_check.h"

bool engine_differs_alone(const engine_value *v)
{
    const bool differs = v->is_compared && !v->result.agrees;
    return v->is_alone_compared && !v->of_alone.agrees && !differs;
}

oc_status engine_stop_code(const engine_check *c)
{
    return c->stop->test.outcome == CHECK_REFUSED ? OC_UNSUPPORTED : OC_IO;
}

static void free_parts(engine_check *c)
{
    for (int i = 0; i < c->n_part; i++) {
        free(c->part[i]->value);
        free(c->part[i]->test.dir);
        free(c->part[i]);
    }
    free(c->part);
}

int check_run_engine(const char *path, const oc_model *m, const inputs *in,
                     const compare_bound *bound, const check_options *o)
{
    oc_error e = {0};
    engine_check c = {.model = m, .in = in, .options = o, .bound = *bound};
    check_engine *g = check_engine_new(o, &e);
    if (g)
        c.graph = graph_values_new(m, &e);
    c.value = tool_alloc((size_t)c.graph.n + 1, sizeof *c.value);
    if (e.code == OC_OK)
        engine_ask_values(&c, g, &e);
    if (e.code == OC_OK)
        engine_compare_values(&c, &e);
    int code;
    if (e.code != OC_OK) {
        code = tool_report(&e, o->json);
    } else {
        code = engine_report(&c, path) ? TOOL_DIFFERS : TOOL_OK;
        if (c.stop)
            tool_say("check: the engine does not run this model: %s", c.stop->test.text);
        if (c.stop && code == TOOL_OK)
            code = tool_exit_code(engine_stop_code(&c));
    }
    free(c.value);
    free_parts(&c);
    graph_values_free(&c.graph);
    check_engine_free(g);
    return code;
}
