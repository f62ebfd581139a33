/* SPDX-License-Identifier: Apache-2.0
 * graph.h - the intermediate representation: a model as ONNX describes it, without its encoding.
 *
 * Edges are names, as in ONNX; the runtime's plan turns them into slots. The model's arena owns
 * everything. Names are interned in the model's name table, so that equal names are equal pointers.
 * Loaders fill these structs through build.h; after oc_model_check the graphs do not change.
 *
 * Absent strings are "" (never NULL); absent lists have n == 0. */
#pragma once

#include "base/limits.h"
#include "tensor/attr.h"

enum {
    OC_MIN_IR_VERSION = 1,
    OC_FIRST_IR_WITH_IMPORTS = 3, /* before this version every operator had version 1 */
    OC_MAX_IR_VERSION = 13,
    OC_MAX_OPSET = 28,         /* newest version of ONNX's own domain that is known here */
    OC_LEAST_MAPPED = 64 << 10 /* in bytes; smaller tensors are copied when a model is loaded */
};

/* One dimension of a declared shape: a number >= 0, a symbol, or neither. */
typedef struct oc_dim {
    int64_t n;          /* -1 when the dim is not a number */
    oc_name symbol;     /* "" when the dim has no symbol */
    oc_name denotation; /* what the dim means, such as "DATA_BATCH"; NULL or "": not declared */
} oc_dim;

typedef enum oc_type_kind {
    OC_TYPE_NONE, /* not declared */
    OC_TYPE_TENSOR,
    OC_TYPE_SPARSE,
    OC_TYPE_SEQUENCE,
    OC_TYPE_OPTIONAL,
    OC_TYPE_MAP,
    OC_TYPE_OPAQUE
} oc_type_kind;

/* A declared type (TypeProto). */
typedef struct oc_type_info {
    oc_type_kind kind;
    oc_type type;                    /* element type; for a map its key type */
    int rank;                        /* -1 when no shape is declared */
    const oc_dim *dims;              /* rank entries */
    const struct oc_type_info *item; /* item type of a sequence or optional, value type of a map */
    oc_name denotation;
    oc_name opaque_domain, opaque_name;
} oc_type_info;

typedef struct oc_value_info {
    oc_name name;
    oc_type_info type;
    const char *doc;
    oc_pairs metadata;
} oc_value_info;

typedef struct oc_node {
    oc_name name, op_type, domain, overload;
    const char *doc;
    const oc_name *in, *out; /* "" stands for an optional input or output that is missing */
    int n_in, n_out;
    const oc_attr *attr;
    int n_attr;
    oc_pairs metadata;
    int64_t opset; /* opset version of this node alone; 0: the version that the model imports */
    /* The dims that the inputs must have, as function bodies state them (bodies/conditions.h). A
     * blank separates the inputs; "|" separates the forms that one input may have; "; "
     * separates lists, and one list must fit. "_" fits any dims, "[A,2,?]" three axes, "[...,A]"
     * one or more axes, "=" the dims of the first input. A letter is one size wherever it stands
     * in a list, "?" any size. A form after "!" is one that the operator allows and the body
     * does not compute. NULL: any dims fit. */
    const char *expect;
} oc_node;

typedef struct oc_quantization {
    oc_name tensor;
    oc_pairs parameters;
} oc_quantization;

typedef struct oc_graph {
    oc_name name;
    const char *doc;
    oc_node *node;
    /* value: declared types of values that are neither input nor output */
    oc_value_info *input, *output, *value;
    oc_constant *initializer;
    oc_sparse *sparse;
    oc_quantization *quantization;
    int n_node, n_input, n_output, n_value, n_initializer, n_sparse, n_quantization;
    oc_pairs metadata;
} oc_graph;

typedef struct oc_opset {
    oc_name domain; /* "" for ONNX's own domain, also where the file says "ai.onnx" */
    int64_t version;
} oc_opset;

typedef struct oc_opsets {
    oc_opset *item;
    int n;
} oc_opsets;

