/* SPDX-License-Identifier: Apache-2.0
 *
 * ocellus_model.h - what is inside a model, its plan and its runs; models saved, expanded, cut and
 * joined.
 *
 * Whatever ocellus.h says of calls and of errors holds here too, but this header is for tools:
 * until version 1.0 its calls and structs may change. */
#ifndef OCELLUS_MODEL_H
#define OCELLUS_MODEL_H

#include <ocellus.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streams --------------------------------------------------------------------------------- */

/* Takes size bytes of output; returns false when it cannot, which ends the call with OC_IO. */
typedef struct oc_writer {
    bool (*write)(void *ctx, const void *bytes, size_t size); /* the call */
    void *ctx;
} oc_writer;

/* Puts up to size bytes into buffer; returns how many, 0 at the end, or (size_t)-1 on failure. */
typedef struct oc_reader {
    size_t (*read)(void *ctx, void *buffer, size_t size); /* the call */
    void *ctx;
} oc_reader;

/* As oc_model_load. The stream is read to its end. */
OC_API oc_model *oc_model_load_stream_sized(const oc_reader *in, const oc_model_options *options,
                                            size_t options_size, oc_error *e);
static inline oc_model *oc_model_load_stream(const oc_reader *in, const oc_model_options *options,
                                             oc_error *e)
{
    return oc_model_load_stream_sized(in, options, sizeof *options, e);
}

/* ---- values as files have them --------------------------------------------------------------- */

/* Reads one serialized TensorProto, SequenceProto, OptionalProto or MapProto, as kind says. name,
 * when not NULL, receives the proto's name, valid as long as the value. */
OC_API oc_value *oc_value_read(const void *bytes, size_t size, oc_kind kind, const char **name,
                               const oc_allocator *alloc, oc_error *e);
/* Writes the value as a serialized proto of its kind. name may be NULL. */
OC_API void oc_value_write(const oc_value *value, const char *name, const oc_writer *out,
                           oc_error *e);

/* ---- what a model says of itself ------------------------------------------------------------- */

/* What a model's file says of it. Strings live as long as the model; "": it does not say. */
typedef struct oc_model_info {
    int64_t ir_version;                                                 /* of ONNX's format */
    const char *producer_name, *producer_version, *domain, *graph_name; /* ONNX's fields */
    int64_t model_version;                                              /* the producer's own */
    int n_opsets, n_nodes, n_functions, n_initializers; /* n_nodes: in the main graph */
    int64_t n_parameters;                               /* elements of all initializers */
    const char *description, *graph_description; /* the doc_string of the model, of its graph */
    /* What the model's file says that the standard does not allow, and what of it was lost; they
     * live as long as the model. */
    const char *const *remarks;
    int n_remarks; /* their number */
} oc_model_info;
/* All zero and "" for NULL. */
OC_API void oc_model_describe_sized(const oc_model *model, oc_model_info *out, size_t out_size);
static inline oc_model_info oc_model_describe(const oc_model *model)
{
    oc_model_info info;
    oc_model_describe_sized(model, &info, sizeof info);
    return info;
}
/* The i-th opset import: its domain ("" is ONNX's own), and its version in *version. */
OC_API const char *oc_model_opset(const oc_model *model, int i, int64_t *version);

/* How an operator that a model uses would run. */
typedef enum oc_support {
    OC_SUPPORT_NATIVE,   /* a kernel */
    OC_SUPPORT_BODY,     /* ONNX's function body */
    OC_SUPPORT_FUNCTION, /* a function of the model itself */
    OC_SUPPORT_NONE      /* not at all */
} oc_support;

/* An operator that a model uses. Strings live as long as the model. */
typedef struct oc_model_operator {
    const char *domain, *name; /* "" is ONNX's own domain */
    int64_t opset;             /* the version the model imports */
    int since;                 /* the version that serves it; 0 when none does */
    int count;                 /* nodes, subgraphs and model-local functions included */
    oc_support support;        /* how it would run */
} oc_model_operator;

/* The i-th distinct operator of the model, in order of first use; false past the last. */
OC_API bool oc_model_operator_at_sized(const oc_model *model, int i, oc_model_operator *out,
                                       size_t out_size);
static inline bool oc_model_operator_at(const oc_model *model, int i, oc_model_operator *out)
{
    return oc_model_operator_at_sized(model, i, out, sizeof *out);
}

