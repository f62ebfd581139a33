/* SPDX-License-Identifier: Apache-2.0
 * trace.h - keeps the values that the nodes of one run give, and compares another run with them.
 *
 * A value is identified by its name and by the number of values of that name before it, so that
 * values within loops are compared iteration by iteration. Memory is bounded: of a value whose copy
 * does not fit under the cap only a fingerprint is kept; after VALUE_TRACE_MOST values nothing is
 * kept. Both cases are counted. */
#ifndef TOOLS_VALUES_TRACE_H
#define TOOLS_VALUES_TRACE_H

#include "common/index.h"
#include "files/io.h"
#include "values/compare.h"

enum { VALUE_TRACE_MOST = 1 << 22 };

/* The values of one run. */
typedef struct value_trace {
    struct value_entry *item; /* the values, in the order of the run */
    struct value_maker *maker;
    text_index makers; /* names to indices of maker */
    int n, n_maker;
    int64_t n_values;  /* number of values that the run gave, kept or not */
    size_t bytes, cap; /* bytes of copies, and the most allowed */
} value_trace;

value_trace value_trace_new(size_t cap);
void value_trace_free(value_trace *t);
/* An on_node callback whose ctx is a value_trace: keeps the outputs of each node. */
void value_trace_keep(void *trace, const oc_node_event *event);
/* The same of nodes of the main graph alone: names within graphs of nodes may be those of other
 * values in another model. */
void value_trace_keep_main(void *trace, const oc_node_event *event);

/* The first value of a run that differs from the trace's. */
typedef struct value_first {
    const char *output, *node, *op; /* borrowed; node may be "" */
    char own_op[64]; /* the operator that gives it in the compared run, which may be another */
    int64_t time;    /* position among the values of its name, from 1 */
    char text[COMPARE_TEXT]; /* the difference, as in compare_result */
} value_first;

/* The comparison of a run with a trace. n_met counts values of the trace that this run gave too; it
 * is the sum of n_compared, n_unstored and n_unkept. */
typedef struct value_comparison {
    value_trace *trace;
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
    value_first first; /* in the order of this run; set if n_differ is not 0 */
} value_comparison;

/* Begins a comparison, which uses fields of *trace: only one may run at a time. */
value_comparison value_comparison_new(value_trace *trace, const compare_bound *bound);
/* An on_node callback whose ctx is a value_comparison: compares the outputs of each node. */
void value_compare_node(void *comparison, const oc_node_event *event);
/* The same of nodes of the main graph alone. */
void value_compare_main(void *comparison, const oc_node_event *event);

#endif
