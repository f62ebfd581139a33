/* SPDX-License-Identifier: Apache-2.0
 *
 * ocellus.h - run ONNX models: the whole public interface.
 *
 * A model is loaded once and never changes; any number of sessions, on any number of threads, may
 * share it without a lock. A session runs one graph at a time and belongs to one thread at a time.
 * The library has no global state, prints nothing and never ends the process.
 *
 * Errors are sticky. Every call that can fail takes an oc_error; without one (NULL), and while its
 * code is not OC_OK, the call does nothing and returns NULL or zero. A program may therefore make
 * many calls and look at the error once. Pass a zero-initialised oc_error to begin.
 *
 * A mistake of the host (NULL, an index out of range, a value without meaning, a call too early) is
 * an error, OC_ARGUMENT where no other code fits; calls without oc_error return NULL, zero or "".
 * Callbacks may make any call, but what they ask of the session at work is refused: only
 * oc_session_describe tells, and oc_session_free ends the run with OC_CANCELLED, then frees it.
 *
 * In a child of fork() models and idle sessions of the parent are used as before; a session that
 * another thread was using must be left alone there, and limits.cancel that forks must answer true
 * in the child, where the run ends with OC_CANCELLED. */
#ifndef OCELLUS_H
#define OCELLUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OC_VERSION_MAJOR 0 /* of this header; oc_version tells the library's */
#define OC_VERSION_MINOR 1 /* of this header */
#define OC_VERSION_PATCH 0 /* of this header */

/* Before each function that the library exports. */
#if defined(_WIN32)
#define OC_API
#else
#define OC_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status and errors ---------------------------------------------------------------------- */

/* Codes are stable: a new one is added at the end. */
#define OC_STATUS_MAP(X)                                                                           \
    X(OK, "success")                                                                               \
    X(ARGUMENT, "invalid argument of a call")                                                      \
    X(IO, "a file cannot be read or written")                                                      \
    X(FORMAT, "malformed bytes or text")                                                           \
    X(MODEL, "invalid model")                                                                      \
    X(TYPE, "element type mismatch")                                                               \
    X(SHAPE, "shape mismatch")                                                                     \
    X(VALUE, "value outside its domain")                                                           \
    X(UNSUPPORTED, "operator, version or type not supported")                                      \
    X(LIMIT, "a limit was hit")                                                                    \
    X(NOMEM, "out of memory")                                                                      \
    X(DEADLINE, "the deadline has passed")                                                         \
    X(CANCELLED, "cancelled by the caller")

/* What a call ended with. */
typedef enum oc_status {
#define X(name, text) OC_##name,
    OC_STATUS_MAP(X)
#undef X
        OC_N_STATUS /* how many codes there are */
} oc_status;

/* Names the place, what is wrong and what was expected. Lives on the caller's stack. */
typedef struct oc_error {
    oc_status code;  /* OC_OK: no error */
    char text[1020]; /* the message, ended by a zero byte */
} oc_error;
OC_API const char *oc_status_name(oc_status code); /* "SHAPE" */
OC_API const char *oc_status_text(oc_status code); /* "shape mismatch" */
OC_API const char *oc_version(void);               /* "0.1.0" */

/* ---- element types --------------------------------------------------------------------------- */

/* Name, ONNX number, ONNX name, bytes of one element in memory. Elements of 2 and 4 bits take one
 * byte each in memory (two's complement or code in the low bits); only files pack them. */