/* Calls tell for everything that would keep every session of the model from running, with the code
 * and the text of that error, and then for what is worth knowing, with OC_OK, such as declared
 * dims that are wrong. Finds what can be found without inputs. Operators that are not supported are
 * left to oc_model_operator_at. */
OC_API void oc_model_examine(const oc_model *model,
                             void (*tell)(void *ctx, oc_status code, const char *text), void *ctx,
                             oc_error *e);

/* ---- inside a model -------------------------------------------------------------------------- */

/* The i-th metadata property: its key, and its value in *value, which may be NULL. NULL past the
 * last. */
OC_API const char *oc_model_metadata(const oc_model *model, int i, const char **value);

/* A function of the model. Strings live as long as the model. */
typedef struct oc_model_function {
    const char *domain, *name, *overload; /* what a node calls it by */
    const char *file;                     /* of oc_model_options.functions; NULL: the model's own */
    int n_calls;                          /* nodes that call it, those of functions included */
} oc_model_function;
/* The i-th function; false past the last. */
OC_API bool oc_model_function_at(const oc_model *model, int i, oc_model_function *out);

/* An initializer of the main graph. What it points to lives as long as the model. */
typedef struct oc_weight {
    const char *name;   /* what nodes call it */
    oc_type type;       /* of elements */
    int rank;           /* axes */
    const int64_t *dim; /* rank entries */
    size_t bytes;       /* of its elements in memory; of a sparse one also of their indices */
    bool external;      /* its elements are not in the model's own file */
    bool sparse;        /* it has the elements that are not 0, and their places */
} oc_weight;
/* The i-th initializer, sparse ones last, then those that oc_model_options.without_weights has made
 * inputs; false past the last. */
OC_API bool oc_model_weight_at(const oc_model *model, int i, oc_weight *out);

/* An attribute of a node. It lives as long as the model. */
typedef struct oc_attribute {
    const char *name; /* "" past the last */
    const char *kind; /* "ints"; "undefined" where the file does not tell */
    const char *ref;  /* the attribute of the function around it that gives its value; NULL: none */
    int n;            /* items; 1 of a kind that is no list */
    /* The items, of the kinds float and floats, int and ints, string and strings; else NULL. */
    const float *floats;      /* of float and floats */
    const int64_t *ints;      /* of int and ints */
    const oc_string *strings; /* of string and strings */
} oc_attribute;

/* One node. Strings live as long as the model, the rest while the callback runs. */
typedef struct oc_node_info {
    const char *name, *domain, *op_type; /* ONNX's fields; the operator is domain and op_type */
    int64_t opset;                       /* the version the model imports */
    int since;                           /* the version that serves it; 0 when none does */
    oc_support support;                  /* how it would run */
    int depth;         /* 0: a node of the main graph; +1 for each graph around it */
    int parent;        /* the number of the node that holds this one's graph; -1: main graph */
    const char *graph; /* the attribute of that node that holds it; NULL: main graph */
    int n_in, n_out, n_attr;    /* entries of in, out and attr */
    const oc_port *in, *out;    /* what is known of each; its name is "" where one is missing */
    const struct oc_attr *attr; /* for the two calls that follow */
} oc_node_info;
/* The i-th attribute; past the last one whose name is "". */
OC_API oc_attribute oc_node_attribute(const oc_node_info *node, int i);
/* Writes it as ONNX text does, "axis: int = 1". A writer that has enough may end that by false. */
OC_API void oc_node_write_attribute(const oc_node_info *node, int i, const oc_writer *out,
                                    oc_error *e);

/* Calls tell for every node of the main graph and of the graphs within it, not of functions: a node
 * comes before those of its graphs, and they are numbered from 0. Of values of the main graph type
 * and dims are told as a plan finds them without inputs, or else as the model declares them, of
 * others as it declares them; dims that neither tells are -1. inputs has what to take each of the
 * model's inputs for in place of oc_model_input, such as sizes for symbols; NULL: those. Nodes that
 * cannot run are told too. */
OC_API void oc_model_visit_sized(const oc_model *model, const oc_port *inputs, size_t port_size,
                                 void (*tell)(void *ctx, const oc_node_info *node), void *ctx,
                                 oc_error *e);