/* A function: a graph with attributes, whose inputs and outputs have only names. */
typedef struct oc_function {
    oc_name domain, name, overload;
    oc_opsets opsets;
    oc_graph body;      /* input and output have names only; value declares types */
    oc_name *attr_name; /* attributes without a default */
    oc_attr *attr_default;
    int n_attr_name, n_attr_default;
    /* path in oc_model_options.functions; NULL: the model has this function itself */
    const char *file;
    /* the version of its own domain that this file imports; 0: the file has no such import */
    int64_t opset;
} oc_function;

/* An operator that a model uses, and how many nodes use it; nodes of subgraphs and functions
 * count too. */
typedef struct oc_usage {
    oc_name domain, op_type, overload;
    /* the version that the nodes state, else the imported one; 0: neither is known */
    int64_t opset;
    int count;
    int function; /* index of the model's function that these nodes call; -1: they call none */
} oc_usage;

/* The model behind the public type oc_model. */
struct oc_model {
    /* counts the bytes of this model, of models made from it, and of their sessions */
    oc_budget budget;
    oc_watch watch;   /* watches the call that makes this model */
    oc_memory memory; /* asks that watch until the call ends */
    oc_arena arena;
    oc_names names;
    int64_t ir_version, model_version;
    const char *producer_name, *producer_version, *domain, *doc;
    oc_opsets opsets;
    oc_graph graph;
    oc_function *function;
    int n_function;
    oc_pairs metadata;
    oc_usage *usage; /* distinct operators in the order of their first use; see usage.c */
    int n_usage;
    /* map the names of the main graph's inputs and outputs to indices; see ports.h */
    oc_name_map inputs, outputs;
    bool *has_default;         /* for each input: true when an initializer has its name too */
    struct oc_closer *closers; /* registered by oc_model_on_free, newest first */
    struct oc_release_hook *release_hook; /* registered by oc_model_may_leave, by falling address */
    int n_release_hook;
    const char *path; /* path of the file that the model was loaded from; NULL: there is none */
    char *folder;     /* where external data are; NULL: the options tell */
    struct oc_externals *external; /* external data found so far; only loader/external.c uses it */
    struct oc_plans *plans;        /* plans of the model's sessions; only runtime/plans.c uses it */
    oc_model_options options;
    /* the host until it calls oc_model_free, and all who called oc_model_hold */
    atomic_int holders;
    bool library; /* true: the model was loaded only for its functions, and may have no graph */
    atomic_bool given_up; /* true: the host has called oc_model_free */
    /* the models that this one borrows from, and holds; NULL: there is none */
    const oc_model *source, *second;
    oc_model *next; /* links models that are freed together; only oc_model_drop uses it */
    /* initializers without elements, which are inputs (without_weights), and why the first is one
     */
    oc_constant *lost;
    int n_lost;
    const char *why_lost;
    const char **remark; /* lines that are worth knowing about the model and are no errors */
    int n_remark;
};

/* Does the model list its weights among its inputs? Before IR version 4 it had to. */
static inline bool oc_model_names_weights(const oc_model *m)
{
    return m->ir_version > 0 && m->ir_version < 4;
}

/* Returns the number of graphs that an attribute holds; 0 when it holds none or is a reference. */
static inline int oc_attr_n_graphs(const oc_attr *a)
{
    return !a->ref && (a->kind == OC_ATTR_GRAPH || a->kind == OC_ATTR_GRAPHS) ? a->n : 0;
}

/* Returns the number of a node's inputs or outputs without missing ones at the end beyond
 * `most`, which is how many the operator has at most. Some files list such missing ones. */
static inline int oc_ports_trimmed(const oc_name *names, int n, int most)
{
    while (n > most && !*names[n - 1])
        n--;
    return n;
}

/* Returns the imported version of a domain; 0 when it is not imported. */
static inline int64_t oc_opsets_find(const oc_opsets *o, oc_name domain)
{
    for (int i = 0; i < o->n; i++)
        if (o->item[i].domain == domain)
            return o->item[i].version;
    return 0;
}
