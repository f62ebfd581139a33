/* SPDX-License-Identifier: Apache-2.0
 *
 * ocellus.h - run ONNX models: load, values, sessions, options, runs.
 *
 * ocellus_op.h adds operators of the host's own, ocellus_model.h what is inside a model, a plan and
 * a run. docs/embedding.md goes through all three, and tells of fork() and of mapped files.
 *
 * A model is loaded once and never changes; any number of sessions, on any number of threads, may
 * share it without a lock. A session runs one graph at a time and belongs to one thread at a time.
 * The library has no global state, prints nothing and never ends the process.
 *
 * Errors are sticky. Every call that can fail takes an oc_error; without one (NULL), and while its
 * code is not OC_OK, the call does nothing and returns NULL or zero. A program may therefore make
 * many calls and look at the error once. Pass a zero-initialised oc_error to begin. A mistake of
 * the host (NULL, an index out of range, a value without meaning, a call too early) is an error,
 * OC_ARGUMENT where no other code fits; calls without oc_error return NULL, zero or "". Callbacks
 * may make any call, but what they ask of the session at work is refused: only oc_session_describe
 * tells, and oc_session_free ends the run with OC_CANCELLED, then frees it. */
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
/* clang-format off */
#define OC_TYPE_MAP(X) \
    X(F32, 1, "float", 4) X(U8, 2, "uint8", 1) X(I8, 3, "int8", 1) X(U16, 4, "uint16", 2) \
    X(I16, 5, "int16", 2) X(I32, 6, "int32", 4) X(I64, 7, "int64", 8) \
    X(STRING, 8, "string", sizeof(oc_string)) X(BOOL, 9, "bool", 1) X(F16, 10, "float16", 2) \
    X(F64, 11, "double", 8) X(U32, 12, "uint32", 4) X(U64, 13, "uint64", 8) \
    X(C64, 14, "complex64", 8) X(C128, 15, "complex128", 16) X(BF16, 16, "bfloat16", 2) \
    X(F8E4M3FN, 17, "float8e4m3fn", 1) X(F8E4M3FNUZ, 18, "float8e4m3fnuz", 1) \
    X(F8E5M2, 19, "float8e5m2", 1) X(F8E5M2FNUZ, 20, "float8e5m2fnuz", 1) X(U4, 21, "uint4", 1) \
    X(I4, 22, "int4", 1) X(F4E2M1, 23, "float4e2m1", 1) X(F8E8M0, 24, "float8e8m0", 1) \
    X(U2, 25, "uint2", 1) X(I2, 26, "int2", 1) \
    /* in the order of the numbers: OC_N_TYPES follows the last one */
/* clang-format on */

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
 * they are. So that a program works with an older and with a newer library, calls that take or fill
 * these structs are inline and hand their size to NAME_sized, as bindings for other languages do. A
 * field that only the library knows is 0 in options and left out of results; one that only the
 * program knows is 0 in results, and must be 0 in options, else the call ends with OC_ARGUMENT. */

/* ---- hooks ----------------------------------------------------------------------------------- */

enum { OC_MAX_RANK = 16 /* the most axes of a tensor */ };

/* Allocates (old_size == 0), resizes or frees (new_size == 0) memory aligned for any scalar type,
 * on the thread that called the library; NULL: it cannot. All zero: the C library's allocator. */
typedef struct oc_allocator {
    void *(*resize)(void *ctx, void *block, size_t old_size, size_t new_size); /* the call */
    void *ctx;
} oc_allocator;

/* Calls task(arg, i) once for every i in 0..n-1, in any order, on any threads, with 256 KB of
 * stack, and returns when all have returned. Results do not depend on how it does so. */
typedef struct oc_parallel {
    void (*run)(void *ctx, int n, void (*task)(void *arg, int i), void *arg); /* the call */
    void *ctx;
} oc_parallel;

/* Decodes pictures for the operator ImageDecoder. decode makes *height rows of *width pixels, red,
 * green and blue of each, one byte each, which stay valid until release. NULL: it cannot, and the
 * picture is empty; with *height -1 it takes more than cap bytes for the pixels: OC_LIMIT. */
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
    OC_MAP /* two tensors [n], ascending keys, int64 or strings, and values; never an input */
} oc_kind;

