/* SPDX-License-Identifier: Apache-2.0
 * onnx.h - declares the functions that turn protobuf-c's structs, decoded from a skeleton, into
 * a graph. */
#pragma once

#include "graph/graph.h"
#include "loader/wire_scan.h"
#include "onnx.pb-c.h"

/* An allocator for protobuf-c: the model's memory with a limit of its own. */
typedef struct oc_decoder {
    oc_memory *memory;
    size_t live, limit;
    size_t failed; /* size of the last allocation that failed; 0: none did */
    bool limited;  /* true: the last allocation failed because of `limit` */
} oc_decoder;

/* The state of one decoding. Elements go to the model's arena, or to pool for a value outside a
 * model. */
typedef struct oc_onnx {
    oc_model *m;   /* NULL for a value outside of a model, which cannot have external data */
    oc_pool *pool; /* NULL when a model is decoded */
    oc_arena *arena;
    oc_names *names;
    oc_memory *memory;
    oc_skeleton skeleton;
    oc_decoder decoder;
    ProtobufCAllocator allocator;
    bool in_place; /* true: elements may be unaligned, because they are an initializer's */
    bool may_lack; /* true: external data that cannot be read leave the tensor without elements */
    int depth;     /* number of graphs and types around the current place */
    oc_error *e;
} oc_onnx;

/* ---- onnx_decode.c ----
 *
 * Scans bytes and decodes them into a message of the type, which the caller frees with
 * oc_onnx_end. */
oc_status oc_onnx_decode(oc_onnx *x, const ProtobufCMessageDescriptor *type, const void *bytes,
                         size_t size, ProtobufCMessage **message);
void oc_onnx_end(oc_onnx *x, ProtobufCMessage *message);
/* Frees a message within the decoded one; the list that holds it must drop it. So the decoded
 * messages shrink while the graph grows. */
void oc_onnx_done(oc_onnx *x, void *message);

/* Intern text; NULL becomes "", and so does "ai.onnx" in oc_onnx_domain. */
oc_name oc_onnx_name(oc_onnx *x, const char *text);
oc_name oc_onnx_domain(oc_onnx *x, const char *text);
/* Returns a copy in the arena; "" for NULL. */
const char *oc_onnx_text(oc_onnx *x, const char *text);
oc_name *oc_onnx_names(oc_onnx *x, size_t n, char *const *text);
/* Returns the pairs, which are the metadata_props of message. Their rest holds the fields of
 * message that the schema does not declare. */
oc_pairs oc_onnx_pairs(oc_onnx *x, size_t n, Onnx__StringStringEntryProto *const *entry,
                       const ProtobufCMessage *message);

/* onnx_tensor.c */
oc_status oc_onnx_tensor(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v);
oc_status oc_onnx_constant(oc_onnx *x, const Onnx__TensorProto *t, oc_constant *c);
oc_status oc_onnx_sparse(oc_onnx *x, const Onnx__SparseTensorProto *s, oc_sparse *out);

/* onnx_map.c: reads a map outside of a model. */
oc_status oc_onnx_map(oc_onnx *x, const Onnx__MapProto *p, oc_value *v);

/* onnx_external.c: finds the elements of v, whose type and dims are set. */
oc_status oc_onnx_external(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v);

/* onnx_type.c */
oc_status oc_onnx_type(oc_onnx *x, const Onnx__TypeProto *t, oc_type_info *out);
oc_status oc_onnx_value_infos(oc_onnx *x, size_t n, Onnx__ValueInfoProto *const *from,
                              oc_value_info **out, int *n_out);

/* onnx_graph.c */
/* Refuses an attribute that has more than one value. where names the node or function. */
oc_status oc_onnx_check_attrs(const oc_onnx *x, const char *where, size_t n,
                              Onnx__AttributeProto *const *from);
oc_status oc_onnx_attrs(oc_onnx *x, size_t n, Onnx__AttributeProto *const *from, oc_attr **out,
                        int *n_out);
oc_status oc_onnx_nodes(oc_onnx *x, size_t n, Onnx__NodeProto *const *from, oc_graph *g);
oc_status oc_onnx_graph(oc_onnx *x, const Onnx__GraphProto *from, oc_graph *g);
