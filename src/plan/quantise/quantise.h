/* SPDX-License-Identifier: Apache-2.0
 * quantise.h - what the files of the pass share that has 8-bit networks compute on their codes. */
#pragma once

#include "plan/ahead.h"
#include "plan/passes.h"

/* What a value is of codes: value = values[code]. */
typedef struct oc_code_function {
    oc_name name; /* of the codes; NULL: the value is no such function */
    int codes;    /* their slot */
    oc_type type, value_type;
    const void *values;        /* 256, in the order of the codes' bits */
    const oc_step *dequantise; /* the step, if that is all */
    int rank;        /* the value has at least as many axes, by those of size 1 in front */
    bool not_scalar; /* codes without an axis are an error */
    bool largest;    /* the codes are the greatest of others */
} oc_code_function;

/* Codes that a step would move, if it had those of its numbers. */
typedef struct oc_moved {
    const oc_step *step; /* NULL: the slot has no such codes */
    int out;
    oc_name name; /* that they have in the model; NULL: none */
    uint8_t fill; /* the code for oc_moves.fill */
} oc_moved;

/* What the pass knows of a graph. Slots are the graph's, and those that the pass adds. */
typedef struct oc_quantiser {
    oc_planner *p;
    oc_graph_plan *g;
    oc_arena scratch;
    oc_names names; /* of values that the pass adds, in the plan's memory */
    int most;       /* slots there may be */
    oc_code_function *function;
    oc_moved *moved;
    int n_inserted;
    bool *needed; /* codes that a step reads or that stand for others */
    int *same;    /* the slot whose codes are those of this one; itself: there is none */
} oc_quantiser;

/* Codes of 8 or 32 bits, and what they mean: (code - zero) * scale. */
typedef struct oc_scaled {
    const oc_step *step; /* DequantizeLinear or QuantizeLinear */
    oc_type type;        /* of the codes */
    int axis;            /* has a scale for each index, maybe negative; without meaning if n is 1 */
    int64_t n;           /* scales */
    const float *scale;  /* all above 0 and finite */
    const void *zero;    /* as many codes; NULL: all 0 */
} oc_scaled;

/* ---- values.c: what is known of values before a run ---- */

/* Output 0 of a step that has the given inputs, and others that are known where they are NULL; to
 * be unreferenced. *done: false, it has none. */
oc_status oc_quantise_try(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                          oc_value *y, bool *done);
/* The dims of that output. */
oc_status oc_quantise_try_dims(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                               oc_dims *dims, bool *done);
/* How does the step, if it is one that quantises or dequantises, in float? */
bool oc_quantise_scaled(oc_quantiser *t, const oc_step *s, oc_code_role role, oc_scaled *codes);
/* The type of a value of the graph; OC_UNDEFINED: not known, or no tensor. */
oc_type oc_quantise_type(const oc_quantiser *t, oc_name name);
/* The dims of a value that is a constant, or computed of few, or its codes. */
bool oc_quantise_dims(oc_quantiser *t, int place, oc_dims *dims);
/* The code that stands for 0 of scale number i. */
int oc_quantise_zero(const oc_scaled *codes, int64_t i);
/* Is there one scale for all elements? */
static inline bool oc_quantise_is_single(const oc_scaled *codes)
{
    return codes->n == 1;
}

/* ---- products.c ---- */

/* If the step quantises what a product of dequantised values gives, it becomes the product of the
 * codes. */
oc_status oc_quantise_product(oc_quantiser *t, oc_step *s);
/* As above, for operators that give the same bits on codes, whose operands' functions are noted. */
oc_status oc_quantise_exact(oc_quantiser *t, oc_step *s);

/* ---- tables.c ---- */

/* Notes what the outputs of a step are of codes. If it quantises a function of codes, it becomes a
 * lookup, or other codes stand for its output. */
oc_status oc_quantise_tables(oc_quantiser *t, oc_step *s);

/* ---- moves.c ---- */

/* What an operand of a step that moves becomes where the step moves codes. */
typedef enum oc_move_role {
    OC_MOVE_AS_IT_IS, /* it is no number that the codes stand for, as axes and indices */
    OC_MOVE_CODES,    /* the codes of its numbers */
    OC_MOVE_FILL,     /* the code of its one number */
    OC_MOVE_NOTHING   /* it has the type of what is moved, and is not read: it is left out */
} oc_move_role;
oc_move_role oc_quantise_move_role(const oc_step *s, const oc_moves *m, int i);

/* Puts the steps in that move codes which others need, and has all read the codes that stand for
 * others. */
oc_status oc_quantise_move(oc_quantiser *t);

/* ---- quantise_steps.c: steps in the place of others ---- */

/* Step s becomes the version with the inputs of the node, for the outputs of s; it has the name and
 * the attributes of the step `from`. Its codes have these limits; NULL: those of their type. */
oc_status oc_quantise_replace(oc_quantiser *t, oc_step *s, const oc_step *from,
                              const oc_op *version, const oc_node *node, const int limits[2]);
/* A name for a value that the pass adds; NULL: memory runs out. */
oc_name oc_quantise_name(oc_quantiser *t, const char *text, const char *what);
/* Puts a step in before the step `next`, with the node's inputs, and an output of this type
 * that is named after text. */
oc_status oc_quantise_insert(oc_quantiser *t, oc_step *next, const oc_op *version,
                             const oc_node *node, oc_type type, const char *text, oc_name *name);
/* A new slot for a tensor. */
oc_status oc_quantise_slot(oc_quantiser *t, oc_name name, oc_type type, int *place);
/* A new constant, which borrows v's elements; it is named after text and `what`. */
oc_status oc_quantise_constant(oc_quantiser *t, const char *text, const char *what,
                               const oc_value *v, oc_name *name);
/* The constant 0 for codes without a zero point. */
oc_status oc_quantise_no_zero(oc_quantiser *t, const oc_scaled *codes, oc_name *name);
/* Takes out the steps that nobody reads any more; before: the readers of each slot at first. */
void oc_quantise_drop(oc_quantiser *t, const int *before);