/* A new tensor with all bytes zero. alloc may be NULL. Free it with oc_value_free. */
OC_API oc_value *oc_tensor_new(oc_type type, int rank, const int64_t *dim,
                               const oc_allocator *alloc, oc_error *e);
/* Sets element i of a string tensor made by oc_tensor_new to a copy of the size bytes. */
OC_API void oc_tensor_set_string(oc_value *tensor, int64_t i, const char *bytes, size_t size,
                                 oc_error *e);
/* A new sequence of copies of n tensors of that type, else OC_TYPE. Free it with oc_value_free. */
OC_API oc_value *oc_sequence_new(oc_type type, int64_t n, const oc_value *const *item,
                                 const oc_allocator *alloc, oc_error *e);
/* A new optional with a copy of a tensor or sequence of that type; NULL: it is empty. */
OC_API oc_value *oc_optional_new(oc_type type, const oc_value *item, const oc_allocator *alloc,
                                 oc_error *e);
OC_API void oc_value_free(oc_value *value);          /* NULL and borrowed values: nothing */
OC_API oc_kind oc_value_kind(const oc_value *value); /* OC_TENSOR for NULL */
/* Of elements; of a sequence of its items' elements, of a map and a sequence of maps the values. */
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
    /* Bytes at one time, without mapped files. Of a model, its plans and its sessions: 0 is 4 GiB,
     * SIZE_MAX any number. Of a session and its plan: 0 is what the model's cap leaves. */
    size_t memory_cap;
    /* Nodes that oc_run, loops included, and oc_session_new (of constants) may run. 0: no limit. */
    int64_t max_steps;
    /* Seconds that a call may take: by the limits of the model those that load it or make another
     * of it, by those of the session oc_session_new and oc_run. 0: no limit. */
    double deadline;
    /* Called within them, on their thread, at least every 0.1 s; true ends them. NULL: never. */
    bool (*cancel)(void *ctx);
    void *cancel_ctx;
} oc_limits;

typedef struct oc_model oc_model; /* what oc_model_load makes */
/* Zero-initialised means: every default. */
typedef struct oc_model_options {
    oc_allocator alloc; /* of the model, its plans and its sessions */
    oc_limits limits;   /* of the model, and of its sessions together */
    /* Opens external data, by the model's own string: sets *bytes and *size, valid as long as the
     * model; false, and NULL here, refuse, but a model from a path then has the file. */
    bool (*external)(void *ctx, const char *location, const void **bytes, size_t *size);
    void *external_ctx;
    /* The folder of external data of text or memory models, NULL: none; of a path it is its own. */
    const char *external_dir;
    bool no_map; /* read files into memory, which counts against memory_cap, and map none */
    /* Paths, ended by NULL, of files (binary ONNX, ONNX text) whose functions the model gets, in
     * place of its own of that name; like its own they run in place of kernels (oc_body_options).
     * A file without functions, a function that two files have, and one called under another
     * version of its domain than its file imports are OC_MODEL. NULL: none. */
    const char *const *functions;
    /* Take a model whose IR version or opset is newer than the newest that the library knows for
     * one of that version, else OC_UNSUPPORTED. Operators changed meanwhile run as they were. */
    bool newer;
    /* Gives the size bytes, valid as long as the model, of a tensor that a binary model has at that
     * offset of the external data at location; NULL: these are opened. ctx is external_ctx. */
    const void *(*initializer)(void *ctx, const char *name, const char *location, int64_t offset,
                               size_t size);
    bool without_weights; /* initializers whose external data cannot be read are the last inputs */
} oc_model_options;

/* Loads binary ONNX, gzip-compressed ONNX or ONNX text; the content decides. options may be NULL.
 * A path is mapped, and large weights are used in place, in files of external data too: tensors of
 * 64 KB or more that are not int32, int64, bool or string. All else is copied. A mapped file that
 * is overwritten may change results, one that is made shorter raises SIGBUS (docs/embedding.md);
 * no_map rules both out. Memory must stay valid as long as the model (oc_model_free). An error
 * begins with the path, if there is one: "net.onnxtxt: line 3, column 7: found ...". */
