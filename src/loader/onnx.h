/* SPDX-License-Identifier: Apache-2.0
 * onnx.h - shared by the files that see protobuf-c's structs: skeleton to graph and back. */
#ifndef OC_LOADER_ONNX_H
#define OC_LOADER_ONNX_H

#include "graph/graph.h"
#include "loader/scan.h"
#include "onnx.pb-c.h"

/* One decoding. Elements go to the model's arena, or to pool for a value that stands alone. */
typedef struct oc_onnx {
    oc_model *m;   /* NULL for a value that stands alone: no external data then */
    oc_pool *pool; /* NULL for a model */
    oc_arena *arena;
    oc_names *names;
    oc_memory *memory;
    oc_skeleton skeleton;
    oc_memory decoder; /* protobuf-c's: a cap of its own */
    ProtobufCAllocator allocator;
    bool in_place; /* elements need not be aligned: they are an initializer's */
    int depth;     /* of graphs and types around this place */
    oc_error *e;
} oc_onnx;

/* Scans and decodes; the message is freed with protobuf_c_message_free_unpacked(&x->allocator). */
oc_status oc_onnx_decode(oc_onnx *x, const ProtobufCMessageDescriptor *type, oc_scan_root root,
                         const void *bytes, size_t size, ProtobufCMessage **message);
void oc_onnx_end(oc_onnx *x, ProtobufCMessage *message);

/* Interned; "" for NULL. */
oc_name oc_onnx_name(oc_onnx *x, const char *text);
oc_name oc_onnx_domain(oc_onnx *x, const char *text);
/* An arena copy; "" for NULL. */
const char *oc_onnx_text(oc_onnx *x, const char *text);
oc_name *oc_onnx_names(oc_onnx *x, size_t n, char *const *text);
oc_pairs oc_onnx_pairs(oc_onnx *x, size_t n, Onnx__StringStringEntryProto *const *entry);

/* onnx_tensor.c */
oc_status oc_onnx_tensor(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v);
oc_status oc_onnx_constant(oc_onnx *x, const Onnx__TensorProto *t, oc_constant *c);
oc_status oc_onnx_sparse(oc_onnx *x, const Onnx__SparseTensorProto *s, oc_sparse *out);

/* onnx_type.c */
oc_status oc_onnx_type(oc_onnx *x, const Onnx__TypeProto *t, oc_type_info *out);
oc_status oc_onnx_value_infos(oc_onnx *x, size_t n, Onnx__ValueInfoProto *const *from,
                              oc_value_info **out, int *n_out);

/* onnx_graph.c */
oc_status oc_onnx_attrs(oc_onnx *x, size_t n, Onnx__AttributeProto *const *from, oc_attr **out,
                        int *n_out);
oc_status oc_onnx_nodes(oc_onnx *x, size_t n, Onnx__NodeProto *const *from, oc_graph *g);
oc_status oc_onnx_graph(oc_onnx *x, const Onnx__GraphProto *from, oc_graph *g);

#endif
