/* SPDX-License-Identifier: Apache-2.0
 * quantise_graph.h - random graphs in which numbers are quantised, dequantised, computed with and
 * moved.
 *
 * There are codes of many types; scales that are scalars, lists of one element, lists for an axis,
 * or known only in a run; zero points that are missing; values of rank 0 to 5 that several nodes or
 * graphs within nodes read; and outputs of the graph in the middle. */
#pragma once

#include "suite.h"
#include "tensor/value.h"

enum {
    GRAPH_TEXT = 12000,
    GRAPH_VALUES = 48,
    GRAPH_ELEMENTS = 2000, /* of a value, at most */
    GRAPH_RANK = 5,
    GRAPH_INPUTS = 3 /* codes, codes and floats; behind them the numbers r0 and f0 */
};

typedef struct graph_text {
    char s[GRAPH_TEXT];
    int n;
} graph_text;

typedef struct graph_value {
    const char *type; /* "float", or that of codes */
    oc_dims dims;     /* as far as the generator follows them */
} graph_value;

typedef struct graph {
    suite_random *r;
    graph_text constants, nodes, all;
    graph_value v[GRAPH_VALUES]; /* named v0, v1, ..; the first ones are the graph's inputs */
    int n, n_constant, opset;
    bool is_chain; /* nodes read the last value of a kind */
} graph;

/* g becomes another graph; all.s is its text. Its outputs are two values; the first is codes. */
void graph_make(graph *g);

/* ---- for the generator's own files */

void graph_add(graph_text *t, const char *format, ...);
int graph_below(graph *g, int limit);
bool graph_one_in(graph *g, int n);
/* These return the number of the value, and of the constant. */
int graph_new_value(graph *g, const char *type, oc_dims dims);
int graph_pick(graph *g, bool floats); /* one that is there, more often one of the last */
int graph_constant(graph *g, const char *type, const char *dims, const char *elements);
int graph_integers(graph *g, int n, const int64_t x[]);
/* Adds a node that moves numbers or codes, or none. */
void graph_move(graph *g);