#define OC_TYPE_MAP(X)                                                                             \
    X(F32, 1, "float", 4)                                                                          \
    X(U8, 2, "uint8", 1)                                                                           \
    X(I8, 3, "int8", 1)                                                                            \
    X(U16, 4, "uint16", 2)                                                                         \
    X(I16, 5, "int16", 2)                                                                          \
    X(I32, 6, "int32", 4)                                                                          \
    X(I64, 7, "int64", 8)                                                                          \
    X(STRING, 8, "string", sizeof(oc_string))                                                      \
    X(BOOL, 9, "bool", 1)                                                                          \
    X(F16, 10, "float16", 2)                                                                       \
    X(F64, 11, "double", 8)                                                                        \
    X(U32, 12, "uint32", 4)                                                                        \
    X(U64, 13, "uint64", 8)                                                                        \
    X(C64, 14, "complex64", 8)                                                                     \
    X(C128, 15, "complex128", 16)                                                                  \
    X(BF16, 16, "bfloat16", 2)                                                                     \
    X(F8E4M3FN, 17, "float8e4m3fn", 1)                                                             \
    X(F8E4M3FNUZ, 18, "float8e4m3fnuz", 1)                                                         \
    X(F8E5M2, 19, "float8e5m2", 1)                                                                 \
    X(F8E5M2FNUZ, 20, "float8e5m2fnuz", 1)                                                         \
    X(U4, 21, "uint4", 1)                                                                          \
    X(I4, 22, "int4", 1)                                                                           \
    X(F4E2M1, 23, "float4e2m1", 1)                                                                 \
    X(F8E8M0, 24, "float8e8m0", 1)                                                                 \
    X(U2, 25, "uint2", 1)                                                                          \
    X(I2, 26, "int2", 1)

/* An element type, by ONNX's number. */
typedef enum oc_type {
    OC_UNDEFINED = 0, /* none */
#define X(name, number, text, size) OC_##name = number,
    OC_TYPE_MAP(X)
#undef X
        OC_N_TYPES /* one more than the largest number */
} oc_type;

/* One element of a string tensor: size bytes, not NUL-terminated, UTF-8 by convention. */
typedef struct oc_string {
    const char *data; /* the bytes */
    size_t size;      /* how many */
} oc_string;

OC_API const char *oc_type_name(oc_type type); /* "float16"; "undefined" for a number not listed */
OC_API size_t oc_type_size(oc_type type);      /* bytes in memory; 0 for a number not listed */

/* ---- structs that grow -----------------------------------------------------------------------
 *
 * oc_model_options, oc_session_options, oc_port, oc_model_info, oc_model_operator, oc_node_info,
 * oc_node_event and oc_session_stats may get new fields, at their end. All other structs stay as
 * they are.
 *
 * A program works with a library that is newer than its header, and with one that is older. To that
 * end calls that take or fill these structs are inline: they hand the size that the compiler knows
 * to the function NAME_sized of the library. A field that only the library knows is 0 in options,
 * and left out of results. A field that only the program knows is 0 in results; in options it must
 * be 0, else the call ends with OC_ARGUMENT. Bindings for other languages call NAME_sized with the
 * size of the struct as they lay it out. */

/* ---- hooks ----------------------------------------------------------------------------------- */

enum { OC_MAX_RANK = 16 /* the most axes of a tensor */ };

/* Allocates (old_size == 0), resizes or frees (new_size == 0) memory aligned for any scalar type.
 * Returns NULL when it cannot. All zero: the C library's allocator. May be called only from the
 * thread that called the library. */
typedef struct oc_allocator {
    void *(*resize)(void *ctx, void *block, size_t old_size, size_t new_size); /* the call */
    void *ctx;
} oc_allocator;

/* Calls task(arg, i) once for every i in 0..n-1, in any order, on any threads, and returns when all
 * have returned. The results of the library do not depend on how it does so. A task may take 256 KB
 * of stack. */
typedef struct oc_parallel {
    void (*run)(void *ctx, int n, void (*task)(void *arg, int i), void *arg); /* the call */
    void *ctx;
} oc_parallel;

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

/* Decodes pictures for the operator ImageDecoder: the library itself reads no picture format.
 * decode makes *height rows of *width pixels of the size bytes: red, green and blue of each, one
 * byte each, which stay valid until release is called with them. NULL: it cannot, and the picture
 * is empty; with *height -1 it takes more than cap, the most bytes for pixels: OC_LIMIT. */
typedef struct oc_image_decoder {
    uint8_t *(*decode)(void *ctx, const void *bytes, size_t size, size_t cap, int64_t *height,
                       int64_t *width);          /* makes pixels */
    void (*release)(void *ctx, uint8_t *pixels); /* takes them back */
    void *ctx;
} oc_image_decoder;

