/* SPDX-License-Identifier: Apache-2.0
 * run.h - runs one case of an operator in each of the ways that are compared. */
#pragma once

#include "check/cases.h"
#include "check/options.h"

typedef enum check_outcome {
    /* the results agree; or the kernel refuses inputs of `refused`, or both refuse those of
     * --inputs */
    CHECK_AGREES,
    CHECK_DIFFERS,
    CHECK_FAILS,        /* the body does not run */
    CHECK_KERNEL_FAILS, /* the kernel, or what runs in its place, does not run */
    CHECK_REFUSED,      /* the engine says that it does not take the case */
    CHECK_N_OUTCOMES
} check_outcome;

/* One way of running an operator. */
typedef struct check_way {
    const char *label; /* "repaired body"; for a body of --body or --against the path of its file */
    const char *key;   /* its name in JSON */
    oc_body_policy body;
    const oc_function_text *functions; /* a body of --body or --against; NULL: it is built in */
    bool standard; /* true: the standard's own text, in which known defects show */
    bool engine;   /* true: the command of --engine, which engine.h asks */
} check_way;

enum { CHECK_WAYS = 2 };

/* The ways that are compared. */
typedef struct check_plan {
    const check_family *family;
    const check_options *options;
    check_way reference, way[CHECK_WAYS];
    int n; /* number of ways that are compared with the reference */
} check_plan;

/* How far two results that differ are from what the body gives in double (--in-double). */
typedef struct check_nearer {
    bool asked, known;
    double exact;            /* the first element that differs, as the body in double gives it */
    double way, reference;   /* distances of both results from it; Inf when one of two is NaN */
    char text[COMPARE_TEXT]; /* why the distances are not known */
} check_nearer;

/* Where two bodies that give other outputs begin to differ (--body with --against). */
typedef struct check_inner {
    bool asked, known;
    /* the value, its operator and the difference; or why these are not known */
    char text[COMPARE_TEXT];
} check_inner;

/* The result of one way. */
typedef struct check_result {
    check_outcome outcome;
    oc_status status; /* why the body fails */
    bool ran;         /* true: the way and the reference ran, so that outputs were compared */
    bool exact;       /* true: the outputs are also equal; a NaN equals any NaN */
    /* the defect that explains the outcome; NULL: none does, or none has to */
    const check_defect *defect;
    double max_abs;
    uint64_t max_ulp;
    /* greatest difference as a share of what the bound allows, as in compare_result */
    double share;
    int output;    /* number of the first output that differs too much */
    int64_t first; /* its first element that differs too much; -1: there is none */
    char text[COMPARE_TEXT];
    check_nearer nearer;
    check_inner inner;
} check_result;

/* What an engine gave for a case. */
typedef struct check_answer {
    check_outcome outcome; /* CHECK_AGREES when it gave all outputs */
    oc_value **out;        /* as many as the case asks for; NULL: the engine gave none */
    char text[COMPARE_TEXT];
} check_answer;

typedef struct check_run {
    const check_plan *plan;
    const check_case *c;
    check_result result[CHECK_WAYS];
    /* sessions that have run and hold the outputs; NULL, or without outputs, when a run failed */
    oc_session *reference, *session[CHECK_WAYS];
    oc_error refused; /* why the reference did not run */
    check_answer answer;
    oc_model *model;
} check_run;

/* Plans which ways are compared: the repaired and the standard's body with the kernel; with
 * --engine, the engine with the repaired body. given is a body to compare instead of these,
 * against a body to compare with instead of the kernel; NULL: there is none. Each is a list of
 * rows as oc_session_options takes it. */
check_plan check_plan_new(const check_family *family, const check_options *options,
                          const oc_function_text *given, const oc_function_text *against);

/* check_run_begin loads a case's model and runs the reference; check_run_end runs the other
 * ways, and compares. The answer of an engine is set between the two. *e is set only for errors
 * that have nothing to do with the case, and stop the check: its model or a given body is
 * malformed, there is no such kernel or body, an option or a limit stops the reference. Free
 * with check_run_free, also after an error. */
check_run check_run_begin(const check_plan *plan, const check_case *c, oc_error *e);
void check_run_end(check_run *run, oc_error *e);
void check_run_free(check_run *run);

/* Returns the options of a session of the plan. own: bodies in place of kernels, or NULL. */
oc_session_options check_session_options(const check_plan *plan, const oc_function_text *own);
/* Runs the model on the inputs of the case. Returns the session, which may be NULL after an
 * error. */
oc_session *check_run_case(const check_case *c, const oc_model *m, const oc_session_options *o,
                           oc_error *e);

/* Return output i of the reference, and of a way; NULL when it did not run. */
const oc_value *check_expected(const check_run *run, int i);
const oc_value *check_output(const check_run *run, int way, int i);

/* Returns "agrees", "differs", "body fails" and so on. */
const char *check_outcome_name(const check_plan *plan, check_outcome outcome);

/* Returns the label of the result that is nearer to that in double; NULL: neither is nearer. */
const char *check_nearer_label(const check_run *run, int way);

/* Returns in a sentence what --in-double found, and what was found about inner values; NULL when
 * nothing was asked for. Free it with free. */
char *check_nearer_text(const check_run *run, int way);
char *check_inner_text(const check_result *r);

/* Is the result a disagreement that no known defect explains, or a failure? */
bool check_is_bad(const check_result *r);

/* body_line.c: which line of a body's text is an error about?
 *
 * Returns the line, from 1, that the error is about. It is the line of the node that gives a
 * value which the error names as 's', or as 'Softmax/s' in the body of op; or else of the only
 * node that calls an operator which the error names. 0: it is not known. */
int check_body_line(const char *text, const char *op, const char *error);
