/* SPDX-License-Identifier: Apache-2.0
 * op.h - all that an operator file may see.
 *
 * An operator is a table of versions (oc_op in ocellus_op.h): since version, signature, shape rule,
 * run function. Before either function is called the framework has checked arity, attribute kinds
 * and type constraints against the signature and filled in attribute defaults.
 *
 * The shape rule sets type and dims of every output with oc_set_out. It runs when the plan
 * is made, if every input's dims are known, and again before each run. It may read an input's
 * elements only where the signature marks the input with "!". It may itself make the data of an
 * output, borrowed from the model; that output is then not allocated.
 *
 * The run function finds its outputs allocated, and at least one of them there. Two things differ
 * when the version has no shape rule: all may be missing, and it must itself call oc_set_out and
 * oc_alloc_out (or oc_give_out) for every output. A version whose run is oc_alias has output 0
 * share the elements of input 0 under the dims the rule set. */
#pragma once

#include "base/int.h"
#include "base/size.h"
#include "tensor/attr.h"
#include "tensor/convert.h"
#include "tensor/map.h"
#include "tensor/move.h"

/* ---- what the kit and the plan know of a version of a built-in operator besides (oc_op.context; a
 * host's has none) */

/* Says how output 0 is made element by element (stages.h); computes nothing of it. */
typedef struct oc_stage oc_stage;
typedef oc_status oc_stage_fn(oc_call *c, oc_stage *s);

/* Inputs as bits, 1 << i for input i. All 0: the operator takes and gives NCHW alone (layout.h). */
typedef struct oc_layouts {
    uint64_t blocked; /* must be in NCHW16c when the operator runs so, and no others */
    uint64_t either;  /* but these may lie in either layout then */
    bool out;         /* output 0 is in NCHW16c then */
    bool faster;      /* the operator itself is so much faster then that conversions pay */
    bool only;        /* it does not run in NCHW */
} oc_layouts;
/* *l is all 0 before. Reads types, dims and attributes, and elements where the shape rule may. */
typedef void oc_layouts_fn(oc_call *c, oc_layouts *l);

/* What an operator is to numbers that QuantizeLinear made codes (plan/quantise/quantise.c). */
typedef enum oc_code_role {
    OC_CODES_NONE,
    OC_QUANTISES,   /* output 0: codes of input 0, with scales and zero points as inputs 1 and 2 */
    OC_DEQUANTISES, /* the numbers that codes stand for, with the same inputs */
    OC_CLAMPS,      /* output 0: input 0 limited, the greater of greater numbers */
    OC_MAKES_CODES /* output 0: codes, element by element of codes; other inputs have one element */
} oc_code_role;

/* What a version only moves from its inputs to its outputs, so that it moves codes as well. */
typedef struct oc_moves {
    uint64_t inputs; /* as bits: whose elements it moves */
    int fill;        /* the input with the element that else is there, a number, by default 0; 0:
                        there is none */
    bool largest;    /* it takes the greatest of some elements; where there is none, the least */
} oc_moves;
/* *m is all 0 before. Reads attributes, and how many inputs and outputs there are. */
typedef void oc_moves_fn(const oc_call *c, oc_moves *m);

/* The operator that computes on codes what one computes on the numbers. */
typedef struct oc_on_codes {
    const char *domain, *name;
    /* Its inputs, two letters each: the input of this one or "y", the output; and "x" for codes,
     * "s" for their scale, "z" for their zero point. "2b": input 2 as int32, in units of the
     * product of the scales of 0 and 1. */
    const char *ports;
    bool exact; /* gives the bits that the numbers give */
    /* The axis of input 1 that may have a scale for each index; false: not with these attributes */
    bool (*columns)(const oc_call *c, int *axis);
    const oc_op *version; /* in place of a name: one that no model can name */
} oc_on_codes;

typedef struct oc_traits {
    oc_stage_fn *stage;     /* NULL: the operator is not element by element */
    oc_layouts_fn *layouts; /* NULL: NCHW, or those of every operator with a stage */
    oc_code_role codes;
    bool takes_zeros; /* its attribute pads puts zeros around input 0, whose rank is input 1's */
    /* Of those that quantise or dequantise: the axis of scales that are a vector; false: the
     * attributes ask for more than float divided or multiplied by one scale. */
    bool (*code_axis)(const oc_call *c, int *axis);
    const oc_on_codes *on_codes; /* NULL: it computes on numbers alone */
    oc_moves_fn *moves;          /* NULL: it makes new numbers */
    /* pads NULL, after the shape rule: is output 0, the only one asked for, input 0 as it is? Then
     * it shares its memory, and the version does not run. Else: does the version put zeros alone
     * around input 0? Then pads becomes how many it puts, before each axis and then after; it reads
     * the other inputs as far as they are known, and of input 0 the rank. NULL: neither, ever. */
    bool (*adds)(oc_call *c, int64_t *pads);
} oc_traits;

