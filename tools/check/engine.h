/* SPDX-License-Identifier: Apache-2.0
 * engine.h - other engines run the cases: the command of --engine.
 *
 * Its line has {dir}, which becomes a folder with an ONNX backend test for each of up to
 * CHECK_BATCH cases: CASE/model.onnx, CASE/test_data_set_0/input_N.pb, and output_N.pb, what the
 * body gives. The engine writes its own outputs beside them as engine_N.pb; or, where it does not
 * take a case, CASE/engine_error.txt, whose first line tells why. It writes each file under another
 * name and renames it, or ends by itself: files that are there are whole.
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

/* Sets the answer of each of n runs whose reference has run. *e is set when the command cannot
 * be run, does not start, or has given no result in several runs: then the engine is broken. */
void check_engine_ask(check_engine *g, check_run *run, int n, oc_error *e);
bool check_engine_is_broken(const check_engine *g); /* g must not be NULL */
