/* SPDX-License-Identifier: Apache-2.0
 * macs.h - counts the multiply-accumulates of a node by the shapes of its values. */
#pragma once

#include <ocellus.h>
#include <ocellus_model.h>

typedef enum macs_kind {
    MACS_NONE,   /* the node has no sums of products, or none worth counting */
    MACS_KNOWN,  /* n is the number */
    MACS_UNKNOWN /* the node has some, but a shape is unknown, or n does not fit */
} macs_kind;

typedef struct node_macs {
    macs_kind kind;
    int64_t n;
} node_macs;

/* Counts convolutions, transposed ones by each input element, matrix products, attention, recurrent
 * layers and Einsum of two operands, as docs/command.md lists them. Additions of a bias and what
 * other operators compute do not count. A node with graphs within counts none itself. */
node_macs macs_of(const oc_node_info *node);