/* In a version: OC_TRAITS(.stage = relu_stage). */
#define OC_TRAITS(...)                                                                             \
    .context = (void *)&(const oc_traits)                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Defines a shape rule, a run or a prepare function that is one expression of the call c. */
#define OC_CALL_FN(name, expression)                                                               \
    static oc_status name(oc_call *c)                                                              \
    {                                                                                              \
        return expression;                                                                         \
    }

/* ---- inputs and outputs. i counts from 0 as in the signature; variadic ones follow on.
 *
 * An input may be missing if the signature marks it with "?", an output if it marks it with "?" or
 * "...": nobody reads it then, and it has no memory. Any other output has memory, read or not. */

int oc_n_in(const oc_call *c);
int oc_n_out(const oc_call *c);
/* An operand that cannot be missing; not NULL. To ask for another one is an error of the node,
 * whether it is there or not, where NDEBUG is not defined. */
const oc_value *oc_in(const oc_call *c, int i);
oc_value *oc_out(const oc_call *c, int i);
/* Any operand; NULL: it is missing, or past the last. */
const oc_value *oc_in_or_null(const oc_call *c, int i);
oc_value *oc_out_or_null(const oc_call *c, int i);
bool oc_wants(const oc_call *c, int i); /* is output i there? */

/* A missing i: no effect. */
oc_status oc_set_out(oc_call *c, int i, oc_type type, const oc_dims *dims);
oc_status oc_alloc_out(oc_call *c, int i);
/* Output i becomes *v; the reference that v holds passes to it. */
void oc_give_out(oc_call *c, int i, oc_value *v);
oc_op_fn oc_alias;
/* The shape rule of every y = f(x): output 0 has the type and dims of input 0. */
oc_op_fn oc_same_shape;
/* Input 0, or all inputs, are only moved. */
oc_moves_fn oc_moves_first, oc_moves_all;
/* Output 0 has the dims that all inputs broadcast to. */
oc_status oc_broadcast_shape(oc_call *c, oc_type type);

/* Writes "node 'name' (Op-13): " and the message; returns the code. */
oc_status oc_fail(oc_call *c, oc_status code, const char *format, ...) OC_PRINTF(3, 4);

/* Writes "node 'name' (Op-13): " and the message to the host's log, at most once in a session for
 * each node: what is worth knowing and not an error. */
void oc_remark(const oc_call *c, const char *format, ...) OC_PRINTF(2, 3);

/* ---- attributes, by the name in the signature. A missing optional one reads as 0, "" or empty. */

typedef struct oc_ints {
    const int64_t *v;
    int n;
} oc_ints;

bool oc_attr_has(const oc_call *c, const char *name);
int64_t oc_attr_int(const oc_call *c, const char *name);
float oc_attr_float(const oc_call *c, const char *name);
oc_string oc_attr_string(const oc_call *c, const char *name);
bool oc_attr_is(const oc_call *c, const char *name, const char *value); /* string equality */
oc_ints oc_attr_ints(const oc_call *c, const char *name);
/* The whole attribute, for the other kinds; NULL when missing. */
const oc_attr *oc_attr_get(const oc_call *c, const char *name);
/* The kind and element type (of a sequence: of its items) that a type attribute names, without
 * dims. Type OC_UNDEFINED: missing, or the type of neither a tensor nor a sequence of tensors. */
oc_value oc_attr_type(const oc_call *c, const char *name);
/* An axis attribute made >= 0; an error that names the attribute when outside [-rank, rank). */
oc_status oc_attr_axis(oc_call *c, const char *name, int rank, int *axis);
/* The string attribute's index in names (NULL-terminated); an error that lists them when absent. */
oc_status oc_attr_enum(oc_call *c, const char *name, const char *const names[], int *index);
/* As above, for an attribute that other engines read in any case. */
oc_status oc_attr_enum_any_case(oc_call *c, const char *name, const char *const names[],
                                int *index);
/* Equality but for the case of ASCII letters. */
bool oc_same_letters(oc_string s, const char *text);

/* ---- small tensors as numbers */

/* The elements of int32 or int64 input i (rank 0 or 1) as int64, valid until the call returns. */
oc_status oc_in_ints(oc_call *c, int i, oc_ints *list);
/* The one element of input i. */
oc_status oc_in_int(oc_call *c, int i, int64_t *value);
/* The one code of 8 bits in input i, a zero point; 0: it is missing. */
float oc_in_zero(const oc_call *c, int i);
/* The elements of input i as dims: at most OC_MAX_RANK, none negative. */
oc_status oc_in_dims(oc_call *c, int i, oc_dims *dims);
/* The elements of int32 or int64 input i, of any rank, as indices into size things: checked to be
 * in [-size, size), made >= 0, valid until the call returns. */
