/* SPDX-License-Identifier: Apache-2.0
 * draw.h - draws random numbers that an input of a case may hold, and changes its numbers. */
#pragma once

#include "check/cases.h"

/* Which numbers an input may hold. */
typedef struct draw_rule {
    oc_type type;
    check_kind kind; /* also CHECK_MODEST when the type is mixed with one of a smaller range */
    int below;       /* the bound of CHECK_BELOW */
    bool mild;       /* true: no Inf, no NaN, and no numbers whose products overflow */
} draw_rule;

/* Returns what an input of a case may hold. form is NULL when the case has none. */
draw_rule draw_rule_of(const check_input *in, const check_spec *spec, const check_form *form,
                       oc_type type);
/* Sets element i to a random number. */
void draw_new(const draw_rule *rule, oc_value *v, int64_t i, uint64_t key);
/* Sets element i to element k of a value of any type but string; to a random number if the rule
 * does not allow that element. */
void draw_take(const draw_rule *rule, oc_value *v, int64_t i, const oc_value *from, int64_t k,
               uint64_t key);
/* Changes one element, some, or all of them: in a bit, to a neighbour, to a special number, by a
 * factor, and so on. Returns false when the tensor has no elements, or strings. */
bool draw_change(const draw_rule *rule, oc_value *v, uint64_t key);
