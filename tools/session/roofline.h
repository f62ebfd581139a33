/* SPDX-License-Identifier: Apache-2.0
 * roofline.h - how far is each node of a model from what the machine can do? */
#pragma once

#include "session/observe.h"
#include "session/peak.h"

/* One node in one run of the model. Its roof is the time that its operations take at the peak,
 * or its bytes at the speed of copies of as many bytes, whichever is longer. Times are in
 * milliseconds. */
typedef struct roofline_node {
    const observe_entry *entry; /* borrowed */
    double ms, roof_ms;
    double flop, bytes;
    bool by_memory; /* true: its bytes make the roof */
} roofline_node;

typedef struct roofline {
    const peak *peak;
    const char *cpu;
    roofline_node *node; /* nodes that run no graphs; the node farthest above its roof comes
                          * first */
    int n;
    double ms, roof_ms; /* sums over all nodes */
} roofline;

/* o has observed `runs` runs, with its work. o and p must outlive the result, which is freed
 * with roofline_free. */
roofline roofline_new(const observer *o, int64_t runs, const peak *p, const char *cpu);
/* Prints the first `most` nodes; INT_MAX: all. */
void roofline_print(const roofline *r, int most);
/* Writes the member "roofline", with all nodes, of the object that is open in j. */
void roofline_json(json_writer *j, const roofline *r);
void roofline_free(roofline *r);
