/* SPDX-License-Identifier: Apache-2.0
 * run.h - runs one case of an operator in each of the ways that are compared. */
#ifndef TOOLS_CHECK_RUN_H
#define TOOLS_CHECK_RUN_H

#include "check/cases.h"
#include "check/options.h"

typedef enum check_outcome {
    CHECK_AGREES, /* also where the kernel refuses inputs of `refused`, or both those of --inputs */
    CHECK_DIFFERS,
    CHECK_FAILS,        /* the body does not run */
    CHECK_KERNEL_FAILS, /* the kernel, or what is in its place, does not run */
    CHECK_REFUSED,      /* the engine says that it does not take the case */
    CHECK_N_OUTCOMES
} check_outcome;

/* One way of running an operator. */
typedef struct check_way {
    const char *label; /* "repaired body"; for a body of --body or --against, its file */
    const char *key;   /* its name in JSON */
    oc_body_policy body;
    const oc_function_text *functions; /* a body of --body or --against; NULL: built in */
    bool standard;                     /* the standard's own text, in which known defects show */
    bool engine;                       /* the command of --engine, which engine.h asks */
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
    double exact;            /* the first element that differs */
    double way, reference;   /* distances from it; Inf where one of two is NaN */
    char text[COMPARE_TEXT]; /* why it is not known */
} check_nearer;

/* Where two bodies that give other outputs begin to differ (--body with --against). */
typedef struct check_inner {
    bool asked, known;
    char text[COMPARE_TEXT]; /* the value, its operator, the difference; or why it is not known */
} check_inner;

/* The result of one way. */
typedef struct check_result {
    check_outcome outcome;
    oc_status status;           /* why the body fails */
    bool ran;                   /* the way and the reference ran, so that outputs were compared */
    bool exact;                 /* and the outputs are the same; a NaN equals any NaN */
    const check_defect *defect; /* that explains the outcome; NULL: none does, or none is needed */
    double max_abs;
    uint64_t max_ulp;
    double share;  /* of what the bound allows, as in compare_result */
    int output;    /* the first output that differs too much */
    int64_t first; /* the first such element of it; -1: there is none */
    char text[COMPARE_TEXT];
    check_nearer nearer;
    check_inner inner;
} check_result;

/* What an engine gave for a case. */
typedef struct check_answer {
    check_outcome outcome; /* CHECK_AGREES: it gave all outputs */
    oc_value **out;        /* as many as the case asks for; NULL: none */
    char text[COMPARE_TEXT];
} check_answer;

typedef struct check_run {
    const check_plan *plan;
    const check_case *c;
    check_result result[CHECK_WAYS];
    /* Sessions that have run and hold the outputs; NULL or without outputs where a run failed. */
    oc_session *reference, *session[CHECK_WAYS];
    oc_error refused; /* why the reference did not run */
    check_answer answer;
    oc_model *model;
} check_run;

/* Compares the repaired and the standard's body with the kernel; with --engine, the engine with the
 * repaired body. given: a body to compare instead of them; against: a body to compare with instead
 * of the kernel; NULL: none. Each is a list of rows as oc_session_options takes it. */
check_plan check_plan_new(const check_family *family, const check_options *options,
                          const oc_function_text *given, const oc_function_text *against);

/* check_run_begin loads a case's model and runs the reference, check_run_end the other ways, and
 * compares; the answer of an engine is set between the two. *e is set only for errors unrelated to
 * the case, which stop the check: its model or a given body is malformed, there is no such kernel
 * or body, an option or a limit stops the reference. Free with check_run_free, also after an error.
 */
check_run check_run_begin(const check_plan *plan, const check_case *c, oc_error *e);
void check_run_end(check_run *run, oc_error *e);
void check_run_free(check_run *run);

/* The options of a session of the plan; own: bodies in place of kernels, or NULL. */
oc_session_options check_session_options(const check_plan *plan, const oc_function_text *own);
/* Runs the model on the inputs of the case. The session may be NULL after an error. */
oc_session *check_run_case(const check_case *c, const oc_model *m, const oc_session_options *o,
                           oc_error *e);

/* Output i of the reference, and of a way; NULL where it did not run. */
const oc_value *check_expected(const check_run *run, int i);
const oc_value *check_output(const check_run *run, int way, int i);

/* "agrees", "differs", "body fails" ... */
const char *check_outcome_name(const check_plan *plan, check_outcome outcome);

/* Which of two results is nearer to that in double: a label; NULL: neither. */
const char *check_nearer_label(const check_run *run, int way);

/* What --in-double found, and what was found of inner values, in a sentence; NULL: nothing was
 * asked for. Free with free. */
char *check_nearer_text(const check_run *run, int way);
char *check_inner_text(const check_result *r);

/* Is the result a disagreement that no known defect explains, or a failure? */
bool check_is_bad(const check_result *r);

#endif
