/* SPDX-License-Identifier: Apache-2.0
 * origin.h - the node of two models that gives the first value in which they differ: do its inputs
 * agree, and where is the difference greatest? */
#ifndef TOOLS_MODEL_CHECK_ORIGIN_H
#define TOOLS_MODEL_CHECK_ORIGIN_H

#include "values/compare.h"

#include <ocellus_model.h>

/* An input of the node, or an output of the models. */
typedef struct axis_value {
    char *name;
    bool agrees;
    char text[COMPARE_TEXT];     /* why not; "" where it agrees */
    char greatest[COMPARE_TEXT]; /* "0.5 at [0,1]: 1.5, expected 1"; "": none, or not known, as of
                                    strings */
} axis_value;

typedef struct axis_origin {
    char *node, *op;   /* of the model; NULL: nothing was looked for */
    char *other_op;    /* of the other model */
    axis_value *input; /* those that the node has in either model */
    int n;
    char greatest[COMPARE_TEXT]; /* of the output, as in axis_value */
} axis_origin;

/* What an on_node callback copies of a node of the main graph: the one that gives this output. */
typedef struct axis_capture {
    const char *output;
    char *node, *op; /* NULL: the run had no such node */
    oc_value **in;   /* NULL: missing, or no memory for a copy */
    oc_value *out;
    int n_in;
} axis_capture;

void axis_capture_node(void *capture, const oc_node_event *event);
void axis_capture_free(axis_capture *c);

/* Compares the node's inputs one by one, and its output. The names of the inputs are those of the
 * model that got is of; the other one's values are expected. After SIGINT it is OC_CANCELLED. Free
 * with axis_origin_free. */
axis_origin axis_origin_new(const oc_model *model, const axis_capture *got,
                            const axis_capture *expected, const compare_bound *bound, oc_error *e);
void axis_origin_free(axis_origin *o);

#endif
