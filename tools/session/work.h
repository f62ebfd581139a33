/* SPDX-License-Identifier: Apache-2.0
 * work.h - how many floating-point operations and bytes does a node take, as its event tells? */
#ifndef TOOLS_SESSION_WORK_H
#define TOOLS_SESSION_WORK_H

#include <ocellus.h>
#include <ocellus_model.h>

/* flop: a multiply-add counts as two. Exact for products and convolutions; an event has no
 * attributes, so it is an estimate for windows (each element of X once), for sampling (four taps)
 * and for normalisations, and one for each element of Y elsewhere. bytes: of inputs, weights
 * included, and outputs; not what is never in memory, what input and output share, or what is not
 * picked of the input. */
typedef struct node_work {
    double flop, bytes;
    bool is_double;    /* the sums are made in double, half as many at a time */
    bool holds_others; /* runs graphs, whose nodes have events of their own */
} node_work;

/* event: of the end of a node, with the values shown. */
node_work work_of(const oc_node_event *event);

#endif
