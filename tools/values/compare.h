/* SPDX-License-Identifier: Apache-2.0
 * compare.h - compares a value with the expected one. */
#pragma once

#include "common/json.h"
#include "common/tool.h"

/* The tolerances of ONNX's own tests, for tests that give none. */
#define COMPARE_RTOL 1e-3
#define COMPARE_ATOL 1e-7

/* How far an element may be from the expected one. It agrees when |actual - expected| <= atol +
 * rtol * |expected|. NaN agrees with NaN only, an infinity with itself only; bools and strings
 * agree when they are equal. */
typedef struct compare_bound {
    double rtol, atol;
    /* true: all bits must be equal, but every NaN equals every NaN; rtol and atol are ignored */
    bool bits;
    bool signs; /* true: zeros of different signs differ */
} compare_bound;

enum { COMPARE_TEXT = 400 };

typedef struct compare_result {
    bool agrees;
    double max_abs;   /* greatest |actual - expected| of numbers; Inf when one is infinite */
    double sum_abs;   /* sum of |actual - expected| over n_gaps pairs of numbers */
    int64_t n_gaps;   /* number of pairs, without those of a NaN and a number */
    uint64_t max_ulp; /* greatest number_ulp; UINT64_MAX when one of two is NaN */
    /* Greatest |actual - expected| as a share of what the bound allows for that element: at most
     * 1 when all agree; Inf when nothing is allowed. */
    double share;
    int64_t n;        /* number of elements compared */
    int64_t n_differ; /* number of elements that do not agree */
    bool cancelled;   /* true: SIGINT came; agrees is false, and the rest is meaningless */
    /* for a tensor, index of the first element that does not agree; -1: there is none */
    int64_t first;
    int64_t worst; /* for a tensor, index of the element of `share`; -1: there is none */
    /* The difference: of kind, type or shape, or the first element that does not agree, with its
     * index; "" when the values agree. */
    char text[COMPARE_TEXT];
} compare_result;

/* Compares kinds, types, shapes and elements; compares sequences and optionals item by item. */
compare_result compare_values(const oc_value *actual, const oc_value *expected,
                              const compare_bound *bound);

/* Adds the result of one comparison to all, which begins with agrees = true and keeps its text. */
void compare_add(compare_result *all, const compare_result *one);

/* Writes "max abs 0.2, max ulp 7, mean abs 0.01, 25 % beyond the tolerance"; only the percentage
 * for values without numbers. The percentage counts the elements that do not agree. */
enum { COMPARE_FIGURES = 160 };
const char *compare_figures(const compare_result *r, char text[COMPARE_FIGURES]);
/* Writes the entries max_abs, max_ulp, mean_abs and beyond_tolerance, a share of 0 to 1. */
void compare_json(const compare_result *r, json_writer *j);
/* Returns the mean of |actual - expected|, or the share of the elements that do not agree, 0 to
 * 1; 0 when nothing was compared. */
double compare_mean_abs(const compare_result *r);
double compare_share_beyond(const compare_result *r);

/* Are the values of one kind: tensors of one type and shape, or lists of one length? */
bool compare_same_form(const oc_value *a, const oc_value *b);
/* Returns |a - b| for element i of two tensors of numbers. Integers are subtracted exactly; the
 * difference is rounded to double. */
double compare_gap(oc_type type, const void *a, const void *b, int64_t i);
