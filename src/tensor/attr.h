/* SPDX-License-Identifier: Apache-2.0
 * attr.h - the value of a node attribute, in any of ONNX's kinds. */
#pragma once

#include "base/names.h"
#include "tensor/value.h"

/* X(kind, number, item, text): the kinds of ONNX's AttributeProto.AttributeType, their numbers, the
 * kinds of their items, and their names in text. */
#define OC_ATTR_MAP(X)                                                                             \
    X(FLOAT, 1, FLOAT, "float")                                                                    \
    X(INT, 2, INT, "int")                                                                          \
    X(STRING, 3, STRING, "string")                                                                 \
    X(TENSOR, 4, TENSOR, "tensor")                                                                 \
    X(GRAPH, 5, GRAPH, "graph")                                                                    \
    X(FLOATS, 6, FLOAT, "floats")                                                                  \
    X(INTS, 7, INT, "ints")                                                                        \
    X(STRINGS, 8, STRING, "strings")                                                               \
    X(TENSORS, 9, TENSOR, "tensors")                                                               \
    X(GRAPHS, 10, GRAPH, "graphs")                                                                 \
    X(SPARSE_TENSOR, 11, SPARSE_TENSOR, "sparse_tensor")                                           \
    X(SPARSE_TENSORS, 12, SPARSE_TENSOR, "sparse_tensors")                                         \
    X(TYPE_PROTO, 13, TYPE_PROTO, "type_proto")                                                    \
    X(TYPE_PROTOS, 14, TYPE_PROTO, "type_protos")

typedef enum oc_attr_kind {
    OC_ATTR_UNDEFINED = 0,
#define X(name, number, item, text) OC_ATTR_##name = number,
    OC_ATTR_MAP(X)
#undef X
} oc_attr_kind;

#define OC_N_ATTR_KINDS (OC_ATTR_TYPE_PROTOS + 1)

/* Is it a note of the model's writer, which no operator reads? ONNX's checker allows an
 * attribute whose name begins with two underscores on every node. */
static inline bool oc_attr_is_note(const char *name)
{
    return name[0] == '_' && name[1] == '_';
}

/* Returns the name of a kind; "undefined" for a number that is no kind. */
const char *oc_attr_kind_name(oc_attr_kind kind);
/* Returns the kind of an item: INT for INTS, and a singular kind itself. */
oc_attr_kind oc_attr_item(oc_attr_kind kind);

typedef struct oc_pair {
    oc_name key;
    const char *value; /* a text, not interned */
} oc_pair;

/* Pairs of texts. When they come from the metadata_props of a message in a file, rest holds the
 * fields of that message that proto/onnx.proto does not declare, byte by byte. */
typedef struct oc_pairs {
    oc_pair *item;
    int n;
    const oc_string *rest; /* NULL: there are none */
} oc_pairs;

/* A named tensor: an initializer of a graph, or a tensor attribute. The elements of an initializer
 * may lie in the mapped file at an unaligned address (oc_value_is_aligned tells). Code that reads
 * such elements as numbers needs an aligned copy, which sessions make before their first run. */
typedef struct oc_constant {
    oc_name name; /* "" when the tensor has no name */
    oc_name doc;
    oc_pairs metadata;
    oc_value value; /* borrowed elements, owned by the model */
    bool external;  /* true: the elements are not in the model's own file */
} oc_constant;

/* A sparse tensor in ONNX's coordinate form. values is [NNZ]; indices is [NNZ] (linear) or [NNZ,
 * rank]. */
typedef struct oc_sparse {
    oc_dims dims;
    oc_constant values, indices; /* values has the name of the sparse tensor */
} oc_sparse;

/* An attribute, whose memory belongs to the model's arena. The pointers in u are arrays of n
 * items. A singular kind has n = 1, so that a reader may treat singular and plural kinds alike. */
typedef struct oc_attr {
    oc_name name;
    oc_name doc; /* "" when there is none */
    oc_attr_kind kind;
    oc_name ref; /* in a function body, the name of the call's attribute to use; else NULL */
    int n;
    union {
        const void *items; /* any of the others */
        const float *f;
        const int64_t *i;
        const oc_string *s;
        const oc_constant *t;
        const oc_sparse *sparse;
        struct oc_graph *const *g;       /* the graph layer defines the type */
        const struct oc_type_info *type; /* the graph layer defines this type too */
    } u;
} oc_attr;
