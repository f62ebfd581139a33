/* SPDX-License-Identifier: Apache-2.0
 * trial.h - tries a step with numbers in place of symbols, and finds the expressions of what it
 * answers. */
#pragma once

#include "plan/edit.h"
#include "plan/fit.h"
#include "plan/passes.h"

enum {
    OC_TRIAL_NAMES = 16,    /* symbols in the inputs of a step */
    OC_TRIAL_NUMBERS = 8,   /* numbers there, which are tried too */
    OC_TRIAL_ELEMENTS = 64, /* of a tensor whose elements are followed */
    OC_TRIAL_OUTPUTS = 16   /* of a step that is tried */
};

/* A step that is tried. */
typedef struct oc_trial {
    oc_walk *w;
    oc_step *s;
    oc_expressions *x;
    oc_arena scratch;
    const oc_symbolic **in; /* NULL: the input is missing, or wholly known */
    const oc_value **given;
    oc_value *value, *made, **out;
    oc_status (*rule)(oc_call *c);
    int name[OC_TRIAL_NAMES], n_names;
    int equals[OC_TRIAL_NAMES]; /* the name whose size name i has in all tries, perhaps its own */
    int64_t number[OC_TRIAL_NUMBERS]; /* that stand among the dims and elements */
    int n_numbers;
    int assumed;  /* the rank of inputs that have none; -1: all have one */
    bool single;  /* only one size differs between answers: products and sums look alike */
    bool guessed; /* elements of some input are not followed: ranks alone are told */
    int n;        /* answers */
    int64_t size[OC_FIT_POINTS][OC_TRIAL_NAMES];
    oc_type type[OC_TRIAL_OUTPUTS];
    int rank[OC_TRIAL_OUTPUTS];                          /* -1: answers differ in rank */
    int64_t (*answer)[OC_FIT_POINTS][OC_TRIAL_ELEMENTS]; /* of each output */
} oc_trial;

/* trial_inputs.c */

/* Are elements of the type followed? */
bool oc_trial_follows(oc_type type);
/* An expression that is nothing but itself. */
int oc_trial_fresh(const oc_trial *t);
oc_symbolic *oc_symbolic_new(oc_planner *p, oc_kind kind, oc_type type, int rank);
/* The slot of a place; NULL: it is none. */
oc_slot *oc_trial_slot(const oc_walk *w, int place);
/* A tensor whose dims are known. */
oc_symbolic *oc_trial_of_known(const oc_trial *t, const oc_value *v);
/* The number of elements; -1: it is not known, or more than are followed. */
int oc_trial_count(const oc_trial *t, const oc_symbolic *y);
/* Element i of a type that is followed. */
int64_t oc_trial_element(oc_type type, const void *data, int i);
/* Sets element i; false: the type does not have the number. */
bool oc_trial_put(oc_type type, void *data, int i, int64_t n);
/* What is known of output i of the step's graph in attribute a; NULL: nothing. */
const oc_slot *oc_trial_graph_output(const oc_step *s, int a, int i);
/* Memory of the trial. */
oc_status oc_trial_begin(oc_trial *t);
/* Looks at the inputs; *seen: what the rule needs of them is there. */
oc_status oc_trial_look(oc_trial *t, bool *seen);

/* trial.c */

/* Makes the call of an outline (oc_traits), as a rule of a trial. */
oc_op_fn oc_trial_outline;
/* Tries the step's rule with many sizes. */
oc_status oc_trial_run(oc_trial *t);
/* The operands of expressions, at the sizes that had answers. */
void oc_trial_fit(const oc_trial *t, oc_fit *f);
/* The expression of entry i of output k: a dim, or an element. */
int oc_trial_entry(const oc_trial *t, const oc_fit *f, int k, int i);

/* symbol_elements.c: the elements of the step's outputs, if they are few integers. */

/* If the step only moves dims or elements: what it moves them to is certain. A session relies on
 * nothing else. */
oc_status oc_plan_move_elements(oc_trial *t, bool *done);
/* By trials, which are evidence for who looks at a model. */
oc_status oc_plan_follow_elements(oc_trial *t);
