/* SPDX-License-Identifier: Apache-2.0
 * judge.h - runs a case in all of its ways many times, each time with other numbers, and tells how
 * far the results are apart.
 *
 * The model is loaded and the sessions are made once. The ways are the kernel, the body, the body
 * in double, and the kernel on every other instruction set of this processor. */
#ifndef TOOLS_CHECK_JUDGE_H
#define TOOLS_CHECK_JUDGE_H

#include "check/run.h"

/* What is compared with what. */
enum judge_pair {
    JUDGE_BODY,         /* the body with the kernel */
    JUDGE_KERNEL_EXACT, /* the kernel with the body in double */
    JUDGE_BODY_EXACT,   /* the body with the body in double */
    JUDGE_CPU,          /* the kernel on other instruction sets with the kernel: equal bits */
    JUDGE_PAIRS
};

/* How far two results are apart. */
typedef struct judge_gap {
    /* The greatest difference of two elements as a share of what the case's bound allows; Inf:
     * nothing is allowed, or one of the two is not finite, or has another shape, or did not run.
     * -1: the two were not compared, or the inputs are to blame: a unit in their last place moves
     * the result as far. Where the bound allows nothing, 1 unit in the last place is what it allows
     * between a result and that of the body in double. */
    double share;
    int output;
    int64_t at; /* index of the element; -1: the difference is no element's */
    bool fails; /* the body, or the other instruction set, did not run */
} judge_gap;

typedef struct judge_score {
    bool valid; /* the kernel took the inputs, and no limit ended a run */
    judge_gap gap[JUDGE_PAIRS];
} judge_score;

typedef struct judge judge;

/* Takes over the members of *c, whose numbers may then be changed in place. Free with judge_drop.
 */
judge *judge_new(const check_plan *plan, check_case *c);
/* Every judge begins with one user; the last that drops it frees it. NULL is allowed. */
judge *judge_keep(judge *j);
void judge_drop(judge *j);

const check_case *judge_case(const judge *j);
const check_plan *judge_plan(const judge *j);
/* A copy of the case's numbers, strings left out. Free with free. */
unsigned char *judge_bytes(const judge *j);
/* Gives the case such numbers. */
void judge_restore(const judge *j, const unsigned char *bytes);
/* Runs all ways on the numbers that the case has now. Whether the inputs are to blame is asked of
 * shares above the pair's record, or 1, which takes many runs; shares below a half need no excuse.
 */
judge_score judge_try(judge *j, const double record[JUDGE_PAIRS]);

enum { JUDGE_TEXT = 600 };
/* After judge_try: the element of the gap in both results, or why a way failed. */
const char *judge_describe(const judge *j, enum judge_pair pair, const judge_gap *gap,
                           char text[JUDGE_TEXT]);
/* After judge_try: of which kind a difference is, in a word or two that do not tell of sizes and
 * numbers: two of one kind are likely to have one cause. */
const char *judge_kind(const judge *j, enum judge_pair pair, const judge_gap *gap,
                       char text[JUDGE_TEXT]);
/* "kernel against the body in double" */
const char *judge_pair_text(const check_plan *plan, enum judge_pair pair, char text[JUDGE_TEXT]);

#endif
