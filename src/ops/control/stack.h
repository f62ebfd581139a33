/* SPDX-License-Identifier: Apache-2.0
 * stack.h - the scan outputs of Loop and Scan: equal tensors, one per iteration, side by side along
 * a new axis. */
#ifndef OC_OPS_CONTROL_STACK_H
#define OC_OPS_CONTROL_STACK_H

#include "ops/kit/op.h"

/* Set axis, room and port; the rest zero. */
typedef struct oc_stack {
    int64_t axis;  /* of the result; may be negative */
    int64_t room;  /* places along it */
    int port;      /* output of the body, for messages and its declared type */
    oc_value all;  /* room places; no buffer before the first item */
    oc_value item; /* type and dims of every item */
    int at;        /* axis, made >= 0 */
} oc_stack;

/* Puts a copy of *item at a place in [0, room). Places never filled are zero. */
oc_status oc_stack_put(oc_call *c, oc_stack *s, int64_t place, const oc_value *item);
/* Makes room for twice as many places. The axis must be 0. */
oc_status oc_stack_grow(oc_call *c, oc_stack *s);
/* Moves the result, n places long, to *out: n is room, or less when the axis is 0. Without any item
 * its dims are what the graph attribute "body" declares, unknown ones 0. */
oc_status oc_stack_end(oc_call *c, oc_stack *s, int64_t n, oc_value *out);

#endif
