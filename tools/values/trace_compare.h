/* SPDX-License-Identifier: Apache-2.0
 * trace_compare.h - compares the values that the nodes of a run give with those of a trace. */
#pragma once

#include "files/io.h"
#include "values/compare.h"
#include "values/trace.h"

/* The first value of a run that differs from the trace's. */
typedef struct value_first {
    const char *output, *node, *op; /* borrowed; node may be "" */
    char own_op[64]; /* the operator that gives it in the compared run, which may be another one */
    int64_t time;    /* position among the values of its name, from 1 */
    char text[COMPARE_TEXT]; /* the difference, as in compare_result */
} value_first;

/* The comparison of a run with a trace. n_met counts values of the trace that this run gave too; it
 * is the sum of n_compared, n_unstored and n_unkept. */
typedef struct value_comparison {
    value_trace *trace;
    compare_bound bound; /* a tolerance below 0 stands for the default of the value's type */
    /* receives a picture of the first difference, if it is empty; NULL: none is drawn */
    io_bytes *picture;
    /* true: the following nodes keep their own inputs; false: they get those of the trace */
    bool apart;
    int64_t n_met;
    int64_t n_compared;
    int64_t n_differ;   /* part of n_compared */
    int64_t n_unstored; /* number not compared because fused nodes do not store the value */
    /* number not compared because only fingerprints are known; these differ, but the values may
     * be within tolerance */
    int64_t n_unkept;
    double max_abs;
    uint64_t max_ulp;
    value_first first; /* in the order of this run; set if n_differ is not 0 */
} value_comparison;

/* Returns the bound for values of this type: a tolerance below 0 is replaced by its default. The
 * defaults are rtol 1e-5 and atol 1e-6, or 16 and 8 units in the last place of 1 if that is
 * more. */
compare_bound value_bound_of(const compare_bound *given, oc_type type);

/* Begins a comparison, which uses fields of *trace: only one may run at a time. */
value_comparison value_comparison_new(value_trace *trace, const compare_bound *bound);
/* An on_node callback whose ctx is a value_comparison: compares the outputs of each node. */
void value_compare_node(void *comparison, const oc_node_event *event);
/* As value_compare_node, but only for nodes of the main graph. */
void value_compare_main(void *comparison, const oc_node_event *event);
