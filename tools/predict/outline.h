/* SPDX-License-Identifier: Apache-2.0
 * outline.h - what is known of a network before a run: the input that takes a picture, and names,
 * types and shapes of its outputs. */
#pragma once

#include "common/tool.h"

#include <ocellus_model.h>

typedef struct outline {
    const oc_model *network; /* borrowed */
    oc_model *declared;      /* owns the strings of the ports */
    int picture;             /* the input that takes a picture */
    int second;    /* the other input that takes a picture of that very type and shape, as a
                      network for two frames or two eyes has; -1: none, or several */
    int64_t batch; /* photographs that the network takes at a time, as it declares; else 1 */
    int64_t height, width;                /* of that input; -1: not declared */
    int64_t channels;                     /* of that input; -1: not declared */
    const char *height_name, *width_name; /* where they are symbols; NULL: they are none */
    oc_port *out;
    int n_out;
} outline;

/* Finds the first input that can take a picture (numbers of rank 3 or 4 with 1, 3 or 4 channels, or
 * with channels that are not declared). input names the input instead; NULL: it is found.
 * OC_ARGUMENT when there is none, or the named one takes none. Free with outline_free, also after
 * an error. */
outline outline_of(const oc_model *network, const char *input, oc_error *e);
void outline_free(outline *o);

/* Returns the input of that name; -1 with OC_ARGUMENT when there is none, whose text begins with
 * the option. */
int outline_input(const oc_model *network, const char *name, const char *option, oc_error *e);

/* Is the operator one of the network's? */
bool outline_has_operator(const outline *o, const char *name);

/* The number of cells of grids of these strides over the network's input, n strides; -1 when the
 * input's size is not declared. */
int64_t outline_cells(const outline *o, const int *stride, int n);
