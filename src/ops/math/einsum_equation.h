/* SPDX-License-Identifier: Apache-2.0
 * einsum_equation.h - what does the equation of Einsum say of the axes? */
#pragma once

#include "ops/kit/op.h"

enum { OC_EINSUM_LABELS = 64 };

/* The labels of one operand's axes. Each letter of an equation is a label, and so is each axis that
 * an ellipsis covers. */
typedef struct oc_einsum_term {
    int rank;
    uint8_t label[OC_MAX_RANK];
} oc_einsum_term;

typedef struct oc_einsum {
    oc_einsum_term *term; /* the term of each input, in scratch memory */
    oc_einsum_term out;
    int n_label;
    int64_t size[OC_EINSUM_LABELS]; /* true for an axis of size 1, which repeats */
} oc_einsum;

/* Reads attribute `equation` for the dims of the inputs. */
oc_status oc_einsum_read(oc_call *c, oc_einsum *g);
