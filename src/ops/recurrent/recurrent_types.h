/* SPDX-License-Identifier: Apache-2.0
 * recurrent_types.h - what LSTM, GRU and RNN are made of.
 *
 * Numbers are of type oc_recurrent.real: double for double, else float. States stay in that type
 * from step to step; each output is rounded once. */
#pragma once

#include "kernels/elementwise/curves.h"
#include "kernels/elementwise/elementary.h"
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
    oc_curve curve;       /* of tanh or the logistic function, for float */
    oc_elementary_fn *fn; /* of the function itself, or of what it is made of */
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
