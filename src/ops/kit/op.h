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

/* ---- traits: what else the kit and the plan know of a version of a built-in operator. They are
 * oc_op.context; versions of the host have none. */

/* Tells how output 0 is computed element by element (stages.h), but computes nothing. */
typedef struct oc_stage oc_stage;
typedef struct oc_stage_plan oc_stage_plan;
typedef oc_status oc_stage_fn(oc_call *c, oc_stage *s);

/* The layouts of operands (layout.h); bit i stands for input i. All 0: the operator takes and gives
 * NCHW alone. */
typedef struct oc_layouts {
    uint64_t blocked; /* inputs that must be in NCHW16c when the operator runs in NCHW16c */
    uint64_t either;  /* inputs that may then be in either layout */
    bool out;         /* then output 0 is in NCHW16c */
#ifndef OC_WITHOUT_NCHW16C
    bool faster; /* NCHW16c is faster even if operands must be converted: src/ops/meson.build lists
                  * the operators that set it, and builds without them do not have it */
#endif
    bool only; /* the operator does not run in NCHW */
} oc_layouts;
/* Fills *l, which is all 0. It reads types, dims and attributes, and the elements that the shape
 * rule may read. It takes no scratch memory and tells no error, because no call may follow. */
typedef void oc_layouts_fn(oc_call *c, oc_layouts *l);

/* What an operator does with numbers that are stored as 8-bit codes (plan/quantise/quantise.c). */
typedef enum oc_code_role {
    OC_CODES_NONE,
    OC_QUANTISES,   /* makes codes of input 0; inputs 1 and 2 are scales and zero points */
    OC_DEQUANTISES, /* makes the numbers for which codes stand; inputs are as above */
    OC_CLAMPS,      /* limits input 0, without changing the order of numbers */
    OC_MAKES_CODES  /* makes codes of codes, element by element; other inputs have one element */
} oc_code_role;

/* The elements that a version moves unchanged from inputs to outputs: it can move codes as well. */
typedef struct oc_moves {
    uint64_t inputs; /* bit i: it moves the elements of input i */
    int fill;        /* the input with the number (if missing: 0) for places to which nothing moves;
                      * fill 0: there are no such places */
    bool largest;    /* it takes the greatest of some elements; of none, the least number of the
                      * type */
} oc_moves;
/* Fills *m, which is all 0. It reads attributes and the numbers of inputs and outputs. */
typedef void oc_moves_fn(const oc_call *c, oc_moves *m);

/* The operator that computes on codes what this one computes on numbers. */
typedef struct oc_on_codes {
    const char *domain, *name;
    /* Its inputs, two letters each. The first is the number of an input of this operator, or "y"
     * for the output; the second is "x" for its codes, "s" for their scale, "z" for their zero
     * point. "2b" is input 2 as int32, in units of the product of the scales of inputs 0 and 1. */
    const char *ports;
    bool exact; /* its results are the codes of the results on numbers, to the bit */
    /* Finds the axis of input 1 that may have a scale for each index; false: these attributes allow
     * no codes */
    bool (*columns)(const oc_call *c, int *axis);
    const oc_op *version; /* used instead of a name: a version that no model can name */
} oc_on_codes;