static inline void oc_model_visit(const oc_model *model, const oc_port *inputs,
                                  void (*tell)(void *ctx, const oc_node_info *node), void *ctx,
                                  oc_error *e)
{
    oc_model_visit_sized(model, inputs, sizeof *inputs, tell, ctx, e);
}

struct oc_call; /* ocellus_op.h */
/* What the model says of the node of a call, for an operator of the host: as oc_model_visit tells
 * it, but for the graphs around the node and the version that the model imports, which are not
 * told. Of inputs type and dims are those of the call, of outputs those that are declared. Valid
 * until the function of the operator returns. All zero and "" after writing the error. */
OC_API void oc_call_node_sized(struct oc_call *call, size_t port_size, oc_node_info *out,
                               size_t out_size);
static inline oc_node_info oc_call_node(struct oc_call *call)
{
    oc_node_info info;
    oc_call_node_sized(call, sizeof(oc_port), &info, sizeof info);
    return info;
}

/* ---- models saved, expanded, cut and joined -------------------------------------------------- */

/* How a model is written. */
typedef enum oc_format {
    OC_FORMAT_ONNX, /* as a serialized ModelProto */
    OC_FORMAT_TEXT  /* as ONNX text */
} oc_format;
/* Writes the model in that format. */
OC_API void oc_model_save(const oc_model *model, oc_format format, const oc_writer *out,
                          oc_error *e);

/* Writes the model to a file of that name, in place of one that is there, which may be the model's
 * own. A failure leaves the old file. What is no regular file, such as a pipe, is written to. */
OC_API void oc_model_save_file(const oc_model *model, oc_format format, const char *path,
                               oc_error *e);

/* A new model in which calls of functions are replaced by their bodies: of model-local functions
 * always, of ONNX operators where policy asks for it. only, when not NULL, is one operator's name,
 * to which policy is then limited. The new model borrows from the old, which lives on for it. */
OC_API oc_model *oc_model_expand(const oc_model *model, oc_body_policy policy, const char *only,
                                 oc_error *e);

/* A value of the main graph that a part of a model begins with. */
typedef struct oc_cut {
    const char *name;      /* of the value in the model */
    const oc_value *value; /* a tensor of numbers, which becomes an initializer of that name; NULL:
                              the value becomes an input */
} oc_cut;
/* A new model of the nodes of the main graph that compute the n_to values `to` from the n_from
 * values `from`, and of what they use. It has the inputs `from` in that order, then inputs of the
 * model that the nodes use without passing through `from`; what no node uses is left out. n_from 0:
 * it begins with the model's inputs; n_to 0: it ends with the model's outputs. Types and shapes
 * that a plan finds are declared of its inputs and outputs. A part without nodes is an error. The
 * new model borrows from the old, which lives on for it. */
OC_API oc_model *oc_model_extract(const oc_model *model, const oc_cut *from, int n_from,
                                  const char *const *to, int n_to, oc_error *e);

/* A new model that is this one, and declares of each value of its main graph the type and the dims
 * that a plan finds without inputs: numbers, and sums, products and quotients of names of the
 * inputs' dims, such as "n/8". It borrows from the old model, which lives on for it. */
OC_API oc_model *oc_model_declare(const oc_model *model, oc_error *e);

/* What an input of a model becomes that is put behind another one. */
typedef struct oc_link {
    const char *from; /* an output of the first model, or an input of it that both then take */
    const char *to;   /* the input of the second model */
} oc_link;
/* A new model that runs the first model and then the second, whose inputs are what the n_links
 * links say; n_links 0: they are outputs of the first that have their names, and there must be one.
 * The new model's inputs are those of the first model, then those of the second without a link. Its
 * outputs are those of the second model, then those of the first without a link.
 *
 * Inputs and outputs keep their names. Nodes and values within the second model are called
 * "prefix/name"; prefix NULL or "": "second/name". Where both models have an input or output of one
 * name, that of the second gets the prefix too, and without a prefix it is an error. A value within
 * the first model that is named as an input or output of the second becomes "first/name".
 *
 * An output that is declared with another type, rank or dim than the input is an error. Functions
 * of both models become their bodies, and all nodes of a domain run under one version of it, as
 * oc_model_expand writes them. The new model has the options and texts of the first, metadata of
 * both (a remark names those that the first has with another value), and the higher IR version, at
 * least 4, so that its weights are no inputs. It borrows from both, which live on for it. A library
 * that was built for some operators may refuse the call (OC_UNSUPPORTED). */
