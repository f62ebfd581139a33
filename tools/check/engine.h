/* SPDX-License-Identifier: Apache-2.0
 * engine.h - other engines run tests, of cases of operators or of a model: the command of --engine.
 *
 * Its line has {dir}, which becomes a folder with an ONNX backend test for each of up to
 * CHECK_BATCH cases: CASE/model.onnx, CASE/test_data_set_0/input_N.pb, and of an operator's case
 * output_N.pb, what the body gives. The engine writes its own outputs beside them as engine_N.pb;
 * or, where it does not take a case, CASE/engine_error.txt, whose first line tells why. It writes
 * each file under another name and renames it, or ends by itself: files that are there are whole.
 *
 * A command that ends with another exit code than 0, by a signal, or because its time is over is
 * run again with each half of the cases that have neither, until it is found at which it ends.
 * Where it answers no case of its first run, it is started once on a folder without cases: if it
 * ends badly there too, the check ends. */
#pragma once

#include "check/run.h"

enum { CHECK_BATCH = 500, CHECK_ENGINE_SECONDS = 600 };

typedef struct check_engine check_engine;

/* Makes an engine. Call it while there is one thread. Returns NULL with *e set on failure. Free
 * it with check_engine_free. */
check_engine *check_engine_new(const check_options *options, oc_error *e);
void check_engine_free(check_engine *g); /* g may be NULL */

/* A test for the engine. */
typedef struct engine_test {
    char *dir; /* the test's folder, which moves into the folder of each run; free it with free */
    int n_out; /* outputs of its model */
    void *of;  /* for the caller: runs put tests into another order */
    /* CHECK_AGREES: the engine ended well, but some outputs may be missing; CHECK_REFUSED or
     * CHECK_KERNEL_FAILS with the reason in text */
    check_outcome outcome;
    bool late; /* true: the engine took too long */
    char text[COMPARE_TEXT];
} engine_test;

/* Makes a folder for the folders of tests, which no run uses. Free its path with free. */
char *check_engine_folder(check_engine *g, oc_error *e);
/* Runs the engine on n tests, which it puts into another order, and sets their outcomes. *e is
 * set when the command cannot be run, does not start, or has given no result in several runs: then
 * the engine is broken. */
void check_engine_run(check_engine *g, engine_test *t, int n, oc_error *e);
bool check_engine_is_broken(const check_engine *g); /* g may be NULL */
/* Is there a file of output i? */
bool check_engine_gives(const engine_test *t, int i);
/* Returns output i, of the kind and type of `like`; NULL with *e set when there is no such file, or
 * it is malformed. Free it with oc_value_free. */
oc_value *check_engine_read(const engine_test *t, int i, const oc_value *like, oc_error *e);
/* Removes all folders that were made so far. */
void check_engine_clear(check_engine *g, oc_error *e);

/* Sets the answer of each of n runs whose reference has run (engine_cases.c). *e is set as by
 * check_engine_run. */
void check_engine_ask(check_engine *g, check_run *run, int n, oc_error *e);
