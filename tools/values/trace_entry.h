/* SPDX-License-Identifier: Apache-2.0
 * trace_entry.h - one value that a value_trace keeps. */
#pragma once

#include "common/tool.h"

#include <ocellus_model.h>

/* One value of the trace. */
typedef struct value_entry {
    oc_value *value; /* a copy; NULL: it is beyond the cap, or there was no memory */
    uint64_t print;  /* its fingerprint, set only when value is NULL */
    int next; /* index in value_trace.item of the next value of this name; -1: there is none */
} value_entry;

/* An output of a node. Its values are a list of items of the trace. */
typedef struct value_maker {
    char *output, *node, *op;
    int first, last; /* indices in value_trace.item */
    /* index of the item to compare with the compared run's next value; -1: there is none */
    int next;
    int64_t time; /* number of values of this name that the compared run has given so far */
} value_maker;

/* Returns a copy; NULL when there is no memory. */
oc_value *value_copy(const oc_value *v);

/* Returns a fingerprint of the kind, type, shape and all bits of a value; every NaN counts as
 * one. */
uint64_t value_print(const oc_value *v);