/* ---- values ---------------------------------------------------------------------------------- */

/* A tensor, a sequence of values, an optional, or a map. Elements are dense, in row-major order. */
typedef struct oc_value oc_value;
/* What a value is. */
typedef enum oc_kind {
    OC_TENSOR = 0, /* an array of elements */
    OC_SEQUENCE,   /* a list of values */
    OC_OPTIONAL,   /* a value or none */
    OC_MAP         /* two tensors [n]: keys, int64 or strings, in ascending order, and their values;
                      only what a run computes and oc_value_read reads, never an input */
} oc_kind;

/* A new tensor with all bytes zero. alloc may be NULL. Free it with oc_value_free. */
OC_API oc_value *oc_tensor_new(oc_type type, int rank, const int64_t *dim,
                               const oc_allocator *alloc, oc_error *e);
/* Sets element i of a string tensor made by oc_tensor_new to a copy of the size bytes. */
OC_API void oc_tensor_set_string(oc_value *tensor, int64_t i, const char *bytes, size_t size,
                                 oc_error *e);
/* A new sequence of n tensors of that type, whose elements are copied; free it with oc_value_free.
 * Items of another type or kind: OC_TYPE. */
OC_API oc_value *oc_sequence_new(oc_type type, int64_t n, const oc_value *const *item,
                                 const oc_allocator *alloc, oc_error *e);
/* A new optional that holds a copy of the item, a tensor or a sequence with elements of that type;
 * NULL: it holds nothing. */
OC_API oc_value *oc_optional_new(oc_type type, const oc_value *item, const oc_allocator *alloc,
                                 oc_error *e);
/* Reads one serialized TensorProto, SequenceProto, OptionalProto or MapProto, as kind says. name,
 * when not NULL, receives the proto's name, valid as long as the value. */
OC_API oc_value *oc_value_read(const void *bytes, size_t size, oc_kind kind, const char **name,
                               const oc_allocator *alloc, oc_error *e);
/* Writes the value as a serialized proto of its kind. name may be NULL. */
OC_API void oc_value_write(const oc_value *value, const char *name, const oc_writer *out,
                           oc_error *e);
OC_API void oc_value_free(oc_value *value); /* NULL and borrowed values: nothing */

OC_API oc_kind oc_value_kind(const oc_value *value); /* OC_TENSOR for NULL */
/* Of elements; of items' elements for a sequence, of the values for a map and a sequence of maps.
 */
OC_API oc_type oc_value_type(const oc_value *value);
/* Of the keys of a map, or of a sequence's maps; else OC_UNDEFINED. */
OC_API oc_type oc_value_key_type(const oc_value *value);
OC_API int oc_value_rank(const oc_value *value);            /* axes of a tensor */
OC_API const int64_t *oc_value_dims(const oc_value *value); /* rank entries */
/* Elements of a tensor; items of a sequence; 0 or 1 for an optional; 2 for a map. */
OC_API int64_t oc_value_count(const oc_value *value);
OC_API const void *oc_value_data(const oc_value *value); /* of a tensor */
/* Of a tensor from oc_tensor_new, or of what a node has computed (oc_node_event); else NULL. */
OC_API void *oc_value_mutable_data(oc_value *value);
/* Borrowed. Item 0 of a map is the tensor of its keys, item 1 that of its values. */
OC_API const oc_value *oc_value_item(const oc_value *value, int64_t i);

/* ---- models ---------------------------------------------------------------------------------- */

/* What a model, or one of its sessions, may use up. Zero-initialised means: every default. A call
 * that would pass a limit ends with an error: OC_LIMIT, OC_DEADLINE or OC_CANCELLED. */
typedef struct oc_limits {
    /* Bytes at one time, without mapped files. Of a model: of itself, its plans and its sessions;
     * 0: 4 GiB, SIZE_MAX: any number. Of a session: of itself and its plan; 0: what the model's cap
     * leaves. */
    size_t memory_cap;
    /* Nodes that oc_run may execute, loops included; oc_session_new likewise, which computes what
     * depends on constants alone. 0: no limit. */
    int64_t max_steps;
    /* Seconds that a call may take: by the limits of the model oc_model_load, oc_model_expand and
     * oc_model_extract, by those of the session oc_session_new and oc_run. 0: no limit. */
    double deadline;
    /* Called within these calls, on the thread that made them, at least every 0.1 s; true ends the
     * call. NULL: never. */
    bool (*cancel)(void *ctx);
    void *cancel_ctx;
} oc_limits;

