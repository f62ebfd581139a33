/* SPDX-License-Identifier: Apache-2.0
 * onnx_write.h - shared by the files that turn the graph back into protobuf-c's structs.
 *
 * The structs are in a scratch arena; their texts and elements are borrowed from the graph, so that
 * the writer gets elements without a copy. */
#ifndef OC_LOADER_ONNX_WRITE_H
#define OC_LOADER_ONNX_WRITE_H

#include "graph/graph.h"
#include "onnx.pb-c.h"

/* When memory runs out, functions return NULL and lists are short; the caller checks the arena a at
 * the end. */

/* A value that stands alone, or in a list. */
Onnx__TensorProto *oc_write_tensor(oc_arena *a, const oc_value *v, const char *name);
Onnx__TensorProto *oc_write_constant(oc_arena *a, const oc_constant *c);
Onnx__SparseTensorProto *oc_write_sparse(oc_arena *a, const oc_sparse *s);
Onnx__TypeProto *oc_write_type(oc_arena *a, const oc_type_info *t);
Onnx__AttributeProto *oc_write_attr(oc_arena *a, const oc_attr *from);
Onnx__NodeProto *oc_write_node(oc_arena *a, const oc_node *n);
/* The nodes of a function's body, n of them, those that make its initializers first. */
Onnx__NodeProto **oc_write_body(oc_arena *a, const oc_graph *g, size_t *n);
Onnx__ValueInfoProto *oc_write_value_info(oc_arena *a, const oc_value_info *v);
Onnx__GraphProto *oc_write_graph(oc_arena *a, const oc_graph *g);
/* The pairs, which are to be the metadata_props of message; gives it what else they hold. */
Onnx__StringStringEntryProto **oc_write_pairs(oc_arena *a, const oc_pairs *p, size_t *n,
                                              ProtobufCMessage *message);

/* The value of an optional text field: NULL when text is empty, so that the field is not
 * written. */
char *oc_write_text(const char *text);

/* Makes one message from each item with write, and stores the list in to and its length in n_to. */
#define OC_WRITE_LIST(a, to, n_to, items, n_items, write)                                          \
    do {                                                                                           \
        (n_to) = 0;                                                                                \
        (to) = oc_arena_array((a), (size_t)(n_items), sizeof *(to));                               \
        for (int i_ = 0; (to) && i_ < (n_items); i_++)                                             \
            if (((to)[(n_to)] = write((a), &(items)[i_])) != NULL)                                 \
                (n_to)++;                                                                          \
    } while (0)

#endif
