/* SPDX-License-Identifier: Apache-2.0
 * compare.h - is a value the one that was expected? */
#ifndef TOOLS_VALUES_COMPARE_H
#define TOOLS_VALUES_COMPARE_H

#include "common/tool.h"

/* ONNX's own tests ask for these. */
#define COMPARE_RTOL 1e-3
#define COMPARE_ATOL 1e-7

/* An element agrees when |actual - expected| <= atol + rtol * |expected|. NaN agrees with NaN and
 * an infinity with itself only; bool and strings agree when they are equal. */
typedef struct compare_bound {
    double rtol, atol;
    bool bits;  /* every bit must be equal instead, signs of zeros too; but any NaN equals any */
    bool signs; /* zeros of different signs differ, too */
} compare_bound;

enum { COMPARE_TEXT = 400 };

typedef struct compare_result {
    bool agrees;
    double max_abs;          /* greatest |actual - expected| of numbers; Inf when one is infinite */
    uint64_t max_ulp;        /* UINT64_MAX where one of two is NaN */
    int64_t n;               /* elements compared */
    int64_t n_differ;        /* of these, out of bounds */
    int64_t first;           /* the first of them; -1: none */
    char text[COMPARE_TEXT]; /* what differs: kind, type, shape, or the first element with its
                                index; "" when all agrees */
} compare_result;

/* Compares kinds, types, shapes and elements; sequences and optionals item by item. */
compare_result compare_values(const oc_value *actual, const oc_value *expected,
                              const compare_bound *bound);

/* Are kind, type and shape the same, or the lengths of two lists? */
bool compare_same_form(const oc_value *a, const oc_value *b);
/* |a - b| of element i of two tensors of numbers; of integers without rounding them first. */
double compare_gap(oc_type type, const void *a, const void *b, int64_t i);

#endif
