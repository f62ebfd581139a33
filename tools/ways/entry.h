/* SPDX-License-Identifier: Apache-2.0
 * entry.h - the inside of an axis_trace. */
#ifndef TOOLS_WAYS_ENTRY_H
#define TOOLS_WAYS_ENTRY_H

#include "ways/trace.h"

/* One value. */
typedef struct axis_entry {
    oc_value *value; /* NULL: past the cap */
    uint64_t print;  /* when value is NULL */
    int next;        /* the same node's next, an item of the trace; -1: none */
} axis_entry;

/* A node's output: its values are a list of items. */
typedef struct axis_maker {
    char *output, *node, *op;
    int first, last;
    int next;     /* the one that the run held against the trace comes to next */
    int64_t time; /* how many it has come to */
} axis_maker;

/* NULL: no node gave a value of that name. */
axis_maker *axis_trace_find(const axis_trace *t, const char *name);

/* A fingerprint of all bits, the same for every NaN. */
uint64_t axis_print(const oc_value *v);

#endif