/* What oc_model_load makes. */
typedef struct oc_model oc_model;
/* Zero-initialised means: every default. */
typedef struct oc_model_options {
    oc_allocator alloc; /* of the model, its plans and its sessions */
    oc_limits limits;   /* of the model, and of its sessions together */
    /* Opens external data of a model that did not come from a path. location is the model's own
     * string. Fills *bytes and *size, which must stay valid as long as the model; returns false to
     * refuse. NULL: such data is refused. */
    bool (*external)(void *ctx, const char *location, const void **bytes, size_t *size);
    void *external_ctx;
    /* Directory that external data of text or memory models is resolved in. NULL: none. A model
     * loaded from a path uses the folder of that path. */
    const char *external_dir;
    /* Read files into memory, which counts against memory_cap, and map none. */
    bool no_map;
    /* Paths of files whose functions the model gets, in place of its own of the same name: binary
     * ONNX with or without a graph, or ONNX text of a model or of functions alone. Such a function
     * is a function of the model in all that follows: it runs in place of a kernel (see
     * oc_body_options). A file without functions, a function that two files have, and one that is
     * called under another version of its domain than its file imports are OC_MODEL. The array
     * ends with NULL. NULL: none. */
    const char *const *functions;
    /* Take a model whose IR version, or whose version of ONNX's operators, is newer than the newest
     * that the library knows for one of that version; else it is OC_UNSUPPORTED. Operators that
     * were changed meanwhile run as they were. */
    bool newer;
} oc_model_options;

/* Loads binary ONNX, gzip-compressed ONNX or ONNX text; the content decides. options may be NULL.
 * A path is mapped, and large weights are used in place, in files of external data too: tensors of
 * 64 KB or more that are not int32, int64, bool or string. All else is copied. If such a file is
 * overwritten, results may change; nothing else does. If it is made shorter, reading the missing
 * part raises SIGBUS, as in any mapped file: a host that cannot rule this out sets no_map or
 * handles the signal. Files that are replaced by renaming do no harm. Memory must stay valid as
 * long as the model (oc_model_free). A stream is read to its end. Errors begin with the path, if
 * there is one, as in "net.onnxtxt: line 3, column 7: found ...". */
OC_API oc_model *oc_model_load_sized(const char *path, const oc_model_options *options,
                                     size_t options_size, oc_error *e);
OC_API oc_model *oc_model_load_memory_sized(const void *bytes, size_t size,
                                            const oc_model_options *options, size_t options_size,
                                            oc_error *e);
OC_API oc_model *oc_model_load_stream_sized(const oc_reader *in, const oc_model_options *options,
                                            size_t options_size, oc_error *e);
static inline oc_model *oc_model_load(const char *path, const oc_model_options *options,
                                      oc_error *e)
{
    return oc_model_load_sized(path, options, sizeof *options, e);
}
static inline oc_model *oc_model_load_memory(const void *bytes, size_t size,
                                             const oc_model_options *options, oc_error *e)
{
    return oc_model_load_memory_sized(bytes, size, options, sizeof *options, e);
}
static inline oc_model *oc_model_load_stream(const oc_reader *in, const oc_model_options *options,
                                             oc_error *e)
{
    return oc_model_load_stream_sized(in, options, sizeof *options, e);
}
/* NULL is allowed. The model lives on for sessions and expanded models that are left, and so must
 * the memory that it was loaded from. */
OC_API void oc_model_free(oc_model *model);

