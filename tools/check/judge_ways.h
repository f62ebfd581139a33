/* SPDX-License-Identifier: Apache-2.0
 * judge_ways.h - what the files of a judge share. */
#pragma once

#include "check/judge.h"

enum { JUDGE_SETS = 3 };

/* One way of running the case. */
typedef struct judge_way {
    oc_session *session;
    oc_error error; /* why there is no session, or why the last run failed */
    char cpu[16];
} judge_way;

struct judge {
    int uses;
    const check_plan *plan;
    check_case c;
    oc_model *model, *wide;
    judge_way kernel, body, exact, set[JUDGE_SETS];
    int n_sets;
    int worst_set; /* the instruction set whose results are farthest from the kernel's */
};

/* Runs the case if there is a session. */
void judge_run(judge_way *w);
/* Returns output i of the last run; NULL when the run failed. */
const oc_value *judge_output(const judge_way *w, int i);
/* Returns a result in double, rounded to the type of the other result; NULL when it is not in
 * double. The caller frees it. */
oc_value *judge_round(const oc_value *exact, const oc_value *like);
/* Returns the bound; when it allows nothing, it becomes a unit in the last place of the type. */
compare_bound judge_exact_bound(const compare_bound *bound, oc_type type);
/* Removes the gaps for which the inputs are to blame (judge_gap). */
void judge_excuse(judge *j, const double record[JUDGE_PAIRS], judge_score *s);
