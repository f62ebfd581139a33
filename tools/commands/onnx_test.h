/* SPDX-License-Identifier: Apache-2.0
 * onnx_test.h - runs one test in the layout of ONNX's backend tests.
 *
 * A test is a folder with model.onnx, test_data_set_K/input_N.pb and output_N.pb, and perhaps a
 * data.json with the tolerances "rtol" and "atol". */
#pragma once

#include "values/compare.h"
#include "session/session_args.h"

typedef enum test_state { TEST_PASS, TEST_FAIL, TEST_SKIP } test_state;

typedef struct test_options {
    session_args session;
    functions_seen *seen; /* records which functions of --functions a model calls */
    oc_body_options bodies;
    compare_bound bound; /* tolerances where data.json gives none */
    const char *model;   /* of recorded runs; NULL: it lies where the record says */
} test_options;

typedef struct test_verdict {
    test_state state;     /* TEST_SKIP: the model needs something that is not supported */
    compare_result sum;   /* of all outputs that were compared; its text is empty */
    char text[1200];      /* the reason for TEST_FAIL or TEST_SKIP; what agrees, instead of `sum` */
    char operators[1200]; /* operators of the model, each followed by a blank, as many as fit */
} test_verdict;

/* Notes the operators of a model. Returns false, and skips the test, if one is not supported. */
bool test_note_operators(const oc_model *model, test_verdict *v);

/* Does the folder have a model.onnx? */
bool test_is_folder(const char *dir);
test_verdict test_run(const char *dir, const test_options *options);