/* What a graph input or output is declared to be. Strings live as long as the model. */
typedef struct oc_port {
    const char *name;                  /* "" past the last */
    oc_kind kind;                      /* a tensor, where nothing is declared */
    oc_type type;                      /* as oc_value_type tells it */
    int rank;                          /* -1: not declared */
    int64_t dim[OC_MAX_RANK];          /* -1: not declared or symbolic */
    const char *dim_name[OC_MAX_RANK]; /* NULL: not symbolic */
    bool has_default;                  /* an input that an initializer gives a value */
    oc_type key_type;                  /* as oc_value_key_type tells it */
} oc_port;
/* How many the main graph has. */
OC_API int oc_model_n_inputs(const oc_model *model);
OC_API int oc_model_n_outputs(const oc_model *model);
/* The i-th one; past the last its name is "" and its rank -1. */
OC_API void oc_model_input_sized(const oc_model *model, int i, oc_port *out, size_t out_size);
OC_API void oc_model_output_sized(const oc_model *model, int i, oc_port *out, size_t out_size);
static inline oc_port oc_model_input(const oc_model *model, int i)
{
    oc_port port;
    oc_model_input_sized(model, i, &port, sizeof port);
    return port;
}
static inline oc_port oc_model_output(const oc_model *model, int i)
{
    oc_port port;
    oc_model_output_sized(model, i, &port, sizeof port);
    return port;
}

/* What a model's file says of it. Strings live as long as the model; "": it does not say. */
typedef struct oc_model_info {
    int64_t ir_version;                                                 /* of ONNX's format */
    const char *producer_name, *producer_version, *domain, *graph_name; /* ONNX's fields */
    int64_t model_version;                                              /* the producer's own */
    int n_opsets, n_nodes, n_functions, n_initializers; /* n_nodes: in the main graph */
    int64_t n_parameters;                               /* elements of all initializers */
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
/* The i-th initializer, sparse ones last; false past the last. */
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

/* ---- models saved, expanded and cut ---------------------------------------------------------- */

/* How a model is written. */
typedef enum oc_format {
    OC_FORMAT_ONNX, /* as a serialized ModelProto */
    OC_FORMAT_TEXT  /* as ONNX text */
} oc_format;
/* Writes the model in that format. */
OC_API void oc_model_save(const oc_model *model, oc_format format, const oc_writer *out,
                          oc_error *e);

/* Which function bodies replace native kernels. */
typedef enum oc_body_policy {
    OC_BODY_NATIVE,  /* a kernel where there is one, a body elsewhere */
    OC_BODY_EXPAND,  /* bodies everywhere, with the known defects of the standard repaired */
    OC_BODY_STANDARD /* bodies everywhere, in the standard's own words */
} oc_body_policy;

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

/* ---- operators ------------------------------------------------------------------------------- */

/* One run of one node, as its operator sees it. */
typedef struct oc_call oc_call;
/* A part of an operator; it returns OC_OK or the result of oc_call_fail. */
typedef oc_status oc_op_fn(oc_call *call);

/* One version of one operator. A table of rows ends with a row of zeros. docs/adding-an-op.md tells
 * how the signature is written. */
typedef struct oc_op {
    int since;             /* first opset version that this row serves */
    const char *signature; /* "domain::Name <attributes> (inputs) => (outputs) | type sets" */
    oc_op_fn *shape;       /* sets type and dims of every output; NULL: run does. Inputs that the
                              signature does not mark with "!" may be without data (NULL) */
    oc_op_fn *run;         /* fills the outputs */
    /* Called once for nodes of equal constants, attributes and dims, when the plan that sessions
     * share is made, if all inputs marked "=" are constants: makes what run needs of them, with
     * oc_call_keep. Sees elements of these inputs alone. NULL: nothing is prepared. */
    oc_op_fn *prepare;
    void *context; /* the host's own, for oc_call_context; lives as long as the sessions */
} oc_op;

/* The i-th row of the built-in operators; NULL past the last. Rows of one operator are adjacent,
 * newest first. */
OC_API const oc_op *oc_builtin_op(int i);
/* The element types of a set that signatures name, such as "numeric": the bit 1 << oc_type for
 * each; 0: there is no set of that name. */
OC_API uint32_t oc_type_set(const char *name);
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
/* In prepare: memory that lives as long as the plan, zeroed, aligned to 64 bytes. NULL after
 * writing the error; the function then returns oc_call_fail's result or OC_NOMEM. */
OC_API void *oc_call_keep(oc_call *call, size_t size);
/* In shape and run: the last memory that prepare took from oc_call_keep; NULL: there is none. */
OC_API const void *oc_call_prepared(const oc_call *call);
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
OC_API void *oc_call_context(const oc_call *call); /* the context of the operator's row */
/* Writes the error of the node, which the text is about; returns code. */
OC_API oc_status oc_call_fail(oc_call *call, oc_status code, const char *text);

/* ---- sessions -------------------------------------------------------------------------------- */

/* What oc_session_new makes. */
typedef struct oc_session oc_session;
/* One node that is about to run (begin) or has run. Pointers are valid during the callback. */
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
} oc_node_event;

