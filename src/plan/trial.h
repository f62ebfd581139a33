/* SPDX-License-Identifier: Apache-2.0
 * trial.h - tries a step with numbers in place of symbols, and finds the expressions of what it
 * answers. */
#pragma once

#include "plan/edit.h"
#include "plan/fit.h"
#include "plan/passes.h"

enum {
    OC_TRIAL_ENTRIES = 64, /* elements of a tensor whose elements are followed */
    OC_ASSUMED_RANK = 4,   /* the largest rank that an input is tried with which has none */
    OC_TRIAL_OUTPUTS = 16, /* outputs of a step that is tried */
    OC_TRIAL_NUMBERS = 8   /* numbers among dims and elements that are tried for symbols */
};

/* In what way symbols get their sizes. */
typedef enum oc_trial_round {
    OC_BY_NAMES, /* each expression is what the point of the try makes of its names */
    OC_EACH,     /* each expression has a size of its own, whatever its names */
    OC_ONES      /* as small as can be: it tells ranks alone */
} oc_trial_round;

/* A step that is tried. */
typedef struct oc_trial {
    oc_walk *w;
    oc_step *s;
    oc_expressions *x;
    oc_arena scratch;
    const oc_symbolic **in; /* NULL: the input is missing, or wholly known */
    const oc_value **given;
    oc_value *value, *made, **out;
    oc_op_fn *rule;
    oc_trial_round round;
    int number[OC_TRIAL_NUMBERS]; /* handles of numbers that stand among the dims and elements */
    int n_numbers, try, last_element;
    int n;       /* answers */
    oc_fit *fit; /* the operands, and their sizes in the tries that had answers */
    oc_type type[OC_TRIAL_OUTPUTS];
    oc_dims dims[OC_TRIAL_OUTPUTS];                     /* of the last answer */
    int n_entry[OC_TRIAL_OUTPUTS];                      /* -1: answers differ */
    int64_t (*answer)[OC_TRIAL_ENTRIES][OC_FIT_POINTS]; /* of each output: dims, or elements */
} oc_trial;

/* Memory for the trial. */
oc_status oc_trial_begin(oc_trial *t);
/* Takes note of the operands and numbers in t->in, and tries the rule: oc_call_plan, oc_call_run or
 * oc_trial_outline. Sets t->n to the number of answers. With only_sure the rule is tried at the
 * sure points alone, and t->n is 0 unless the rule answers at each of them. */
oc_status oc_trial_run(oc_trial *t, oc_op_fn *rule, bool only_sure);
/* The expression of entry i of output k: a dim, or for oc_call_run an element. */
int oc_trial_entry(oc_trial *t, int k, int i);
/* Makes the call of an outline (oc_traits), as a rule of a trial. */
oc_op_fn oc_trial_outline;

/* Are elements of the type followed? */
bool oc_trial_follows(oc_type type);
/* Element i of a type that is followed. */
int64_t oc_trial_element(oc_type type, const void *data, int64_t i);
