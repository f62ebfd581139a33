/* SPDX-License-Identifier: Apache-2.0
 * entry.h - the values that an axis_trace keeps; and how two are compared; private to
 * this folder. */
#ifndef TOOLS_WAYS_ENTRY_H
#define TOOLS_WAYS_ENTRY_H

#include "ways/trace.h"

/* One value of the trace. */
typedef struct axis_entry {
    oc_value *value; /* a copy; NULL: past the cap, or no memory */
    uint64_t print;  /* its fingerprint, set only when value is NULL */
    int next;        /* index in axis_trace.item of the next value of the same name; -1: none */
} axis_entry;

/* An output of a node. Its values are a list of items of the trace. */
typedef struct axis_maker {
    char *output, *node, *op;
    int first, last; /* indices in axis_trace.item */
    int next;        /* index of the item to compare with the compared run's next value; -1: none */
    int64_t time;    /* number of values of this name that the compared run has given so far */
} axis_maker;

/* The maker of the values of this name; NULL: no node gave such a value. */
axis_maker *axis_trace_find(const axis_trace *t, const char *name);

/* The bound for values of this type: a tolerance below 0 is replaced by its default. The defaults
 * are rtol 1e-5 and atol 1e-6, or 16 and 8 units in the last place of 1 where that is more. */
compare_bound axis_bound_of(const compare_bound *given, oc_type type);

/* A copy; NULL when there is no memory. */
oc_value *axis_copy(const oc_value *v);

/* A fingerprint of the kind, type, shape and all bits of a value; every NaN counts as the same. */
uint64_t axis_print(const oc_value *v);

#endif
