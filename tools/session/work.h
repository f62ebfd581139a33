/* SPDX-License-Identifier: Apache-2.0
 * work.h - estimates how many floating-point operations and bytes a node takes, by its event. */
#pragma once

#include <ocellus.h>
#include <ocellus_model.h>

/* flop: a multiply-add counts as two. The number is exact for products and convolutions. An
 * event has no attributes, so it is an estimate for windows (each element of X once), for
 * sampling (four taps) and for normalisations; elsewhere it is one for each element of Y. bytes:
 * of inputs, weights included, and of outputs. Not counted are bytes that are never in memory,
 * that input and output share, or that a node does not pick from its input. */
typedef struct node_work {
    double flop, bytes;
    bool is_double;    /* true: sums are in double, half as many at a time */
    bool holds_others; /* true: it runs graphs, whose nodes have events of their own */
} node_work;

/* event must be the end of a node, with the values shown. */
node_work work_of(const oc_node_event *event);
