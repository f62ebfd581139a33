/* SPDX-License-Identifier: Apache-2.0
 * stack.h - the scan outputs of Loop and Scan: equal tensors, one per iteration, side by side along
 * a new axis. */
#pragma once

#include "ops/kit/op.h"

/* The caller sets axis, room and port, and leaves the rest zero. If no iteration runs it sets item
 * to what the body would give (oc_graph_shapes). */
typedef struct oc_stack {
    int64_t axis;  /* axis of the result along which values are stacked; may be negative */
    int64_t room;  /* number of places along the axis */
    int port;      /* the body's output, for messages */
    oc_value all;  /* the result, room places long; no buffer before the first item */
    oc_value item; /* type and dims of every item; negative ones: not known */
    int at;        /* the axis, made >= 0 */
} oc_stack;

/* Copies *item to a place in [0, room). Places that are never filled are zero. */
oc_status oc_stack_put(oc_call *c, oc_stack *s, int64_t place, const oc_value *item);
/* Doubles the room. The axis must be 0. */
oc_status oc_stack_grow(oc_call *c, oc_stack *s);
/* Moves the result, n places long, to *out. n is room, or may be less if the axis is 0. If there
 * was no item, dims that are not known become 0. */
oc_status oc_stack_end(oc_call *c, oc_stack *s, int64_t n, oc_value *out);