oc_status oc_in_indices(oc_call *c, int i, int64_t size, const int64_t **index);
/* The error for element number `at` of input i, an index into size things: "input 1 has 7 at [2,0],
 * expected a value in [-3, 2]" and why, which may be empty. */
oc_status oc_fail_index(oc_call *c, int i, int64_t at, int64_t index, int64_t size,
                        const char *why);
/* The one element of a bool tensor; what names it in errors. */
oc_status oc_one_bool(oc_call *c, const oc_value *v, const char *what, bool *value);
/* A list of axes made >= 0, each once, all within rank: set[axis] tells membership. where names the
 * list in errors. */
oc_status oc_axes(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK]);
/* As above, where the axes are a set, so that other engines let a list name one twice: a remark. */
oc_status oc_axes_set(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK]);

/* ---- prepared with the plan
 *
 * A version may have a function `prepare` (oc_op in ocellus_op.h). It is called once, when a plan
 * is made and all inputs that the signature marks with "=" are constants, and sees the elements of
 * these inputs alone. It takes memory from oc_call_keep; shape and run find that memory by
 * oc_call_prepared, in all sessions of the plan. */

/* As oc_call_keep, with any content. */
void *oc_keep_room(oc_call *c, size_t size);
/* For run: memory of the session for this node, zeroed whenever the inputs have not the types and
 * dims of the run before; always of one size. NULL: there is none, as where the plan knew the dims.
 */
void *oc_call_memo(oc_call *c, size_t size);
/* For prepare: the elements of input i, which must have this number of bytes and which what is
 * kept takes the place of; run then reads none (oc_call_consume). NULL: others read them, or
 * they are not the plan's. */
void *oc_keep_over(oc_call *c, int i, size_t size);
/* For prepare: run will read no elements of inputs marked "=", whatever the other inputs are; their
 * dims it may. */
void oc_call_consume(oc_call *c);

/* ---- the dims that an input must have. A missing input passes; for any other misfit the error is
 * of OC_SHAPE and begins "input 2 'B' is [2,4], ". */

/* Dims *want, in which -1 fits any size: "expected [2,?]" and why, which ends the message, such as
 * " as input 0" or ", one for each channel"; NULL: nothing. */
oc_status oc_expect_dims(oc_call *c, int i, const oc_dims *want, const char *why);
/* "expected rank 2 to 4"; most: OC_MAX_RANK where any more will do. */
oc_status oc_expect_rank(oc_call *c, int i, int least, int most);
/* Dims that broadcast to *to without changing it: "which does not repeat to [2,3]". */
oc_status oc_expect_repeats(oc_call *c, int i, const oc_dims *to);
/* "expected one element", whatever the rank. */
oc_status oc_expect_one(oc_call *c, int i);
/* The error for other misfits: the format gives what follows the beginning. */
oc_status oc_fail_dims(oc_call *c, int i, const char *format, ...) OC_PRINTF(3, 4);

/* ---- elements as another type. Numbers are converted by the rules of oc_convert, without
 * saturation, and halves by the kernels of kernels/common/half.h. */

/* Input i as elements of `type`: its own, or copies that live until the call returns where it has
 * another type. *data is NULL when the input is missing. */
oc_status oc_in_as(oc_call *c, int i, oc_type type, const void **data);
/* As above, for any n elements. */
oc_status oc_as_type(oc_call *c, oc_type type, const void *from, oc_type from_type, int64_t n,
                     const void **data);
/* Memory in which the n elements of output i are made as elements of `type`: the output's own where
 * it has that type, else scratch memory; so also for an output that nobody reads. */
oc_status oc_out_as(oc_call *c, int i, oc_type type, int64_t n, void **data);
/* Converts what was made in that memory to output i, each element once; without effect where it is
 * the output's own. */
void oc_out_from(oc_call *c, int i, oc_type type, const void *data);
/* The conversion alone, on this thread; it ends early when the watch ends. */
void oc_call_convert(oc_call *c, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n);
/* As above, within a task, which the watch may end early. */
void oc_work_convert(const oc_work *w, unsigned cpu, void *to, oc_type to_type, const void *from,
                     oc_type from_type, int64_t n);
/* As above, for a task that works on pieces. */
void oc_convert_fast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n);

/* ---- services */

/* A status. On success the pointer has memory for count (0 or more) of what it points to, aligned
 * to 64 bytes, until the call returns. A product that does not fit in memory is an error. */
