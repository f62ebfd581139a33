/* SPDX-License-Identifier: Apache-2.0
 * judge.h - runs a case in all of its ways many times, each time with other numbers, and tells how
 * far the results are apart.
 *
 * The model is loaded and the sessions are made once. The ways are the kernel, the body, the body
 * in double, and the kernel on every other instruction set of this processor. */
#pragma once

#include "check/run.h"

/* Which two results are compared. */
enum judge_pair {
    JUDGE_BODY,         /* the body's with the kernel's */
    JUDGE_KERNEL_EXACT, /* the kernel's with those of the body in double */
    JUDGE_BODY_EXACT,   /* the body's with those of the body in double */
    /* the kernel's on other instruction sets with the kernel's; the bits must be equal */
    JUDGE_CPU,
    JUDGE_PAIRS
};

/* How far two results are apart. */
typedef struct judge_gap {
    /* The greatest difference of two elements as a share of what the case's bound allows. When
     * the bound allows nothing, a result may differ from that of the body in double by 1 unit in
     * the last place. Inf: nothing is allowed, one of the two is not finite or has another
     * shape, or a way did not run. -1: the two were not compared, or the inputs are to blame,
     * because a unit in their last place changes the result as much. */
    double share;
    int output;
    int64_t at; /* index of the element; -1: the difference is not that of an element */
    bool fails; /* true: the body, or the other instruction set, did not run */
} judge_gap;

typedef struct judge_score {
    bool valid; /* true: the kernel took the inputs, and no limit ended a run */
    judge_gap gap[JUDGE_PAIRS];
} judge_score;

typedef struct judge judge;

/* Takes over the members of *c; their numbers may then be changed in place. Free with
 * judge_drop. */
judge *judge_new(const check_plan *plan, check_case *c);
/* Adds a user. A judge begins with one, and the last user that drops it frees it. j may be NULL. */
judge *judge_keep(judge *j);
void judge_drop(judge *j);

const check_case *judge_case(const judge *j);
const check_plan *judge_plan(const judge *j);
/* Returns a copy of the case's numbers, without strings. Free it with free. */
unsigned char *judge_bytes(const judge *j);
/* Sets the case's numbers to such a copy. */
void judge_restore(const judge *j, const unsigned char *bytes);
/* Runs all ways on the current numbers of the case. For shares above the pair's record, or above
 * 1, it finds out whether the inputs are to blame, which takes many runs; shares below a half
 * need no excuse. */
judge_score judge_try(judge *j, const double record[JUDGE_PAIRS]);

enum { JUDGE_TEXT = 600 };
/* Called after judge_try: describes the element of the gap in both results, or why a way failed. */
const char *judge_describe(const judge *j, enum judge_pair pair, const judge_gap *gap,
                           char text[JUDGE_TEXT]);
/* Called after judge_try: returns the kind of a difference, in a word or two without sizes and
 * numbers. Two differences of one kind are likely to have one cause. */
const char *judge_kind(const judge *j, enum judge_pair pair, const judge_gap *gap,
                       char text[JUDGE_TEXT]);
/* Writes "kernel against the body in double" and the like. Returns text. */
const char *judge_pair_text(const check_plan *plan, enum judge_pair pair, char text[JUDGE_TEXT]);
