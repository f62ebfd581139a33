/* SPDX-License-Identifier: Apache-2.0
 * trace.h - keeps the values that the nodes of one run give, and compares another run with them.
 *
 * A value is identified by its name and by the number of values of that name before it, so that
 * values within loops are compared iteration by iteration. Memory is bounded: of a value whose copy
 * does not fit under the cap only a fingerprint is kept; after AXIS_MOST_VALUES values nothing is
 * kept. Both cases are counted. */
#ifndef TOOLS_WAYS_TRACE_H
#define TOOLS_WAYS_TRACE_H

#include "common/index.h"
#include "files/io.h"
#include "values/compare.h"

enum { AXIS_MOST_VALUES = 1 << 22 };

/* The values of one run. */
typedef struct axis_trace {
    struct axis_entry *item; /* the values, in the order of the run */
    struct axis_maker *maker;
    text_index makers; /* names to indices of maker */
    int n, n_maker;
    int64_t n_values;  /* number of values that the run gave, kept or not */
    size_t bytes, cap; /* bytes of copies, and the most allowed */
} axis_trace;

axis_trace axis_trace_new(size_t cap);
void axis_trace_free(axis_trace *t);
/* An on_node callback whose ctx is an axis_trace: keeps the outputs of each node. */
void axis_trace_keep(void *trace, const oc_node_event *event);

/* The first value of a run that differs from the trace's. */
typedef struct axis_first {
    const char *output, *node, *op; /* borrowed; node may be "" */
    int64_t time;                   /* position among the values of its name, from 1 */
    char text[COMPARE_TEXT];        /* the difference, as in compare_result */
} axis_first;

/* The comparison of a run with a trace. n_met counts values of the trace that this run gave too; it
 * is the sum of n_compared, n_unstored and n_unkept. */
typedef struct axis_comparison {
    axis_trace *trace;
    compare_bound bound; /* a tolerance below 0: the default of the value's type */
    io_bytes *picture;   /* receives one of the first difference, if it is empty; NULL: none */
    bool apart; /* the nodes that follow keep their own inputs, those of the trace are not given */
    int64_t n_met;
    int64_t n_compared;
    int64_t n_differ;   /* of n_compared */
    int64_t n_unstored; /* not compared: fused nodes do not store the value */
    int64_t n_unkept;   /* not compared: fingerprints differ, and the values may be in tolerance */
    double max_abs;
    uint64_t max_ulp;
    axis_first first; /* in the order of this run; set if n_differ is not 0 */
} axis_comparison;

/* Begins a comparison, which uses fields of *trace: only one may run at a time. */
axis_comparison axis_comparison_new(axis_trace *trace, const compare_bound *bound);
/* An on_node callback whose ctx is an axis_comparison: compares the outputs of each node. */
void axis_compare_node(void *comparison, const oc_node_event *event);

#endif
