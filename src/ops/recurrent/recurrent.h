/* SPDX-License-Identifier: Apache-2.0
 * recurrent.h - what LSTM, GRU and RNN are made of: their inputs and outputs, the activation
 * functions, the weights, and the walk along the steps.
 *
 * Numbers are of type oc_recurrent.real: double for double, else float. States stay in that type
 * from step to step; each output is rounded once. */
#pragma once

#include "kernels/elementwise/curves.h"
#include "ops/kit/op.h"

/* The most functions of one direction, and the most states. */
enum { OC_RECURRENT_FUNCTIONS = 3, OC_RECURRENT_DIRECTIONS = 2 };

/* The inputs and outputs; GRU and RNN have the first ones. */
enum {
    OC_RECURRENT_X,
    OC_RECURRENT_W,
    OC_RECURRENT_R,
    OC_RECURRENT_B,
    OC_RECURRENT_LENS,
    OC_RECURRENT_INITIAL_H,
    OC_RECURRENT_INITIAL_C,
    OC_RECURRENT_P
};
enum { OC_RECURRENT_Y, OC_RECURRENT_Y_H, OC_RECURRENT_Y_C };

/* An activation function. Its row computes in place; the context of the row is this struct. */
typedef struct oc_activation {
    oc_row_fn *row;
    double alpha, beta;
    oc_curve curve;       /* curve of tanh or of the logistic function, for float */
    oc_elementary_fn *fn; /* the function itself, or one from which it is computed */
} oc_activation;

/* A matrix in strips of columns, as products read it: m[k][j] with k < depth, j < columns. */
typedef struct oc_strips {
    const void *data;
    int64_t depth, columns;
} oc_strips;

typedef struct oc_recurrent oc_recurrent;

/* One time step of one direction, for all sequences. Arrays are [batch][..]. */
typedef struct oc_step {
    int direction;
    const oc_strips *r; /* R of the first cell.joint gates, and of the rest; both transposed */
    void *gates;        /* [gates * hidden]: the products with W, with the biases */
    const void *h, *c;  /* [hidden]: the states before; c is LSTM's alone */
    void *next_h, *next_c;
    void *spare;          /* [hidden]: memory for the cell */
    const void *peephole; /* P of this direction; NULL: none */
    const void *bias;     /* the recurrent bias of the gates that are not joint, where the cell
                             adds it itself; else NULL */
} oc_step;

/* What one of the three operators is made of. */
typedef struct oc_cell {
    int gates; /* each has `hidden` rows of W and of R */
    int joint; /* the first gates, whose products with R need nothing but h */
    int functions;
    const char *defaults[OC_RECURRENT_FUNCTIONS];
    bool has_c;
    oc_status (*step)(oc_call *c, const oc_recurrent *r, const oc_step *s);
} oc_cell;

struct oc_recurrent {
    const oc_cell *cell;
    int64_t steps, batch, input, hidden;
    int directions;
    bool reverse;   /* the only direction goes from the last step to the first */
    bool by_batch;  /* layout 1: the batch is the first axis */
    bool late_bias; /* GRU: linear_before_reset */
    bool coupled;   /* LSTM: input_forget */
    oc_type real;
    double clip; /* Inf: none */
    oc_activation function[OC_RECURRENT_DIRECTIONS][OC_RECURRENT_FUNCTIONS];
};

/* The bodies of the operators' functions shape, run and prepare. */
oc_status oc_recurrent_shape(oc_call *c, const oc_cell *cell);
oc_status oc_recurrent_run(oc_call *c, const oc_cell *cell);
oc_status oc_recurrent_prepare(oc_call *c, const oc_cell *cell);

/* ---- activation functions (recurrent_functions.c) ---- */

/* Sets clip, and the functions from attributes activations, activation_alpha, activation_beta.
 * Names of functions are taken in any case; no name at all leaves them to the operator. */
oc_status oc_recurrent_functions(oc_call *c, oc_recurrent *r);
/* Remarks that a name has another case than the standard's. For run functions. */
void oc_recurrent_remark(const oc_call *c);

/* Both work in place on the n numbers at x: attribute clip, if it is given; function i of the
 * direction. */
void oc_recurrent_clip(const oc_recurrent *r, void *x, int64_t n);
void oc_recurrent_activate(const oc_recurrent *r, int direction, int i, void *x, int64_t n);

/* ---- weights in the order in which products read them (recurrent_weights.c) ---- */

typedef struct oc_recurrent_weights {
    oc_strips w, r[2]; /* r as in oc_step */
} oc_recurrent_weights;

/* Makes the weights of all directions: in memory of the plan (keep), or of the call. */
oc_status oc_recurrent_make_weights(oc_call *c, const oc_recurrent *r, bool keep,
                                    const oc_recurrent_weights **weights);
/* Adds to y[i][j] the sum of x[i][k] m[k][j] over k, for i < rows, by threads. */
oc_status oc_strips_multiply(oc_call *c, oc_type type, void *y, int64_t y_step, const void *x,
                             int64_t x_step, int64_t rows, const oc_strips *m);

/* ---- the walk along the steps (recurrent_walk.c) ---- */

/* The inputs, of type real; NULL where one is missing. */
typedef struct oc_recurrent_operands {
    const oc_recurrent_weights *weights; /* one for each direction */
    const int64_t *lens;                 /* NULL: all sequences have all steps */
    const void *x, *biases, *h, *c, *peepholes;
} oc_recurrent_operands;

/* Fills the outputs of one direction. */
oc_status oc_recurrent_walk(oc_call *c, const oc_recurrent *r, const oc_recurrent_operands *o,
                            int direction);

/* Adds to y[b][j] the sum of x[b][k] m[k][j] over k, for each of r->batch rows. Rows of y are
 * y_step elements apart, those of x are dense. */
oc_status oc_recurrent_multiply(oc_call *c, const oc_recurrent *r, void *y, int64_t y_step,
                                const void *x, const oc_strips *m);
/* Calls row(r, s, b) for each sequence b of the batch; threads share them. */
typedef void oc_recurrent_row_fn(const oc_recurrent *r, const oc_step *s, int64_t b);
void oc_recurrent_rows(oc_call *c, const oc_recurrent *r, const oc_step *s,
                       oc_recurrent_row_fn *row);
