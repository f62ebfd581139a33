/* SPDX-License-Identifier: Apache-2.0
 * hits.h - the worst cases that a search has met. */
#ifndef TOOLS_CHECK_HITS_H
#define TOOLS_CHECK_HITS_H

#include "check/mutate.h"
#include "check/search.h"

/* After judge_try: keeps the case where it is the worst of the pair, or of its kind. */
void hits_note(check_search *out, judge *j, enum judge_pair pair, const judge_gap *gap,
               double seconds);
/* Makes what was found smaller: fewer elements, and numbers that are 0 or short, as long as it
 * stays of its kind and its share does not fall below nine tenths. */
void hits_simplify(check_search *out, mutator *m);

#endif
