/* SPDX-License-Identifier: Apache-2.0
 * run.h - one case of an operator, run in each of the ways that are compared. */
#ifndef TOOLS_CHECK_RUN_H
#define TOOLS_CHECK_RUN_H

#include "check/cases.h"
#include "check/options.h"

typedef enum check_outcome {
    CHECK_AGREES, /* also where neither runs, as the table says or on inputs that the user gives */
    CHECK_DIFFERS,
    CHECK_FAILS,        /* the body does not run */
    CHECK_KERNEL_FAILS, /* what the body is compared with does not */
    CHECK_N_OUTCOMES
} check_outcome;

/* One way of running an operator. */
typedef struct check_way {
    const char *label; /* "repaired body"; the file of a body that was given */
    const char *key;   /* in JSON */
    oc_body_policy body;
    const oc_function_text *functions; /* a body that was given; NULL: none */
    bool standard;                     /* known defects of the standard's text show here */
} check_way;

enum { CHECK_WAYS = 2 };

/* What is held against what. */
typedef struct check_plan {
    const check_family *family;
    const check_options *options;
    check_way reference, way[CHECK_WAYS];
    int n; /* ways that are compared with the reference */
} check_plan;

/* What one way came to. */
typedef struct check_result {
    check_outcome outcome;
    oc_status status;           /* why the body fails */
    bool ran;                   /* both did, so that numbers were compared */
    bool exact;                 /* and were the same; any NaN for a NaN */
    const check_defect *defect; /* what explains the outcome; NULL: nothing is to explain, or can */
    double max_abs;
    uint64_t max_ulp;
    int output;    /* the first whose elements differ too much, and which of them; */
    int64_t first; /* -1: none does */
    char text[COMPARE_TEXT];
} check_result;

typedef struct check_run {
    const check_plan *plan;
    const check_case *c;
    check_result result[CHECK_WAYS];
    /* After their runs, for the outputs; NULL or without any where a run failed. */
    oc_session *reference, *session[CHECK_WAYS];
    oc_model *model;
} check_run;

/* Kernel against repaired and standard's bodies, or against the body and kernel that the options
 * name, which are in given and against: rows as oc_function_text wants them, or NULL. */
check_plan check_plan_new(const check_family *family, const check_options *options,
                          const oc_function_text *given, const oc_function_text *against);

/* Runs a case; what the ways come to is in the results. *e is set only when nothing can be said:
 * the case's model or a given body is malformed, there is no such kernel or body, an option or a
 * limit stops the reference. Free with check_run_free. */
check_run check_run_case(const check_plan *plan, const check_case *c, oc_error *e);
void check_run_free(check_run *run);

/* "agrees", "differs", "body fails" ... */
const char *check_outcome_name(const check_plan *plan, check_outcome outcome);

/* Does the result ask for an explanation that nobody has? */
bool check_is_bad(const check_result *r);

/* "ocellus check Softmax --seed 7 --case '...'": the command that runs the case again, for a shell.
 * Free with free. */
char *check_replay(const check_plan *plan, const check_case *c);

#endif
