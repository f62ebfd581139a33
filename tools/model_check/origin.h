/* SPDX-License-Identifier: Apache-2.0
 * origin.h - the node of two models that gives the first value in which they differ: do its inputs
 * agree, and where is the difference greatest? */
#pragma once

#include "values/compare.h"

#include <ocellus_model.h>

/* An input of the node, or an output of the models. */
typedef struct axis_value {
    char *name;
    bool agrees;
    char text[COMPARE_TEXT]; /* why the values differ; "" when they agree */
    /* "0.5 at [0,1]: 1.5, expected 1"; "" when there is no difference, or when it is unknown, as
     * for strings. */
    char greatest[COMPARE_TEXT];
} axis_value;

typedef struct axis_origin {
    char *node, *op;   /* node of the model; NULL: nothing was examined */
    char *other_op;    /* operator of the other model's node */
    axis_value *input; /* all inputs that the node has in either model */
    int n;
    char greatest[COMPARE_TEXT]; /* for the output, as in axis_value */
} axis_origin;

/* What an on_node callback copies of the main graph's node that gives this output. */
typedef struct axis_capture {
    const char *output;
    char *node, *op; /* NULL: the run had no such node */
    oc_value **in;   /* NULL: the input is missing, or there was no memory for a copy */
    oc_value *out;
    int n_in;
} axis_capture;

void axis_capture_node(void *capture, const oc_node_event *event);
void axis_capture_free(axis_capture *c);

/* Compares the node's inputs one by one, and its output. The names of the inputs are those of
 * the model that got comes from; the values of the other model are expected. OC_CANCELLED after
 * SIGINT. Free with axis_origin_free. */
axis_origin axis_origin_new(const oc_model *model, const axis_capture *got,
                            const axis_capture *expected, const compare_bound *bound, oc_error *e);
void axis_origin_free(axis_origin *o);

/* Writes the greatest difference of two tensors into text as axis_value.greatest has it, and leaves
 * text as it is where there is none. Either may be NULL. OC_CANCELLED after SIGINT. */
void axis_find_greatest(char text[COMPARE_TEXT], const oc_value *got, const oc_value *expected,
                        oc_error *e);
