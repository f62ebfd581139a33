/* SPDX-License-Identifier: Apache-2.0
 *
 * ocellus_op.h - operators and function bodies of a program's own, and the table of the built-in
 * ones.
 *
 * oc_session_options.ops and oc_session_options.bodies.own hand them to a session.
 * docs/embedding.md shows an operator from its table to its run. */
#ifndef OCELLUS_OP_H
#define OCELLUS_OP_H

#include <ocellus.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operators ------------------------------------------------------------------------------- */

/* One run of one node, as its operator sees it. */
typedef struct oc_call oc_call;
/* A part of an operator; it returns OC_OK or the result of oc_call_fail. */
typedef oc_status oc_op_fn(oc_call *call);

/* One version of one operator. A table of versions ends with one of zeros. docs/adding-an-op.md
 * tells how the signature is written. */
typedef struct oc_op {
    int since;             /* first opset version that this one serves */
    const char *signature; /* "domain::Name <attributes> (inputs) => (outputs) | type sets" */
    oc_op_fn *shape;       /* sets type and dims of every output; NULL: run does. Inputs that the
                              signature does not mark with "!" may be without data (NULL) */
    oc_op_fn *run;         /* fills the outputs */
    /* Called once for nodes of equal constants, attributes and dims, when the plan that sessions
     * share is made, if all inputs marked "=" are constants: makes what run needs of them, with
     * oc_call_keep. Sees elements of these inputs alone. Where the signature marks none it is
     * called once for each node, and sees elements of all inputs that are constants. NULL: nothing
     * is prepared. */
    oc_op_fn *prepare;
    void *context; /* the host's own, for oc_call_context; lives as long as the sessions */
} oc_op;

/* The i-th version of the built-in operators; NULL past the last. Those of one operator are
 * adjacent, newest first. */
OC_API const oc_op *oc_builtin_op(int i);
/* Element types: the bit 1 << oc_type for each. */
typedef uint64_t oc_type_mask;
/* Those of a set that signatures name, such as "numeric"; 0: there is no set of that name. */
OC_API oc_type_mask oc_type_set(const char *name);
/* The i-th function body that is built in: name and since; NULL past the last. Where the domain is
 * not one of ONNX's the name is "domain::Name". */
OC_API const char *oc_builtin_body(int i, int *since);

/* What an operator of the host's own may ask. A missing optional input is NULL, a missing attribute
 * 0 or ""; to ask for one that the signature has not is an error of the node. */
OC_API int oc_call_n_in(const oc_call *call);
OC_API int oc_call_n_out(const oc_call *call);
OC_API const oc_value *oc_call_in(const oc_call *call, int i);
/* Data, in run. NULL: nobody reads it, which may be where the signature marks it with "?" or "...".
 */
OC_API void *oc_call_out(oc_call *call, int i);
/* The type and dims that shape has set, of an output that somebody reads; else NULL. */
OC_API const oc_value *oc_call_out_value(const oc_call *call, int i);
/* In prepare: memory that lives as long as the plan, zeroed, aligned to 64 bytes. NULL after
 * writing the error; the function then returns oc_call_fail's result or OC_NOMEM. */
OC_API void *oc_call_keep(oc_call *call, size_t size);
/* In shape and run: the last memory that prepare took from oc_call_keep; NULL: there is none. */
OC_API const void *oc_call_prepared(const oc_call *call);
/* Memory until the function returns, aligned to 64 bytes, not zeroed. It is of the session, counts
 * against its cap, and is used anew by the next run. NULL after writing the error; the function
 * then returns oc_call_fail's result or OC_NOMEM. */
OC_API void *oc_call_scratch(oc_call *call, size_t size);
/* Calls task(arg, i) once for every i in 0..n-1, in any order, on the threads of the session, and
 * returns when all have returned. Of the calls that take the oc_call a task may use this one, whose
 * tasks then run in its own thread, and oc_call_threads. A task may take 256 KB of stack. To share
 * work well, n is small: as oc_call_threads says. */
OC_API void oc_call_run_tasks(oc_call *call, int n, void (*task)(void *arg, int i), void *arg);
OC_API int oc_call_threads(const oc_call *call); /* of the session, that of oc_run included */
/* Sets an element of an output of strings, in run, to a copy of the size bytes, which lives as long
 * as the output. */