#define OC_SCRATCH(c, pointer, count) OC_SCRATCH_OF(c, pointer, count, sizeof *(pointer))
/* As above, for a void pointer: count things of size bytes each. */
#define OC_SCRATCH_OF(c, pointer, count, size)                                                     \
    (((pointer) = oc_scratch_memory(c, (size_t)(count), size)) ? OC_OK : oc_call_error(c)->code)
/* What both macros call: NULL after writing the error. */
void *oc_scratch_memory(oc_call *c, size_t count, size_t size);
/* An interned copy for a string element, valid for this run. NULL after writing the error. */
const char *oc_keep_string(oc_call *c, const char *bytes, size_t size);
oc_pool *oc_call_pool(const oc_call *c);
oc_error *oc_call_error(const oc_call *c);
/* What runs units that cost `cost` products (base/threads.h) in all: for kernels, oc_map and
 * loops. Once the watch has ended it does no more, and the call fails by itself when the
 * operator returns. */
oc_work oc_call_work(const oc_call *c, double cost);
/* As above, by all threads, for kernels that find out themselves how many are worth it. */
oc_work oc_call_all(const oc_call *c);
/* Runs n units by it: OC_OK, or why not all were run. */
oc_status oc_call_units(oc_call *c, double cost, int64_t n, oc_work_fn *fn, void *arg);
/* Loops on this thread (base/work.h): over n steps i, over pieces p of n steps, and over steps that
 * differ. */
#define OC_CALL_LOOP(c, i, n, least)                                                               \
    OC_CALL_PIECES (c, i##_piece, n, least)                                                        \
        for (int64_t i = i##_piece.first; i < i##_piece.end; i++)
#define OC_CALL_PIECES(c, p, n, least)                                                             \
    for (oc_pieces p = oc_call_pieces(c, n, least); oc_pieces_more(&(p));)
oc_pieces oc_call_pieces(const oc_call *c, int64_t n, int64_t least);
oc_count oc_call_count(const oc_call *c);
/* oc_map and oc_map_wide (tensor/map.h) by it. */
void oc_call_map(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                 const void *ctx);
void oc_call_map_wide(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                      const void *ctx, const oc_wide *wide);
/* oc_copy_rows, oc_move and oc_fill, by as many threads as they are worth; they end early when the
 * watch ends. */
void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows);
void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem);
void oc_call_fill(oc_call *c, void *dst, int64_t count, const void *one, size_t elem);
/* oc_move within a task, which it may end early. */
void oc_work_move(const oc_work *w, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem);
/* memcpy, memset to 0, and n - 1 copies of the first size > 0 bytes of a block behind them. */
void oc_call_copy(oc_call *c, void *dst, const void *src, size_t size);
void oc_call_zero(oc_call *c, void *dst, size_t size);
void oc_call_repeat(oc_call *c, void *block, size_t size, int64_t n);
unsigned oc_call_cpu(const oc_call *c);    /* OC_CPU_ bits */
bool oc_call_exact_conv(const oc_call *c); /* oc_session_options.exact_conv */
/* The least and the greatest code of a type of 8 bits that run may give: what the plan has it limit
 * on the way (plan/quantise/quantise.c). */
void oc_call_code_limits(const oc_call *c, oc_type type, float *low, float *high);
/* Does the call stand for a product of dequantised numbers, which the plan has it make of codes? */
bool oc_call_made_of_numbers(const oc_call *c);
/* The key of this node's random numbers (base/counter_random.h): of its attribute `seed` alone, an
 * int or float, where it is given; else of the session's seed and the node's name. */
uint64_t oc_call_key(const oc_call *c);
int oc_call_since(const oc_call *c);
const oc_image_decoder *oc_call_image_decoder(const oc_call *c); /* decode NULL: there is none */

/* Runs graph attribute `name` on n_in inputs, which it borrows. Its outputs are written to out[0 ..
 * n_out-1], each holding one reference that the caller owns. Counts that differ from the graph's
 * are an error. Steps, deadline and cancel are honoured inside. */
oc_status oc_run_graph(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                       int n_out);
int oc_graph_n_in(const oc_call *c, const char *name);
int oc_graph_n_out(const oc_call *c, const char *name);
/* What the graph declares its input or output i to be, without data. Type OC_UNDEFINED: not
 * declared; rank -1 and negative dimensions: not known. */
oc_value oc_graph_in(const oc_call *c, const char *name, int i);
oc_value oc_graph_out(const oc_call *c, const char *name, int i);
/* What the graph's outputs would be for such inputs, without data, from a run of the shape rules;
 * where these do not tell it, what oc_graph_out tells. Inputs may have no data. */
oc_status oc_graph_shapes(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                          int n_out);
/* OC_OK, or why the run must end: before plain code that needs all that loops above have made.
 * Without it no further piece, memory, output, graph or error of the operator comes after the
 * watch has ended, and oc_fail tells why. */
oc_status oc_check_limits(oc_call *c);