typedef struct oc_traits {
    oc_stage_fn *stage;     /* NULL: the operator is not elementwise */
    oc_layouts_fn *layouts; /* NULL: NCHW alone or, with a stage, oc_elementwise_layouts */
    oc_code_role codes;
    bool takes_zeros; /* its attribute pads puts zeros around input 0, which has the rank of input
                       * 1 */
    bool gives_dims;  /* the elements of output 0 are dims of input 0 */
    /* For operators that quantise or dequantise: finds the axis of a vector of scales. It returns
     * false if the attributes ask for more than a float divided or multiplied by one scale. */
    bool (*code_axis)(const oc_call *c, int *axis);
    const oc_on_codes *on_codes; /* NULL: it has no operator on codes */
    oc_moves_fn *moves;          /* NULL: it does not only move numbers */
    /* Two questions; the function is NULL if the answers are always no. With pads NULL, after the
     * shape rule: does output 0, the only one that is asked for, equal input 0? Then the two share
     * memory and the version does not run. With pads: does the version only put zeros around input
     * 0? Then pads becomes their number, first before each axis, then after; the function reads the
     * rank of input 0 and known elements of other inputs. */
    bool (*adds)(oc_call *c, int64_t *pads);
    /* What the version tells before a run, of attributes and of the dims of inputs whose rank is
     * not -1; dims that are not known are -1. Without a shape rule: it sets, by oc_outline, what is
     * known of the outputs; lists have the dims of each of their items. With a shape rule: it
     * fails if ranks and channels fit for no dims. NULL: it tells nothing. */
    oc_op_fn *outline;
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
/* Returns an operand that cannot be missing, never NULL. Without NDEBUG, asking for an operand that
 * may be missing is an error of the node, even if it is there. */
const oc_value *oc_in(const oc_call *c, int i);
oc_value *oc_out(const oc_call *c, int i);
/* Returns any operand; NULL: it is missing, or i is past the last. */
const oc_value *oc_in_or_null(const oc_call *c, int i);
oc_value *oc_out_or_null(const oc_call *c, int i);
bool oc_wants(const oc_call *c, int i); /* is there an output i? */

/* Has no effect if output i is missing. */
oc_status oc_set_out(oc_call *c, int i, oc_type type, const oc_dims *dims);
/* As oc_set_out, for outlines: a size that only a run tells is -1. */
oc_status oc_outline(oc_call *c, int i, oc_type type, const oc_dims *dims);
/* An outline's output 0 has the dims that the first n inputs, which may be lists, share. */
oc_status oc_outline_shared(oc_call *c, int n);
/* The outline where that is input 0. */
oc_op_fn oc_outline_first;
oc_status oc_alloc_out(oc_call *c, int i);
/* Output i becomes *v, and takes over the reference that v holds. */
void oc_give_out(oc_call *c, int i, oc_value *v);
oc_op_fn oc_alias;
/* A shape rule: output 0 has the type and dims of input 0. */
oc_op_fn oc_same_shape;
/* An oc_moves_fn of versions that only move input 0, or all inputs. */
oc_moves_fn oc_moves_first, oc_moves_all;
/* A shape rule: output 0 has the dims to which all inputs broadcast. */
oc_status oc_broadcast_shape(oc_call *c, oc_type type);

/* Writes "node 'name' (Op-13): " and the message; returns the code. */
oc_status oc_fail(oc_call *c, oc_status code, const char *format, ...) OC_PRINTF(3, 4);

/* Writes "node 'name' (Op-13): " and the message to the host's log, at most once in a session for
 * each node. A remark is worth knowing but no error. */
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
/* Returns the whole attribute, for other kinds; NULL if it is missing. */
const oc_attr *oc_attr_get(const oc_call *c, const char *name);
/* Returns the kind and element type (of a sequence: of its items) that a type attribute names,
 * without dims. The type is OC_UNDEFINED if the attribute is missing, or names neither a tensor nor
 * a sequence of tensors. */
oc_value oc_attr_type(const oc_call *c, const char *name);
/* Reads an axis attribute, made >= 0. An axis outside [-rank, rank) is an error that names the
 * attribute. */
oc_status oc_attr_axis(oc_call *c, const char *name, int rank, int *axis);
/* Finds the string attribute in names, which NULL ends. A string that is not there is an error that
 * lists the names. */
oc_status oc_attr_enum(oc_call *c, const char *name, const char *const names[], int *index);
/* As oc_attr_enum, for an attribute that other engines read without regard to case. */
oc_status oc_attr_enum_any_case(oc_call *c, const char *name, const char *const names[],
                                int *index);
/* Are two strings equal, without regard to the case of ASCII letters? */
bool oc_same_letters(oc_string s, const char *text);

/* ---- small tensors as numbers */

/* Reads int32 or int64 input i, of rank 0 or 1, as int64 elements that are valid until the call
 * returns. */
oc_status oc_in_ints(oc_call *c, int i, oc_ints *list);
/* Reads the one element of input i. */
oc_status oc_in_int(oc_call *c, int i, int64_t *value);
/* Reads input i, a zero point of 8 bits; 0 if it is missing. */
float oc_in_zero(const oc_call *c, int i);
/* Reads the elements of input i as dims: at most OC_MAX_RANK, none negative. */
oc_status oc_in_dims(oc_call *c, int i, oc_dims *dims);
/* Reads int32 or int64 input i, of any rank, as indices into size things: they are checked to be in
 * [-size, size), made >= 0, and valid until the call returns. */
oc_status oc_in_indices(oc_call *c, int i, int64_t size, const int64_t **index);
/* Writes the error for element number `at` of input i, an index into size things: "input 1 has 7 at
 * [2,0], expected a value in [-3, 2]", followed by why, which may be empty. */
oc_status oc_fail_index(oc_call *c, int i, int64_t at, int64_t index, int64_t size,
                        const char *why);
/* Reads the one element of a bool tensor, which errors call `what`. */
oc_status oc_one_bool(oc_call *c, const oc_value *v, const char *what, bool *value);
/* Checks a list of axes: each within rank, none twice. set[axis] becomes true for those in the
 * list, which errors call `where`. */
oc_status oc_axes(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK]);
/* As oc_axes, but an axis that is named twice, which other engines allow, is only a remark. */
oc_status oc_axes_set(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK]);