OC_API oc_model *oc_model_join(const oc_model *first, const oc_model *second, const oc_link *links,
                               int n_links, const char *prefix, oc_error *e);

/* ---- sessions at work ------------------------------------------------------------------------ */

/* One node that is about to run (begin) or has run. Pointers are valid during the callback.
 * Steps that convert a value from one layout to the other are told as nodes ToNCHW or ToNCHW16c
 * of domain "ocellus". */
typedef struct oc_node_event {
    bool begin;                          /* it is about to run */
    int depth;                           /* 0: main graph; +1 for each subgraph around the node */
    int64_t sequence;                    /* counts executed nodes from 0 */
    const char *name, *domain, *op_type; /* as in oc_node_info */
    int since;                           /* the version that serves it */
    int n_in, n_out;                     /* entries of in and out */
    const oc_value *const *in;           /* NULL entries: missing optional inputs; see oc_view */
    /* Filled when begin is false; see oc_view. Their elements may be overwritten for the nodes that
     * follow, by oc_value_mutable_data, which is NULL for memory of the host or of a weight. NULL
     * entries: outputs without a name. */
    const oc_value *const *out;
    const char *const *out_name; /* "" for an output nobody reads */
    int64_t nanoseconds;         /* of the run; 0 when begin */
    const char *fused_into; /* the operator that does this node's work in its own run, so that the
                               value between them is never in memory; NULL: none */
    const char *runs; /* the operators that run as one here: "Conv+Relu"; one by itself: op_type */
    const char *fused_output; /* the name of the first output of the node that does this node's
                                 work; NULL: none */
} oc_node_event;

/* What a session has used, and what its plan is. */
typedef struct oc_session_stats {
    size_t live_bytes; /* tensors alive now, outputs of the last run included */
    size_t peak_bytes; /* most alive at one time since the session began */
    size_t own_bytes;  /* all that the session has allocated, tensors included */
    size_t plan_bytes; /* what the plan has allocated, which sessions of the model share */
    int64_t steps;     /* nodes executed by the last run */
    int n_steps;       /* nodes in the plan of the main graph */
    int n_fused;       /* nodes, those of graphs within included, that run as part of another */
    /* nodes, those of graphs within included, computed with the plan, from weights alone */
    int n_folded;
    /* the best instruction set in use: "scalar", "v128", "avx2", "avx512", "neon" */
    const char *cpu;
    /* how sums of products are computed: "fused" by that set, "exact" or "fast" (unfused) */
    const char *products;
} oc_session_stats;
/* May be asked while the session runs, by its callbacks. All zero for NULL. */
OC_API void oc_session_describe_sized(const oc_session *session, oc_session_stats *out,
                                      size_t out_size);
static inline oc_session_stats oc_session_describe(const oc_session *session)
{
    oc_session_stats stats;
    oc_session_describe_sized(session, &stats, sizeof stats);
    return stats;
}

/* A step of the plan of the main graph: a node, or what converts a value from one layout to the
 * other, ToNCHW or ToNCHW16c of domain "ocellus". Strings live as long as the session. */
typedef struct oc_plan_step {
    const char *name, *domain, *op_type; /* as in oc_node_info */
    const char *output;                  /* the name of its first output */
    const char *fused_into, *runs;       /* as in oc_node_event */
    bool folded;                         /* computed with the plan, from weights alone */
    bool nchw16c; /* it runs in NCHW16c where dims are as planned; of what converts: its result */
} oc_plan_step;
/* The i-th step, in the order in which they run; false past the last. */
OC_API bool oc_session_step_at(const oc_session *session, int i, oc_plan_step *out);

/* A pass of the making of a plan, and the steps of the main graph that it has left. */
typedef struct oc_plan_pass {
    const char *name;         /* "groups"; "": there was none yet */
    const char *then;         /* a sentence: what holds after the pass */
    const oc_plan_step *step; /* those of the main graph, in the order in which they run */
    int n_step;               /* how many they are */
} oc_plan_pass;
/* Makes a plan as the session's, calls tell after each pass, and frees the plan. What tell is given
 * lasts as long as its call. */
OC_API void oc_session_passes(oc_session *session,
                              void (*tell)(void *ctx, const oc_plan_pass *pass), void *ctx,
                              oc_error *e);

#ifdef __cplusplus
}
#endif
#endif
