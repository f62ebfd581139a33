/* SPDX-License-Identifier: Apache-2.0
 * mutate.h - changes a case at random: its numbers, sizes, types and attributes.
 *
 * A change stays within what the family's cases allow: each input keeps to the numbers that its
 * mark in the case file names, and attributes are those of the file. */
#pragma once

#include "check/cases.h"

enum { MUTATE_MOST = 2048 }; /* most elements of all inputs of a case */

typedef struct mutator {
    const check_family *family;
    uint64_t key, counter; /* state of the random numbers */
    check_version version[CHECK_OPSETS];
    int n_versions;
} mutator;

/* Equal seeds give equal changes. */
mutator mutator_new(const check_family *family, uint64_t seed);
/* Returns a random number below n; n must be above 0. */
int mutate_below(mutator *m, int n);

/* Makes inputs of CHECK_GIVEN inputs of the case's model, so that their numbers can be changed.
 * Returns false when the case has more than MUTATE_MOST elements. *e: memory ran out. */
bool mutate_open(const mutator *m, check_case *c, oc_error *e);
/* Changes some numbers of the inputs in place. */
void mutate_numbers(mutator *m, const check_case *c);
/* Makes a case with other sizes, another type or other attributes, and numbers like those of
 * `from`, which mutate_open has opened. Returns false when there is no such case. Free with
 * check_case_free. */
bool mutate_form(mutator *m, const check_case *from, check_case *out, oc_error *e);
