/* SPDX-License-Identifier: Apache-2.0
 * stage_operand.h - where does a stage find an operand of the elements that it computes? For
 * stages.c and stage_plan.c. */
#pragma once

#include "kernels/common/half.h"
#include "ops/kit/op.h"

enum {
    OC_STRIP = 1024,     /* the most elements that a stage computes at once */
    OC_STAGE_BUFFERS = 4 /* operands of a group that are repeated, or converted strip by strip */
};

typedef enum oc_operand_kind {
    OC_OF_GROUP,   /* what call number `value` made */
    OC_OF_PLACES,  /* a tensor of the form and the dims of the result */
    OC_OF_ONE,     /* one number */
    OC_OF_CHANNEL, /* in NCHW16c: one number for each channel, repeated in a buffer */
    OC_OF_ROW,     /* in NCHW: `period` numbers, again and again; short ones are repeated */
    OC_OF_PLANE    /* in NCHW: the same, each number `run` times */
} oc_operand_kind;

typedef struct oc_stage_operand {
    oc_operand_kind kind;
    int value;
    int buffer;                  /* -1: none */
    const void *data;            /* floats, or */
    const oc_half_variant *half; /* halves that this widens; else NULL */
    float one;                   /* what OC_OF_ONE is where its value is a half */
    int64_t blocks; /* of a channel's operand: of 16 channels, of one image or of all */
    int64_t period, run;
} oc_stage_operand;

/* Sets the form in which v, which no call of the group makes, is an operand of a result y, but for
 * the elements; false: there is no form. *buffers: how many of OC_STAGE_BUFFERS are in use. */
bool oc_stage_operand_decide(const oc_value *v, const oc_value *y, unsigned cpu, int *buffers,
                             oc_stage_operand *x);
/* Sets the elements of an operand of output 0 of c that is v in this form. What is converted or
 * repeated lies in scratch memory of c. */
oc_status oc_stage_operand_fill(oc_call *c, const oc_value *v, oc_stage_operand *x);
/* Elements that a strip from element number `at` of the result on may have, n at most. */
int64_t oc_stage_operand_reach(const oc_stage_operand *x, int64_t at, int64_t n);
/* Fills the buffer of a channel's operand, of n elements, for strips of a block of 16 channels. */
void oc_stage_operand_repeat(const oc_stage_operand *x, int64_t block, int64_t n, float *buffer);
/* The operand's n elements for such a strip, by way of its buffer where it has one; *step: from one
 * to the next, 0 or 1. */
const float *oc_stage_operand_at(const oc_stage_operand *x, int64_t at, int64_t n, float *buffer,
                                 int64_t *step);