OC_API oc_model *oc_model_load_sized(const char *path, const oc_model_options *options,
                                     size_t options_size, oc_error *e);
OC_API oc_model *oc_model_load_memory_sized(const void *bytes, size_t size,
                                            const oc_model_options *options, size_t options_size,
                                            oc_error *e);
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
/* NULL is allowed. The model lives on for sessions and models made of it, as its memory must. */
OC_API void oc_model_free(oc_model *model);

/* What a graph input or output is declared to be. Strings live as long as the model. */
typedef struct oc_port {
    const char *name;                        /* "" past the last */
    oc_kind kind;                            /* a tensor, where nothing is declared */
    oc_type type;                            /* as oc_value_type tells it */
    int rank;                                /* -1: not declared */
    int64_t dim[OC_MAX_RANK];                /* -1: not declared or symbolic */
    const char *dim_name[OC_MAX_RANK];       /* NULL: not symbolic */
    bool has_default;                        /* an input that an initializer gives a value */
    oc_type key_type;                        /* as oc_value_key_type tells it */
    const char *dim_denotation[OC_MAX_RANK]; /* ONNX's, such as "DATA_BATCH"; NULL: not told */
    const char *description; /* the doc_string of an input or output of a model; NULL: none */
} oc_port;
OC_API int oc_model_n_inputs(const oc_model *model);  /* of the main graph */
OC_API int oc_model_n_outputs(const oc_model *model); /* of the main graph */
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

/* ---- sessions -------------------------------------------------------------------------------- */

typedef struct oc_session oc_session; /* what oc_session_new makes */
/* Which function bodies replace native kernels. */
typedef enum oc_body_policy {
    OC_BODY_NATIVE,  /* a kernel where there is one, a body elsewhere */
    OC_BODY_EXPAND,  /* bodies everywhere, with the known defects of the standard repaired */
    OC_BODY_STANDARD /* bodies everywhere, in the standard's own words */
} oc_body_policy;

/* Which calls run by function bodies. All zero: kernels, and bodies of operators without one. */
typedef struct oc_body_options {
    oc_body_policy policy; /* for all operators, or one */
    const char *only;      /* limits the policy to the operator of this name; NULL: all operators */
    /* A call of a function of the model runs by it. true: by a kernel where one has that name, for
     * which the model's function is a body, which replaces it where the policy asks for it. */
    bool kernels_first;
    /* Bodies, ended by one whose text is NULL, that replace kernels and other bodies, whatever the
     * policy, but not functions of the model. The first that fits serves. NULL: none. */
    const struct oc_function_text *own; /* ocellus_op.h */
} oc_body_options;

/* What oc_node_event shows of a node's inputs and outputs. */
typedef enum oc_view {
    OC_VIEW_ALL,    /* every value; so that all are stored, no nodes are fused */
    OC_VIEW_STORED, /* nodes are fused; oc_value_data of a value not stored for that is NULL */
    OC_VIEW_NONE    /* nothing: in and out are NULL; nodes are fused */
} oc_view;

struct oc_node_event; /* in ocellus_model.h */
/* Whom a session tells what it does. */
typedef struct oc_observer {
    /* Called on the thread of oc_run, before and after every node. NULL: never called. */
    void (*on_node)(void *ctx, const struct oc_node_event *event);
    void *on_node_ctx;
    oc_view view; /* what on_node is shown */
    /* Called with a line about what is worth knowing and no error, without its end. NULL: never. */
    void (*log)(void *ctx, const char *line);
    void *log_ctx;
} oc_observer;

/* Zero-initialised means: every default. What the fields point to belongs to the caller: ops and
 * all contexts must live until the session is freed, texts until oc_session_new returns. */
