/* SPDX-License-Identifier: Apache-2.0
 * choose.h - which decoder goes with a network, and how that is known. */
#pragma once

#include "predict/decoders.h"
#include "metadata/metadata.h"

enum { CHOICE_WHY = 400 };

typedef struct choice {
    const decoder *decoder; /* NULL: there is no choice, or more than one */
    int out[DECODER_PARTS]; /* the network's outputs that it takes */
    bool is_inside;         /* true: --save has joined it, and it takes none */
    char why[CHOICE_WHY];   /* "output 'output0' is float[1,84,8400]" */
} choice;

/* Chooses the decoder that --save has joined with the network; else that of the name `as`; NULL:
 * the one that the metadata names and whose shapes fit,
 * else the only one whose shapes fit, or of several the one that takes the most outputs.
 * OC_ARGUMENT when the named one does not fit, or several do: the error lists what there is to
 * choose from; OC_UNSUPPORTED when none fits. */
choice choose_decoder(const outline *o, const metadata *m, const char *as, oc_error *e);

/* The decoder that predict would take for the model of this path; NULL: none, and *told says
 * between which there is a choice, or "". Free *told with free. */
const decoder *choose_for_model(const oc_model *m, const char *path, char **told);
