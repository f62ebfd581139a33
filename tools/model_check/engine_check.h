/* SPDX-License-Identifier: Apache-2.0
 * engine_check.h - a model's check against another engine (--engine): every value of the main graph
 * is compared with the engine's, and what differs first is told from what follows.
 *
 * The engine gets a model whose outputs are the values. It writes them to files, which are read one
 * by one while the model runs here, so that memory holds one value of the engine's at a time. */
#pragma once

#include "check/engine.h"
#include "model_check/graph_values.h"
#include "session/inputs.h"

/* Some values of the graph as the outputs of a test for the engine. */
typedef struct engine_part {
    int *value; /* indices of graph.item, in the order of the outputs */
    int n;
    engine_test test;
} engine_part;

/* An output of a test that the engine has answered. part NULL: there is none. */
typedef struct engine_place {
    const engine_part *part;
    int output;
} engine_place;

/* What is known of a value. */
typedef struct engine_value {
    /* where the engine has written it, among inner values, and among the model's outputs alone */
    engine_place inner, alone;
    const char *reason; /* why the engine does not give it; NULL: it gives it, or was not asked */
    bool is_compared, is_alone_compared;
    compare_result result, of_alone; /* the engine's value is the actual one, ours the expected */
    char greatest[COMPARE_TEXT];     /* the greatest difference; "" when nothing differs */
    /* The second run, in which every node gets the engine's values as its inputs. */
    bool is_given;        /* the nodes that follow got the engine's value, bit by bit */
    bool is_node_judged;  /* all inputs of its node were given, and the value was compared */
    bool differs_on_them; /* it differs on equal inputs too */
    /* It differs, and all inputs of its node agree, or it differs on equal inputs too. */
    bool is_origin;
    bool is_off; /* it differs; or it was not compared, and depends on a value that differs */
} engine_value;

typedef struct engine_check {
    const oc_model *model;
    const inputs *in;
    const check_options *options;
    compare_bound bound;
    graph_values graph;
    engine_value *value; /* one for each of graph.item */
    engine_part **part;
    int n_part;
    /* the test of the fewest first values that the engine does not compute; NULL: it computes the
     * model's outputs, or there is no such test */
    const engine_part *stop;
    const char *fewer; /* why the engine was asked for fewer values at a time; NULL: it was not */
    const char *alone; /* why the outputs alone were not compared; NULL: they were */
} engine_check;

/* Has the engine compute all values, and finds where it has written them (engine_tests.c). An
 * engine that does not run the model with all values is asked for halves of them, again and again;
 * if it does not run the model with its own outputs either, for as many of the first values as it
 * computes. It is an error when it computes none. */
void engine_ask_values(engine_check *c, check_engine *g, oc_error *e);
/* Runs the model and compares (engine_runs.c). */
void engine_compare_values(engine_check *c, oc_error *e);

/* Prints what was found (engine_report.c, engine_json.c). Returns the number of disagreements:
 * origins, and outputs that differ only when the engine computes them alone. */
int engine_report(const engine_check *c, const char *path);
void engine_report_json(const engine_check *c, const char *path, int n_disagree);

/* Does the output differ only when the engine computes it without inner values? */
bool engine_differs_alone(const engine_value *v);

/* The error for an engine that does not run the model: of c->stop. */
oc_status engine_stop_code(const engine_check *c);

/* Checks a model against the engine of --engine. Returns the exit code. (engine_check.c) */
int check_run_engine(const char *path, const oc_model *model, const inputs *in,
                     const compare_bound *bound, const check_options *options);
