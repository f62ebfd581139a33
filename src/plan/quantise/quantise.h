/* SPDX-License-Identifier: Apache-2.0
 * quantise.h - shared by the files of the pass that has 8-bit networks compute on codes. */
#pragma once

#include "plan/ahead.h"
#include "plan/passes.h"

/* A value as a function of codes: value = values[code]. */
typedef struct oc_code_function {
    oc_name name; /* name of the codes; NULL: the value is no such function */
    int codes;    /* slot of the codes */
    oc_type type, value_type;
    const void *values;        /* 256 values, in the order of the codes' bits */
    const oc_step *dequantise; /* the DequantizeLinear, if nothing else computes the value */
    int rank;        /* least rank of the value: axes of size 1 may stand before those of the
                      * codes */
    bool not_scalar; /* codes without an axis are an error */
    bool largest;    /* the codes are the greatest of other codes */
} oc_code_function;

/* Codes that a step would give if it moved the codes of its numbers. */
typedef struct oc_moved {
    const oc_step *step; /* NULL: the slot has no such codes */
    int out;
    oc_name name; /* name of the codes in the model; NULL: none */
    uint8_t fill; /* the code for oc_moves.fill */
} oc_moved;

/* What the pass knows of a graph. Arrays have an entry for each slot of the graph, and for those
 * that the pass adds. */
typedef struct oc_quantiser {
    oc_planner *p;
    oc_graph_plan *g;
    oc_arena scratch;
    oc_names names; /* names of values that the pass adds, in the plan's memory */
    int most;       /* most slots that there may be */
    oc_code_function *function;
    oc_moved *moved;
    int n_inserted;
    bool *needed; /* true for codes that a step reads or that stand for others */
    int *same;    /* the slot whose codes equal those of this one, or the slot itself */
} oc_quantiser;

/* Codes of 8 or 32 bits, and what they mean: (code - zero) * scale. */
typedef struct oc_scaled {
    const oc_step *step; /* DequantizeLinear or QuantizeLinear */
    oc_type type;        /* type of the codes */
    int axis;            /* axis with a scale for each index, maybe negative; without meaning if n
                          * is 1 */
    int64_t n;           /* scales */
    const float *scale;  /* the scales, all above 0 and finite */
    const void *zero;    /* n zero points; NULL: all are 0 */
} oc_scaled;

/* ---- values.c: what is known of values before a run ---- */

/* Computes output 0 of a step; inputs that are NULL in `given` are taken if they are known. The
 * caller unreferences the result. *done is false if there is no result. */
oc_status oc_quantise_try(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                          oc_value *y, bool *done);
/* Finds the dims of that output. */
oc_status oc_quantise_try_dims(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                               oc_dims *dims, bool *done);
/* Does the step quantise or dequantise in float? *codes tells how. */
bool oc_quantise_scaled(oc_quantiser *t, const oc_step *s, oc_code_role role, oc_scaled *codes);
/* Returns the type of a value of the graph; OC_UNDEFINED: it is not known, or is no tensor. */
oc_type oc_quantise_type(const oc_quantiser *t, oc_name name);
/* Finds the dims of a value that is a constant or follows from few constants, or of its codes. */
bool oc_quantise_dims(oc_quantiser *t, int place, oc_dims *dims);
/* Returns the code that stands for 0 with scale number i. */
int oc_quantise_zero(const oc_scaled *codes, int64_t i);
/* Is there one scale for all elements? */
static inline bool oc_quantise_is_single(const oc_scaled *codes)
{
    return codes->n == 1;
}

/* ---- products.c ---- */

/* If the step quantises a product of dequantised values, it becomes the product of the codes. */
oc_status oc_quantise_product(oc_quantiser *t, oc_step *s);
/* Does so for operators that give equal bits on codes; the functions of their operands must be
 * noted. */
oc_status oc_quantise_exact(oc_quantiser *t, oc_step *s);

/* ---- tables.c ---- */

/* Notes the outputs of a step as functions of codes. If it quantises a function of codes, it
 * becomes a lookup, or other codes stand for its output. */
oc_status oc_quantise_tables(oc_quantiser *t, oc_step *s);

/* ---- moves.c ---- */

/* What an operand of a step that moves numbers becomes if the step moves codes instead. */
typedef enum oc_move_role {
    OC_MOVE_AS_IT_IS, /* it stays: it is no number for which codes stand, but axes or indices */
    OC_MOVE_CODES,    /* the codes of its numbers */
    OC_MOVE_FILL,     /* the code of its one number */
    OC_MOVE_NOTHING   /* it is left out: it has the type of what is moved, and is not read */
} oc_move_role;
oc_move_role oc_quantise_move_role(const oc_step *s, const oc_moves *m, int i);

/* Puts in the steps that move needed codes, and redirects readers to codes that stand for others.
 */
oc_status oc_quantise_move(oc_quantiser *t);

/* ---- quantise_steps.c: steps in the place of others ---- */

/* Replaces step s by the version with the inputs of the node; outputs stay. Name and attributes are
 * those of the step `from`. Codes have these limits; NULL: those of their type. */
oc_status oc_quantise_replace(oc_quantiser *t, oc_step *s, const oc_step *from,
                              const oc_op *version, const oc_node *node, const int limits[2]);
/* Makes a name for a value that the pass adds; NULL: memory runs out. */
oc_name oc_quantise_name(oc_quantiser *t, const char *text, const char *what);
/* Puts a step in before the step `next`, with the node's inputs, and an output of this type
 * that is named after text. */
oc_status oc_quantise_insert(oc_quantiser *t, oc_step *next, const oc_op *version,
                             const oc_node *node, oc_type type, const char *text, oc_name *name);
/* Adds a slot for a tensor. */
oc_status oc_quantise_slot(oc_quantiser *t, oc_name name, oc_type type, int *place);
/* Adds a constant that borrows v's elements, named after text and `what`. */
oc_status oc_quantise_constant(oc_quantiser *t, const char *text, const char *what,
                               const oc_value *v, oc_name *name);
/* Returns the constant 0 for codes without a zero point. */
oc_status oc_quantise_no_zero(oc_quantiser *t, const oc_scaled *codes, oc_name *name);
/* Takes out the steps that nobody reads any more. before has the number of readers of each slot
 * before the pass. */
void oc_quantise_drop(oc_quantiser *t, const int *before);
