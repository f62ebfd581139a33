/* SPDX-License-Identifier: Apache-2.0
 * check_cases.h - native kernels against ONNX's function bodies.
 *
 * An operator that has both brings a family of cases: most of them a row of check_table.c, of which
 * check_spec.c makes the cases; or a file of its own. */
#ifndef TOOLS_CHECK_CASES_H
#define TOOLS_CHECK_CASES_H

#include "compare.h"
#include "inputs.h"
#include "session_args.h"

enum { CHECK_INPUTS = 8, CHECK_NAME = 400 };

typedef struct check_case {
    char group[CHECK_NAME]; /* cases with the same group, which are adjacent, are one line */
    char name[CHECK_NAME];  /* no other case of the family has it */
    char *model;            /* ONNX text with one node */
    oc_value *in[CHECK_INPUTS];
    int n_in, n_out;
    compare_bound bound;
    int defect; /* which of the family's defects the standard's text shows here; -1: none */
} check_case;

/* A place where the standard's own text is wrong, as functions/KNOWN.md has it. */
typedef struct check_defect {
    const char *text;
    bool fails; /* the body does not run; otherwise its output differs */
} check_defect;

/* Cases made of lists: every type with every set of attributes, every set of inputs, and ordinary
 * as well as special values. */
typedef struct check_spec {
    const char *domain;        /* NULL: ONNX's own */
    int opset;                 /* of the domain */
    const char *types;         /* that T stands for, with blanks between */
    const char *attributes[8]; /* as they stand between < and > */
    /* Inputs with ";" between: "T[2,3]" of any numbers, "+ T[3]" above 0, "p T[4]" in [0, 1),
     * "i5 int64[2]" in 0 .. 4, "= int64[2] {4, 5}" just these; nothing is a missing input. */
    const char *inputs[12];
    int n_out;
    double slack; /* units in the last place of 1 by which kernel and body may part */
    bool stashed; /* double is computed in float, but for stash_type = 11 */
} check_spec;

typedef struct check_family {
    const char *op;
    /* Fills the i-th case; false past the last. The caller frees model and inputs. */
    bool (*make)(const struct check_family *family, int i, uint64_t seed, check_case *out,
                 oc_error *e);
    const check_defect *defects; /* ends with a row without text; NULL: the text has none */
    const check_spec *spec;      /* of check_spec_make, where the first defect is every case's */
} check_family;

bool check_affine_grid_make(const check_family *family, int i, uint64_t seed, check_case *out,
                            oc_error *e);
extern const check_defect check_affine_grid_defects[];

bool check_sequence_map_make(const check_family *family, int i, uint64_t seed, check_case *out,
                             oc_error *e);

/* check_table.c: sorted by operator, ends with a row without a name. */
extern const check_family check_families[];

bool check_spec_make(const check_family *family, int i, uint64_t seed, check_case *out,
                     oc_error *e);

enum { CHECK_DEFAULT = -1 }; /* a tolerance that was not given */

typedef struct check_options {
    session_args session;
    bool verbose, json, markdown;
    bool all;                   /* a line for each operator */
    const char *only;           /* the one case to run; NULL: all */
    const char *body, *against; /* files of bodies; NULL: those that are built in, the kernel */
    const char *html;           /* where a page goes; NULL: none */
    args_list axis;             /* of a model: names of axes; none: body */
    bool standard;              /* of a model: bodies in the standard's own words */
    size_t keep;                /* of a model: most bytes of values held; 0: 1 GiB */
    /* Cases of one's own, as check_spec has them; opset 0: the newest, or 1 of another domain. */
    args_list inputs, attributes;
    int64_t opset;
} check_options;

/* Runs a model in several ways on the same inputs and compares what nodes give under the same
 * names; returns the exit code. */
int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *options);

#endif