/* ---- prepared with the plan
 *
 * A version may have a function `prepare` (oc_op in ocellus_op.h). It is called once, when a plan
 * is made and all inputs that the signature marks with "=" are constants, and sees the elements of
 * these inputs alone. It takes memory from oc_call_keep; shape and run find that memory by
 * oc_call_prepared, in all sessions of the plan. */

/* As oc_call_keep, but the memory has any content. */
void *oc_keep_room(oc_call *c, uint64_t size);
/* For run: memory of the session for this node, always of one size. It is zeroed whenever types or
 * dims of the inputs differ from those of the run before. NULL: there is none, as when the plan
 * knew the dims. */
void *oc_call_memo(oc_call *c, size_t size);
/* For prepare: gives it the memory of input i, which must have this number of bytes, for what it
 * keeps; run then reads no elements of inputs (oc_call_consume). NULL: others read the elements, or
 * they are not the plan's. */
void *oc_keep_over(oc_call *c, int i, uint64_t size);
/* For prepare: says that run will read no elements of inputs marked "=", whatever the other inputs
 * are. It may read their dims. */
void oc_call_consume(oc_call *c);

/* ---- checks of the dims of an input. A missing input passes. The error for dims that do not fit
 * is OC_SHAPE and begins "input 2 'B' is [2,4], ". */

/* Expects the dims *want, in which -1 fits any size: "expected [2,?]". why ends the message, as in
 * " as input 0" or ", one for each channel"; it may be NULL. */
oc_status oc_expect_dims(oc_call *c, int i, const oc_dims *want, const char *why);
/* Expects a rank: "expected rank 2 to 4". most is OC_MAX_RANK if there is no upper bound. */
oc_status oc_expect_rank(oc_call *c, int i, int least, int most);
/* Expects dims that broadcast to *to without changing it: "which does not repeat to [2,3]". */
oc_status oc_expect_repeats(oc_call *c, int i, const oc_dims *to);
/* Expects one element, whatever the rank. */
oc_status oc_expect_one(oc_call *c, int i);
/* Writes the error for other dims that do not fit; the format gives what follows the beginning. */
oc_status oc_fail_dims(oc_call *c, int i, const char *format, ...) OC_PRINTF(3, 4);

/* ---- elements as another type. Numbers are converted by the rules of oc_convert, without
 * saturation, and halves by the kernels of kernels/common/half.h. */

/* Gives input i as elements of `type`: its own elements if it has that type, else copies that live
 * until the call returns. *data is NULL if the input is missing. */
oc_status oc_in_as(oc_call *c, int i, oc_type type, const void **data);
/* As oc_in_as, for any n elements. */
oc_status oc_as_type(oc_call *c, oc_type type, const void *from, oc_type from_type, int64_t n,
                     const void **data);
/* Gives memory for the n elements of output i as elements of `type`: the output's own if it has
 * that type, else scratch memory, also for an output that nobody reads. */
oc_status oc_out_as(oc_call *c, int i, oc_type type, int64_t n, void **data);
/* Converts the elements in that memory to output i, each once. It has no effect if the memory is
 * the output's own. */
void oc_out_from(oc_call *c, int i, oc_type type, const void *data);
/* Converts elements on this thread; it ends early when the watch ends. */
void oc_call_convert(oc_call *c, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n);
/* Converts elements within a task, which the watch may end early. */
void oc_work_convert(const oc_work *w, unsigned cpu, void *to, oc_type to_type, const void *from,
                     oc_type from_type, int64_t n);
/* Converts elements in a task that works on pieces. */
void oc_convert_fast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n);

/* ---- services */

/* Gives the pointer memory for count (0 or more) of what it points to, aligned to 64 bytes, until
 * the call returns, and returns a status. A size that does not fit in memory is an error. */
