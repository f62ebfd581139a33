/* SPDX-License-Identifier: Apache-2.0
 * check_cases.h - native kernels against ONNX's function bodies.
 *
 * An operator that has both brings a family of cases: one file, and one line in cmd_check.c. */
#ifndef TOOLS_CHECK_CASES_H
#define TOOLS_CHECK_CASES_H

#include "compare.h"
#include "inputs.h"
#include "session_args.h"

enum { CHECK_INPUTS = 8, CHECK_NAME = 96 };

typedef struct check_case {
    char group[CHECK_NAME]; /* cases with the same group, which are adjacent, are one line */
    char name[CHECK_NAME];
    char *model; /* ONNX text with one node */
    oc_value *in[CHECK_INPUTS];
    int n_in;
    compare_bound bound;
    int defect; /* which of the family's defects the standard's text shows here; -1: none */
} check_case;

/* A place where the standard's own text is wrong, as functions/KNOWN.md has it. */
typedef struct check_defect {
    const char *text;
    bool fails; /* the body does not run; otherwise its output differs */
} check_defect;

typedef struct check_family {
    const char *op;
    /* Fills the i-th case; false past the last. The caller frees model and inputs. */
    bool (*make)(int i, uint64_t seed, check_case *out, oc_error *e);
    const check_defect *defects; /* ends with a row without text */
} check_family;

extern const check_family check_affine_grid;

typedef struct check_options {
    session_args session;
    bool verbose, json;
} check_options;

/* Runs a family and prints what came out; returns the exit code. */
int check_run_family(const check_family *family, const check_options *options);

/* Runs a model natively and with all bodies expanded on the same inputs, and compares what nodes of
 * the main graph gave under the same names; returns the exit code. */
int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *options);

#endif
