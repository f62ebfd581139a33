/* SPDX-License-Identifier: Apache-2.0
 * test_stages.c - the plan decides how stages run, where types, dims and the few elements that
 * stages ask for are known. */
#include "suite.h"

#include "ops/kit/stage_plan.h"
#include "runtime/session.h"

#include <stdio.h>
#include <string.h>

#define CHAIN  "  a = Relu (x)\n  b = Add (a, r)\n  y = Clip (b, low, six)\n"
#define BOUNDS "float low = {0}, float six = {6}"

static const struct {
    const char *inputs, *constants, *nodes;
    int stages; /* of the last step; 0: none run together, -1: each call decides */
} rows[] = {
    {"float[2,3] x, float[2,3] r", BOUNDS, CHAIN, 3},
    {"float16[2,3] x, float16[3] r", "float16 low = {0}, float16 six = {6}", CHAIN, 3},
    {"float[N,3] x, float[N,3] r", BOUNDS, CHAIN, -1},
    /* bounds that only a run knows */
    {"float[2,3] x, float[2,3] r, float low", "float six = {6}", CHAIN, -1},
    /* r has short runs, so that the chain cannot run together; the last step alone is a row */
    {"float[2,3,4] x, float[3,1] r", BOUNDS, CHAIN, 0},
    /* but what follows runs together, after the first step by itself */
    {"float[2,3,4] x, float[3,1] r", BOUNDS, "  a = Add (x, r)\n  b = Neg (a)\n  y = Relu (b)\n",
     2},
    /* float64 fits no tile */
    {"double[2,3] x, double[2,3] r", "double low = {0}, double six = {6}", CHAIN, 0},
    {"float[2,3] x, float[3] r", BOUNDS, "  y = Add (x, r)\n", 1},
    {"float[2,3] x, float[2,3] r", BOUNDS, "  y = Add (x, r)\n", 0},
};

/* Stages of the plan of the last step. */
static int stages_of(const char *text)
{
    const oc_session_options options = {.threads = 1};
    oc_error e = {.code = OC_OK};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const oc_graph_plan *g = oc_session_graph(s);
    const oc_stage_plan *p = g->step[g->n_step - 1]->op.stages;
    const int stages = p ? p->n : -1;
    oc_session_free(s);
    oc_model_free(m);
    return stages;
}

START_TEST(known_stages_are_planned)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<ir_version: 8, opset_import: [\"\" : 18]>\ng (%s) => (y) <%s> {\n%s}\n",
                 rows[i].inputs, rows[i].constants, rows[i].nodes);
        const int stages = stages_of(text);
        ck_assert_msg(stages == rows[i].stages, "%d, not %d, of\n%s", stages, rows[i].stages, text);
    }
}
END_TEST

SUITE("stages", known_stages_are_planned)