#define OC_SCRATCH(c, pointer, count) OC_SCRATCH_OF(c, pointer, count, sizeof *(pointer))
/* Does so for a void pointer: count things of size bytes each. */
#define OC_SCRATCH_OF(c, pointer, count, size)                                                     \
    (((pointer) = oc_scratch_memory(c, (uint64_t)(count), size)) ? OC_OK : oc_call_error(c)->code)
/* Both macros call this function, which returns NULL after writing the error. Counts and sizes have
 * 64 bits on every machine, so that none is cut off before it is checked. */
void *oc_scratch_memory(oc_call *c, uint64_t count, uint64_t size);
/* Returns an interned copy for a string element, valid for this run; NULL after writing the
 * error. */
const char *oc_keep_string(oc_call *c, const char *bytes, size_t size);
oc_pool *oc_call_pool(const oc_call *c);
oc_error *oc_call_error(const oc_call *c);
/* Returns the oc_work for units that cost `cost` products (base/threads.h) in all: for kernels,
 * oc_map and loops. Once the watch has ended, it runs no more units, and the call fails by itself
 * when the operator returns. */
oc_work oc_call_work(const oc_call *c, double cost);
/* Returns an oc_work with all threads, for kernels that decide themselves how many are worth it. */
oc_work oc_call_all(const oc_call *c);
/* Runs n units by oc_call_work; returns OC_OK, or why not all of them ran. */
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
/* oc_map and oc_map_wide (tensor/map.h) by oc_call_work. */
void oc_call_map(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                 const void *ctx);
void oc_call_map_wide(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                      const void *ctx, const oc_wide *wide);
/* oc_copy_rows, oc_move and oc_fill on as many threads as they are worth; they end early when the
 * watch ends. */
void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows);
void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem);
void oc_call_fill(oc_call *c, void *dst, int64_t count, const void *one, size_t elem);
/* oc_move within a task, which the watch may end early. */
void oc_work_move(const oc_work *w, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem);
/* As memcpy, as memset to 0, and n - 1 copies of the first size > 0 bytes of a block behind these
 * bytes. */
void oc_call_copy(oc_call *c, void *dst, const void *src, size_t size);
void oc_call_zero(oc_call *c, void *dst, size_t size);
void oc_call_repeat(oc_call *c, void *block, size_t size, int64_t n);
unsigned oc_call_cpu(const oc_call *c); /* OC_CPU_ bits */
/* Returns the session's options; texts among them are valid in prepare alone. An option that
 * prepare or a shape rule reads is PLAN in session_options.def. */
const oc_session_options *oc_call_options(const oc_call *c);
/* Gives the least and the greatest code of 8 bits that run may give, to which the plan limits it
 * (plan/quantise/quantise.c). */
void oc_call_code_limits(const oc_call *c, oc_type type, float *low, float *high);
/* Has the plan put the call in the place of a product of dequantised numbers? */
bool oc_call_made_of_numbers(const oc_call *c);
/* Returns the key of this node's random numbers (base/counter_random.h). It depends on the
 * attribute `seed`, an int or float, if that is given; else on the session's seed and the node's
 * name. */
uint64_t oc_call_key(const oc_call *c);
int oc_call_since(const oc_call *c);

/* Runs graph attribute `name` on n_in inputs, which it borrows. Its outputs are written to out[0 ..
 * n_out-1], each holding one reference that the caller owns. Counts that differ from the graph's
 * are an error. Steps, deadline and cancel are honoured inside. */
oc_status oc_run_graph(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                       int n_out);
int oc_graph_n_in(const oc_call *c, const char *name);
int oc_graph_n_out(const oc_call *c, const char *name);
/* Returns what the graph declares its input or output i to be, without data. The type OC_UNDEFINED
 * means not declared; rank -1 and negative dims are not known. */
oc_value oc_graph_in(const oc_call *c, const char *name, int i);
oc_value oc_graph_out(const oc_call *c, const char *name, int i);
/* Finds the graph's outputs, without data, for inputs that may have no data, by the shape rules; an
 * output that these do not tell is what oc_graph_out tells. */
oc_status oc_graph_shapes(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                          int n_out);
/* Returns OC_OK, or why the run must end. It is needed only before plain code that relies on the
 * results of loops. Without it, once the watch has ended, no further piece, memory, output or graph
 * of the operator comes, and oc_fail tells the true reason. */
oc_status oc_check_limits(oc_call *c);
