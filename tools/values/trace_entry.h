/* SPDX-License-Identifier: Apache-2.0
 * trace_entry.h - the values that a value_trace keeps; and how two are compared; private to
 * this folder. */
#ifndef TOOLS_VALUES_TRACE_ENTRY_H
#define TOOLS_VALUES_TRACE_ENTRY_H

#include "values/trace.h"

/* One value of the trace. */
typedef struct value_entry {
    oc_value *value; /* a copy; NULL: past the cap, or no memory */
    uint64_t print;  /* its fingerprint, set only when value is NULL */
    int next;        /* index in value_trace.item of the next value of the same name; -1: none */
} value_entry;

/* An output of a node. Its values are a list of items of the trace. */
typedef struct value_maker {
    char *output, *node, *op;
    int first, last; /* indices in value_trace.item */
    int next;        /* index of the item to compare with the compared run's next value; -1: none */
    int64_t time;    /* number of values of this name that the compared run has given so far */
} value_maker;

/* The maker of the values of this name; NULL: no node gave such a value. */
value_maker *value_trace_find(const value_trace *t, const char *name);

/* The bound for values of this type: a tolerance below 0 is replaced by its default. The defaults
 * are rtol 1e-5 and atol 1e-6, or 16 and 8 units in the last place of 1 where that is more. */
compare_bound value_bound_of(const compare_bound *given, oc_type type);

/* A copy; NULL when there is no memory. */
oc_value *value_copy(const oc_value *v);

/* A fingerprint of the kind, type, shape and all bits of a value; every NaN counts as the same. */
uint64_t value_print(const oc_value *v);

#endif