OC_API oc_status oc_call_set_string(oc_call *call, int i, int64_t element, const char *bytes,
                                    size_t size);
/* Once for each output: in shape; where that is NULL in run, before oc_call_out. */
OC_API oc_status oc_call_set_out(oc_call *call, int i, oc_type type, int rank, const int64_t *dim);
/* The value of an attribute that is no list. */
OC_API int64_t oc_call_int(const oc_call *call, const char *attribute);
OC_API double oc_call_float(const oc_call *call, const char *attribute);
OC_API oc_string oc_call_string(const oc_call *call, const char *attribute);
/* The items of a list, *count of them, which may be NULL; NULL: the attribute is missing or empty.
 */
OC_API const int64_t *oc_call_ints(const oc_call *call, const char *attribute, size_t *count);
OC_API const float *oc_call_floats(const oc_call *call, const char *attribute, size_t *count);
/* NULL: the attribute is missing. Valid until the function returns. */
OC_API const oc_value *oc_call_tensor(const oc_call *call, const char *attribute);
OC_API void *oc_call_context(const oc_call *call); /* the context of the version */
/* Writes the error of the node, which the text is about; returns code. */
OC_API oc_status oc_call_fail(oc_call *call, oc_status code, const char *text);

/* ---- what a signature says ------------------------------------------------------------------
 *
 * These structs may change until version 1.0. */

/* The types that are allowed: of tensors, of sequences' items, of optional tensors, of the items of
 * optional sequences, of maps' values, and of those of the maps in sequences. */
typedef struct oc_type_sets {
    oc_type_mask tensor, sequence, optional, opt_sequence, map, map_sequence; /* of each form */
} oc_type_sets;

/* An attribute of nodes. */
typedef struct oc_op_attribute {
    const char *name; /* as nodes write it */
    const char *kind; /* "int", "floats" ...: as of oc_attribute */
    bool required;    /* a node without it is refused */
    bool has_default; /* a node without it has a value nevertheless */
} oc_op_attribute;

/* An input or output, or all that follow from one on. */
typedef struct oc_op_port {
    const char *name;   /* as the operator's documentation has it */
    bool optional;      /* a node may leave it out */
    bool variadic;      /* any number of them, the last of the list only */
    bool mixed;         /* these may differ in type */
    int variable;       /* which of the variables is its type; -1: none, it may have any of types */
    oc_type_sets types; /* also those of the variable */
} oc_op_port;

/* A type that is the same wherever a node's ports name it. */
typedef struct oc_op_variable {
    const char *name;   /* "T" */
    const char *text;   /* as the signature has it: "T: numeric bool" */
    oc_type_sets types; /* that it may be */
} oc_op_variable;

/* One version of an operator: what its signature says. */
typedef struct oc_op_info {
    const oc_op *version;             /* the version */
    const char *domain;               /* "": ONNX's own */
    const char *name;                 /* without the domain */
    const char *label;                /* "Relu", "com.me::Twist" */
    const char *ports;                /* as the signature has them: "(T x) => (T y)" */
    bool random;                      /* two runs of a node may differ */
    int n_attributes;                 /* entries of each list */
    int n_inputs, n_outputs;          /* entries of each list */
    int n_variables;                  /* entries of each list */
    const oc_op_attribute *attribute; /* without the options of a session */
    const oc_op_port *input, *output; /* in their order */
    const oc_op_variable *variable;   /* in the order of the text */
} oc_op_info;
/* Reads the signature of a version, which must live as long. A wrong one is OC_FORMAT or
 * OC_ARGUMENT. Free it with oc_op_info_free. */
OC_API const oc_op_info *oc_op_describe(const oc_op *version, oc_error *e);
OC_API void oc_op_info_free(const oc_op_info *info); /* NULL is allowed */

/* ---- function bodies of the host --------------------------------------------------------------
 */

/* A function body of the host's own, in ONNX text: docs/adding-a-function-body.md. */
typedef struct oc_function_text {
    const char *text; /* ends with a zero byte */
    const char *op; /* the operator that it replaces: "Softmax", "com.me::Twist"; NULL: the one that
                       its header names */
    const char *file; /* what messages call it; NULL: "text" */
} oc_function_text;

#ifdef __cplusplus
}
#endif
#endif
