/* SPDX-License-Identifier: Apache-2.0
 * tail_operand.h - where does a stage of a tail find an operand of the elements that it computes?
 * For tail.c. */
#ifndef OC_OPS_KIT_TAIL_OPERAND_H
#define OC_OPS_KIT_TAIL_OPERAND_H

#include "ops/kit/op.h"

enum {
    OC_STRIP = 1024,    /* the most elements that a stage computes at once */
    OC_TAIL_BUFFERS = 3 /* operands of a tail that are repeated */
};

typedef enum oc_operand_kind {
    OC_OF_TAIL,    /* what call number `value` made */
    OC_OF_PLACES,  /* a tensor of the form and the dims of the result */
    OC_OF_ONE,     /* one number */
    OC_OF_CHANNEL, /* in lanes: one number for each channel, repeated in a buffer */
    OC_OF_ROW,     /* in planes: `period` numbers, again and again; short ones in a buffer */
    OC_OF_PLANE    /* in planes: the same, each number `run` times */
} oc_operand_kind;

typedef struct oc_tail_operand {
    oc_operand_kind kind;
    int value;
    int buffer; /* -1: none */
    const float *data;
    int64_t blocks; /* of a channel's operand: of 16 channels, of one image or of all */
    int64_t period, run;
} oc_tail_operand;

/* The form in which v, which no call of the tail makes, is an operand of output 0 of c. *buffers:
 * how many are in use. *good: there is one. */
oc_status oc_tail_operand_find(oc_call *c, const oc_value *v, int *buffers, oc_tail_operand *x,
                               bool *good);
/* Elements that a strip from element number `at` of the result on may have, n at most. */
int64_t oc_tail_operand_reach(const oc_tail_operand *x, int64_t at, int64_t n);
/* Fills a buffer of 2 * OC_STRIP elements for strips of a block of 16 channels, or in planes of
 * all, which have n elements at most. */
void oc_tail_operand_repeat(const oc_tail_operand *x, int64_t block, int64_t n, float *buffer);
/* The operand's elements for such a strip; *step: from one to the next, 0 or 1. */
const float *oc_tail_operand_at(const oc_tail_operand *x, int64_t at, const float *buffer,
                                int64_t *step);

#endif