/* A function body of the host's own, in ONNX text: docs/adding-a-function-body.md. */
typedef struct oc_function_text {
    const char *text; /* ends with a zero byte */
    const char *op; /* the operator that it replaces: "Softmax", "com.me::Twist"; NULL: the one that
                       its header names */
    const char *file; /* what messages call it; NULL: "text" */
} oc_function_text;

/* Which calls run by function bodies. All zero: kernels, and bodies of operators without one. */
typedef struct oc_body_options {
    oc_body_policy policy; /* for all operators, or one */
    const char *only;      /* limits the policy to the operator of this name; NULL: all operators */
    /* A call of a function of the model runs by that function, unless kernels_first is true and
     * there is a kernel for an operator of that name. Then the kernel runs, and the model's
     * function is a body, which replaces the kernel where the policy asks for it. */
    bool kernels_first;
    /* Bodies that replace kernels and other bodies, whatever the policy, but not functions of the
     * model. The first that fits an operator serves it. The array ends with an entry whose text is
     * NULL. NULL: none. */
    const oc_function_text *own;
} oc_body_options;

/* What oc_node_event shows of a node's inputs and outputs. */
typedef enum oc_view {
    OC_VIEW_ALL,    /* every value; so that all are stored, no nodes are fused */
    OC_VIEW_STORED, /* nodes are fused; a value that is not stored for that reason has a type and a
                       shape, and oc_value_data of it is NULL */
    OC_VIEW_NONE    /* nothing: in and out are NULL; nodes are fused */
} oc_view;

/* Whom a session tells what it does. */
typedef struct oc_observer {
    /* Called on the thread of oc_run, before and after every node. NULL: never called. */
    void (*on_node)(void *ctx, const oc_node_event *event);
    void *on_node_ctx;
    oc_view view; /* what on_node is shown */
    /* Called with one line about what is worth knowing and not an error, without a newline, while
     * oc_session_new or oc_run runs. NULL: never called. */
    void (*log)(void *ctx, const char *line);
    void *log_ctx;
} oc_observer;

/* Zero-initialised means: every default. What the fields point to belongs to the caller: ops and
 * all contexts must live until the session is freed, texts until oc_session_new returns. */
typedef struct oc_session_options {
    oc_limits limits;       /* of this session, within those of the model */
    oc_body_options bodies; /* what runs by function bodies */
    oc_observer observer;   /* who is told */
    int threads; /* 0: one for each processor that the process may use; 1: only that of oc_run */
    oc_parallel parallel; /* the host's own threads; the library then starts none */
    /* The best instruction set that may be used: "scalar", "avx2", "avx512", "neon" or "native".
     * NULL: the environment variable OCELLUS_CPU, else "native". Results do not depend on it. */
    const char *cpu;
    const oc_op *ops; /* operators of the host's own, looked up before the built-in ones */
    uint64_t seed;    /* of the random operators */
    /* Choices that operators declare, as text: "RoiAlign.max=bilinear" takes the maximum over
     * interpolated samples, not over weighted corners. Several have blanks or commas between; one
     * that no operator declares is an error. NULL: none. */
    const char *op_options;
    /* Without it (all zero) ImageDecoder ends the run with OC_UNSUPPORTED. */
    oc_image_decoder image_decoder;
    /* Compute convolutions of 3 x 3 by their definition, not by Winograd's algorithm: about half
     * the error and up to three times the time. Results have other bits. */
    bool exact_conv;
    bool no_reuse;   /* allocate every buffer anew: for finding faults */
    bool no_fusion;  /* run every node by itself; results are the same bits */
    bool no_nchw16c; /* keep all values row-major, none with 16 channels together; the same bits */
    bool no_folding; /* in every run compute also what depends on weights alone; the same bits */
} oc_session_options;

