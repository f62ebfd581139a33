/* SPDX-License-Identifier: Apache-2.0
 * trace.h - what the nodes of one run of a model give, and another run held against it.
 *
 * A value is known by its name and by how often it was made before, so that those of graphs within
 * loops are met iteration by iteration. Memory is bounded: of values past the cap a fingerprint of
 * the bits stays, and past AXIS_MOST_VALUES nothing does; both are counted. */
#ifndef TOOLS_WAYS_TRACE_H
#define TOOLS_WAYS_TRACE_H

#include "values/compare.h"

enum { AXIS_MOST_VALUES = 1 << 22 };

typedef struct axis_trace {
    struct axis_entry *item; /* in order */
    struct axis_maker *maker;
    int *slot; /* an open hash table of names to maker, -1: free */
    int n, n_maker, n_slot;
    int64_t n_values; /* that the run gave, kept or not */
    size_t bytes, cap;
} axis_trace;

axis_trace axis_trace_new(size_t cap);
void axis_trace_free(axis_trace *t);
/* An on_node callback whose ctx is an axis_trace: keeps what nodes give. */
void axis_trace_keep(void *trace, const oc_node_event *event);

/* A value that is not what the trace has. */
typedef struct axis_first {
    const char *output, *node, *op; /* of the run that was kept; node may be "" */
    int64_t time;                   /* how often it was made by then, from 1 */
    char text[COMPARE_TEXT];
} axis_first;

/* A run held against a trace. */
typedef struct axis_comparison {
    axis_trace *trace;
    compare_bound bound; /* a tolerance below 0: by the type */
    int64_t n_met;       /* values of the trace that this run gave too; of these: */
    int64_t n_compared;
    int64_t n_differ;
    int64_t n_unstored; /* not compared: nodes that run as one do not store it */
    int64_t n_unkept; /* not compared: only a fingerprint is left, which may differ in tolerance */
    double max_abs;
    uint64_t max_ulp;
    axis_first first; /* in the order of this run, if n_differ */
} axis_comparison;

axis_comparison axis_comparison_new(axis_trace *trace, const compare_bound *bound);
/* An on_node callback whose ctx is an axis_comparison. */
void axis_compare_node(void *comparison, const oc_node_event *event);

#endif
