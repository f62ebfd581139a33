/* SPDX-License-Identifier: Apache-2.0
 * graph.h - the intermediate representation: a model as ONNX describes it, without its encoding.
 *
 * Edges are names, as in ONNX; the runtime's plan turns them into slots. The model's arena owns
 * everything. Names are interned in the model's name table, so that equal names are equal pointers.
 * Loaders fill these structs through build.h; after oc_model_check the graphs do not
 * change.
 *
 * Absent strings are "" (never NULL); absent lists have n == 0. */
#ifndef OC_GRAPH_GRAPH_H
#define OC_GRAPH_GRAPH_H

#include "base/limits.h"
#include "base/names.h"
#include "tensor/attr.h"

enum {
    OC_MIN_IR_VERSION = 1,
    OC_FIRST_IR_WITH_IMPORTS = 3, /* before, every operator was of version 1 */
    OC_MAX_IR_VERSION = 13,
    OC_MAX_OPSET = 28,         /* newest version of ONNX's own domain that we know */
    OC_LEAST_MAPPED = 64 << 10 /* bytes; smaller tensors are copied when a model is loaded */
};

/* One dimension of a declared shape: a number >= 0, a symbol, or neither. */
typedef struct oc_dim {
    int64_t n;          /* -1: not a number */
    oc_name symbol;     /* "": none */
    oc_name denotation; /* what the dim is of, such as "DATA_BATCH"; NULL or "": not told */
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
    oc_type type;                    /* element type; of a map: its key type */
    int rank;                        /* -1: no shape declared */
    const oc_dim *dims;              /* rank entries */
    const struct oc_type_info *item; /* of a sequence, optional or map */
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
    const oc_name *in, *out; /* "": an optional one that is missing */
    int n_in, n_out;
    const oc_attr *attr;
    int n_attr;
    oc_pairs metadata;
    int64_t opset; /* opset version for this node; 0: the version that the model imports */
    /* What dims the inputs must have, as bodies state it (bodies/conditions.h): for each input the
     * forms it may have, with "|" between; a blank between inputs; "; " between lists of which one
     * must fit. "_" fits any dims, "[A,2,?]" three axes, "[...,A]" one or more, "=" the dims of the
     * first input. A letter is the same size wherever it stands in a list, "?" any. A form after
     * "!" is one that the operator allows and the body does not compute. NULL: any dims. */
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
    oc_value_info *input, *output, *value; /* value: declared types of other values */
    oc_constant *initializer;
    oc_sparse *sparse;
    oc_quantization *quantization;
    int n_node, n_input, n_output, n_value, n_initializer, n_sparse, n_quantization;
    oc_pairs metadata;
} oc_graph;

typedef struct oc_opset {
    oc_name domain; /* "" for ONNX's own, also where the file says "ai.onnx" */
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
    oc_graph body;      /* input and output have only names; value: declared types */
    oc_name *attr_name; /* attributes without a default */
    oc_attr *attr_default;
    int n_attr_name, n_attr_default;
    const char *file; /* of oc_model_options.functions; NULL: the model's own function */
    int64_t opset;    /* the version of its domain that this file imports; 0: it does not tell */
} oc_function;

/* An operator that a model uses, and how often; nodes of subgraphs and functions count too. */
typedef struct oc_usage {
    oc_name domain, op_type, overload;
    int64_t opset; /* the nodes' opset version, else the imported one; 0: none */
    int count;
    int function; /* index of the model's function that these nodes call; -1: none */
} oc_usage;

/* The public oc_model. */
struct oc_model {
    oc_budget budget; /* of this model, the models made from it, and their sessions */
    oc_watch watch;   /* of the call that makes this model */
    oc_memory memory; /* with that watch until the call ends */
    oc_arena arena;
    oc_names names;
    int64_t ir_version, model_version;
    const char *producer_name, *producer_version, *domain, *doc;
    oc_opsets opsets;
    oc_graph graph;
    oc_function *function;
    int n_function;
    oc_pairs metadata;
    oc_usage *usage; /* distinct operators in order of first use; see usage.h */
    int n_usage;
    oc_name_map inputs, outputs; /* names of the main graph's ports to indices; see ports.h */
    bool *has_default;           /* of each input: is it an initializer too? */
    struct oc_closer *closers;   /* registered by oc_model_on_free, newest first */
    struct oc_release_hook *release_hook; /* by oc_model_may_leave, the highest address first */
    int n_release_hook;
    const char *path;              /* of the file that the model was loaded from; NULL: none */
    char *folder;                  /* where external data are; NULL: options tell */
    struct oc_externals *external; /* data found so far; only loader/external.c uses it */
    struct oc_plans *plans;        /* plans of its sessions; only runtime/plans.c uses it */
    oc_model_options options;
    atomic_int holders;     /* the host until oc_model_free, and who called oc_model_hold */
    bool library;           /* is it loaded for its functions alone? It may then have no graph */
    atomic_bool given_up;   /* has the host called oc_model_free? */
    const oc_model *source; /* held by this model, which borrows from it; NULL: none */
    const char **remark;    /* what is worth knowing of it and no error, in lines */
    int n_remark;
};

/* Does the model list its weights among its inputs? Before IR version 4 it had to. */
static inline bool oc_model_names_weights(const oc_model *m)
{
    return m->ir_version > 0 && m->ir_version < 4;
}

/* Number of graphs that an attribute holds; 0 when it holds none or is a reference. */
static inline int oc_attr_n_graphs(const oc_attr *a)
{
    return !a->ref && (a->kind == OC_ATTR_GRAPH || a->kind == OC_ATTR_GRAPHS) ? a->n : 0;
}

/* The number of a node's inputs or outputs without those at the end, past the most that the
 * operator has, that are missing: some files name them. */
static inline int oc_ports_trimmed(const oc_name *names, int n, int most)
{
    while (n > most && !*names[n - 1])
        n--;
    return n;
}

/* The imported version of a domain; 0 when it is not imported. */
static inline int64_t oc_opsets_find(const oc_opsets *o, oc_name domain)
{
    for (int i = 0; i < o->n; i++)
        if (o->item[i].domain == domain)
            return o->item[i].version;
    return 0;
}

#endif