/* A session needs a plan: every operator resolved, bodies inlined, static shapes checked. Sessions
 * of a model share a plan if they ask for the same bodies, operators, instruction set, fusion,
 * folding and memory cap. The first such session makes the plan, while others that need one wait
 * as their limits allow; another one takes microseconds. options NULL: every default. */
OC_API oc_session *oc_session_new_sized(const oc_model *model, const oc_session_options *options,
                                        size_t options_size, oc_error *e);
static inline oc_session *oc_session_new(const oc_model *model, const oc_session_options *options,
                                         oc_error *e)
{
    return oc_session_new_sized(model, options, sizeof *options, e);
}
OC_API void oc_session_free(oc_session *session); /* NULL is allowed */

/* Gives a graph input its value. The data, aligned for its type, is borrowed until the input is
 * bound again or the session is freed. Bindings stay from run to run. Outputs of the session's last
 * run may be given, but not strings. */
OC_API void oc_bind(oc_session *session, const char *input, oc_type type, int rank,
                    const int64_t *dim, const void *data, oc_error *e);
OC_API void oc_bind_value(oc_session *session, const char *input, const oc_value *value,
                          oc_error *e);
OC_API void oc_bind_value_at(oc_session *session, int input, const oc_value *value, oc_error *e);

/* Has the runs that follow put a graph output into memory of the host: a tensor, and not of
 * strings, into size bytes at data, aligned for its type, in which no input and no other output
 * lies. It is borrowed until the output is bound again, with data NULL for the session's own
 * memory, or the session is freed; oc_fetch gives the output there. Another type than the model
 * declares is refused, as are fewer bytes than the dims take. A run ends with OC_TYPE or OC_SHAPE
 * if the output has another type, or other dims unless rank is -1, where a dim of -1 fits any; and
 * with OC_LIMIT if it takes more than size bytes. So a host that does not know the dims before
 * gives rank -1 and the room it has, and asks oc_fetch_value for the dims after. What the memory
 * holds after an error is undefined. Where no node reads the output and data is aligned to 64
 * bytes, most nodes write there themselves; else the elements are copied once. They are the same
 * bits. */
OC_API void oc_bind_output(oc_session *session, const char *output, oc_type type, int rank,
                           const int64_t *dim, void *data, size_t size, oc_error *e);

/* Runs the graph on what is bound, and ends with an error where an input without default is not. */
OC_API void oc_run(oc_session *session, oc_error *e);

/* A graph output of the last run, never a bound input; borrowed until the next run. */
OC_API const oc_value *oc_fetch_value(const oc_session *session, const char *output, oc_error *e);
OC_API const oc_value *oc_fetch_value_at(const oc_session *session, int output, oc_error *e);
/* The same output's elements; their number in *count, which may be NULL. OC_TYPE: no tensor. */
OC_API const void *oc_fetch(const oc_session *session, const char *output, size_t *count,
                            oc_error *e);

/* What a session has used, and what its plan is. */
typedef struct oc_session_stats {
    size_t live_bytes; /* tensors alive now, outputs of the last run included */
    size_t peak_bytes; /* most alive at one time since the session began */
    size_t own_bytes;  /* all that the session has allocated, tensors included */
    size_t plan_bytes; /* what the plan has allocated, which sessions of the model share */
    int64_t steps;     /* nodes executed by the last run */
    int n_steps;       /* nodes in the plan of the main graph */
    int n_fused;       /* nodes, those of graphs within included, that run as part of another */
    int n_folded;      /* nodes of the main graph computed with the plan, from weights alone */
    const char *cpu;   /* the best instruction set in use: "scalar", "avx2", "avx512", "neon" */
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

#ifdef __cplusplus
}
#endif
#endif
