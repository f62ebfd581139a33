/* SPDX-License-Identifier: Apache-2.0
 * trace.h - keeps the values that the nodes of one run give, for trace_compare.h.
 *
 * A value is identified by its name and by the number of values of that name before it, so that
 * values within loops are compared iteration by iteration. Memory is bounded: if the copy of a
 * value does not fit under the cap, only a fingerprint is kept; after VALUE_TRACE_MOST values
 * nothing is kept. Both cases are counted. */
#pragma once

#include "common/index.h"
#include "values/trace_entry.h"

enum { VALUE_TRACE_MOST = 1 << 22 };

/* The values of one run. */
typedef struct value_trace {
    value_entry *item; /* the values, in the order of the run */
    value_maker *maker;
    text_index makers; /* maps names to indices of maker */
    int n, n_maker;
    int64_t n_values;  /* number of values that the run gave, kept or not */
    size_t bytes, cap; /* bytes of copies, and the most allowed */
} value_trace;

value_trace value_trace_new(size_t cap);
void value_trace_free(value_trace *t);
/* Returns the maker of the values of this name; NULL when no node gave such a value. */
value_maker *value_trace_find(const value_trace *t, const char *name);
/* An on_node callback whose ctx is a value_trace: keeps the outputs of each node. */
void value_trace_keep(void *trace, const oc_node_event *event);
/* As value_trace_keep, but only for nodes of the main graph: in another model, a name within the
 * graph of a node may be that of another value. */
void value_trace_keep_main(void *trace, const oc_node_event *event);
