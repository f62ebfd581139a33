/* SPDX-License-Identifier: Apache-2.0
 * onnx_write.h - declares the functions that turn the graph back into protobuf-c's structs.
 *
 * The structs are in a scratch arena. Their texts and elements are borrowed from the graph, so
 * that the writer gets elements without a copy. */
#pragma once

#include "graph/graph.h"
#include "onnx.pb-c.h"

/* When memory runs out, functions return NULL and lists are too short. The caller checks the
 * arena at the end. */

/* Makes the message of a value that stands alone or in a list. */
Onnx__TensorProto *oc_write_tensor(oc_arena *a, const oc_value *v, const char *name);
/* Each of these functions makes a message from the struct that item points to. */
void *oc_write_constant(oc_arena *a, const void *item);   /* oc_constant */
void *oc_write_sparse(oc_arena *a, const void *item);     /* oc_sparse */
void *oc_write_type(oc_arena *a, const void *item);       /* oc_type_info */
void *oc_write_attr(oc_arena *a, const void *item);       /* oc_attr */
void *oc_write_node(oc_arena *a, const void *item);       /* oc_node */
void *oc_write_value_info(oc_arena *a, const void *item); /* oc_value_info */
void *oc_write_graph(oc_arena *a, const void *item);      /* oc_graph */
/* Makes the nodes of a function's body, n of them. The nodes that make the initializers come
 * first. */
Onnx__NodeProto **oc_write_body(oc_arena *a, const oc_graph *g, size_t *n);
/* Makes the pairs that become the metadata_props of message, and gives message the undeclared
 * fields that the pairs hold. */
Onnx__StringStringEntryProto **oc_write_pairs(oc_arena *a, const oc_pairs *p, size_t *n,
                                              ProtobufCMessage *message);

/* Returns the value of an optional text field: NULL when text is empty, so that the field is not
 * written. */
char *oc_write_text(const char *text);

/* Returns a new message of the type, without values. */
void *oc_write_new(oc_arena *a, const ProtobufCMessageDescriptor *type);

/* Makes one message from each of n items with write. Returns the list, and its length in *n_to. */
void *oc_write_list(oc_arena *a, size_t *n_to, const void *items, int n, size_t item_size,
                    void *(*write)(oc_arena *a, const void *item));
#define OC_WRITE_LIST(a, to, n_to, items, n_items, write)                                          \
    ((to) = oc_write_list((a), &(n_to), (items), (n_items), sizeof *(items), (write)))

/* Returns a copy of the list of strings; their bytes are borrowed. */
ProtobufCBinaryData *oc_write_strings(oc_arena *a, const oc_string *s, int64_t n, size_t *n_to);
