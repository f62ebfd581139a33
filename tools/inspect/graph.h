/* SPDX-License-Identifier: Apache-2.0
 * graph.h - a model as boxes and the lines between them, for pictures.
 *
 * A part is the main graph or a graph within a node. In each part a box stands for a node, for a
 * value that comes from outside the part, or for an output of the model; weights have none, also
 * where a node Constant has them. A line
 * goes from a box to one with a greater number in the same part. */
#pragma once

#include "inspect/weight_list.h"

typedef enum box_kind { BOX_NODE, BOX_INPUT, BOX_OUTPUT } box_kind;

typedef struct graph_box {
    box_kind kind;
    int part, node;   /* node is the node's number in oc_model_visit; -1: the box is not a node */
    int next;         /* the next box of its part; -1: there is none */
    char *title;      /* the operator, or the name of the value */
    char *note;       /* type and shape of the value, or of the node's first output */
    const char *name; /* name of the node */
    oc_support support;
    /* for an input of a part: the box in an outer part that makes it; -1: there is none */
    int origin;
    int last; /* the box that the last line from this box goes to */
} graph_box;

typedef struct graph_line {
    int from, to;
    const char *name; /* name of the value */
    bool within;      /* true: a graph within the box `to` reads it */
} graph_line;

typedef struct graph_part {
    const char *name; /* the attribute that holds the part; for the main graph its own name */
    int holder;       /* the box of the node that holds the part; -1 for the main graph */
    int first, last;  /* first and last box of the part */
    int depth, n_box;
    text_index maker_of; /* maps values to boxes of this part */
} graph_part;

typedef struct graph {
    const oc_model *model;
    const weight_list *weights;
    graph_box *box;
    graph_line *line;
    graph_part *part; /* the main graph first */
    int n_box, n_line, n_part;
    int *box_of; /* the box of each node; -1: it has weights */
    int n_node;
    int open[256];      /* the current part at each depth */
    text_index outputs; /* outputs of the model */
    char **output_note; /* types of those outputs that nodes make; NULL: unknown */
} graph;

/* Takes in a model and its weights, which are borrowed; then its nodes are added as oc_model_visit
 * tells them. */
graph graph_new(const oc_model *model, const oc_port *inputs, const weight_list *weights);
void graph_add(graph *g, const oc_node_info *node);
/* Adds the outputs of the model, after the last node. */
void graph_end(graph *g);
void graph_free(graph *g);