typedef struct oc_session_options {
    oc_limits limits;       /* of this session, within those of the model */
    oc_body_options bodies; /* what runs by function bodies */
    oc_observer observer;   /* who is told */
    int threads; /* 0: one per processor that affinity and CPU quotas allow; 1: that of oc_run */
    oc_parallel parallel; /* the host's own threads; the library then starts none */
    /* The best instruction set to use: "scalar", "v128", "avx2", "avx512", "neon" or "native".
     * NULL: the environment variable OCELLUS_CPU, else "native". Results do not depend on it. */
    const char *cpu;
    const struct oc_op *ops; /* ocellus_op.h: the host's own, looked up before the built-in ones */
    uint64_t seed;           /* of the random operators */
    /* Choices that operators declare, such as "RoiAlign.max=bilinear", with blanks or commas
     * between; one that no operator declares is an error. NULL: none. */
    const char *op_options;
    oc_image_decoder image_decoder; /* all zero: ImageDecoder ends the run with OC_UNSUPPORTED */
    bool exact_conv;  /* no Winograd in 3 x 3 convolutions: half the error, other bits, slower */
    bool no_reuse;    /* allocate every buffer anew: for finding faults */
    bool no_fusion;   /* run every node by itself; results are the same bits */
    bool no_nchw16c;  /* keep all values row-major, not 16 channels together; the same bits */
    bool no_folding;  /* compute in every run also what weights alone decide; the same bits */
    bool exact_quant; /* products of 8 bits in float, as QDQ models write them; other bits, slow */
    int unfused;      /* sums of products without fused multiply-add: 0 exact; 1 fast, other bits */
} oc_session_options;

/* A session needs a plan: operators resolved, bodies inlined, static shapes checked. Sessions of a
 * model that ask for the same options and memory cap share it. The first makes it, while others
 * wait as their limits allow; another takes microseconds. options NULL: every default. */
OC_API oc_session *oc_session_new_sized(const oc_model *model, const oc_session_options *options,
                                        size_t options_size, oc_error *e);
static inline oc_session *oc_session_new(const oc_model *model, const oc_session_options *options,
                                         oc_error *e)
{
    return oc_session_new_sized(model, options, sizeof *options, e);
}
OC_API void oc_session_free(oc_session *session); /* NULL is allowed */

/* Gives a graph input a value for all runs. The data, aligned for its type, is borrowed until the
 * input is bound again or the session freed. Outputs of the last run may be given, not strings. */
OC_API void oc_bind(oc_session *session, const char *input, oc_type type, int rank,
                    const int64_t *dim, const void *data, oc_error *e);
OC_API void oc_bind_value(oc_session *session, const char *input, const oc_value *value,
                          oc_error *e);
OC_API void oc_bind_value_at(oc_session *session, int input, const oc_value *value, oc_error *e);

/* Has the runs that follow put a graph output into memory of the host: a tensor, and not of
 * strings, into size bytes at data, aligned for its type, where no input and no other output lies.
 * It is borrowed until the output is bound again, with data NULL for the session's own memory, or
 * the session is freed; oc_fetch gives the output there. Another type than the model declares is
 * refused, as are fewer bytes than the dims take. A run ends with OC_TYPE or OC_SHAPE if the output
 * has another type, or other dims unless rank is -1 (oc_fetch_value tells them then), where a dim
 * of -1 fits any; and with OC_LIMIT if it takes more than size bytes. After an error the memory
 * holds anything. Most nodes write there if data is aligned to 64 bytes and no node reads it. */
OC_API void oc_bind_output(oc_session *session, const char *output, oc_type type, int rank,
                           const int64_t *dim, void *data, size_t size, oc_error *e);

/* Runs the graph on what is bound, and ends with an error where an input without default is not. */
OC_API void oc_run(oc_session *session, oc_error *e);

/* A graph output of the last run, never a bound input; borrowed until the next run. */
OC_API const oc_value *oc_fetch_value(const oc_session *session, const char *output, oc_error *e);
OC_API const oc_value *oc_fetch_value_at(const oc_session *session, int output, oc_error *e);
/* The elements of that output; their number in *count, which may be NULL. OC_TYPE: no tensor. */
OC_API const void *oc_fetch(const oc_session *session, const char *output, size_t *count,
                            oc_error *e);

#ifdef __cplusplus
}
#endif
#endif
