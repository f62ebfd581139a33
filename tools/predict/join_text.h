/* SPDX-License-Identifier: Apache-2.0
 * join_text.h - the text of a model that is one call of a decoder, to be joined behind a network.
 */
#pragma once

#include "predict/choose.h"
#include "predict/signature.h"

/* A value for an attribute of decoders; a decoder that does not have the attribute leaves it. */
typedef struct join_attribute {
    const char *name; /* NULL: the row behind the last */
    bool is_int;
    double value;
} join_attribute;

/* The inputs that a decoder takes besides outputs of the network. */
typedef enum join_input { JOIN_SIZE, JOIN_PHOTO, JOIN_FIT, JOIN_INPUTS } join_input;
extern const char *const join_input_names[]; /* "size", "photo", "fit" */

/* Has the decoder's model this input? A size of the network's input that is declared is a constant
 * instead. */
bool join_takes(const outline *o, const signature *s, join_input input);
/* The input of a model that has its decoder inside; -1: it has none. */
int join_find(const oc_model *model, join_input input);
/* Returns the text of a model whose inputs are in0, in1 ... for the outputs that the choice takes,
 * and those of "size", "photo" and "fit" that the decoder has; its outputs are the decoder's. Where
 * the network takes B photographs at a time, "photo" and "fit" have a row for each of them, and the
 * outputs are those of B decoders: boxes_0, scores_0 ... boxes_1. properties stand in its header,
 * as in "metadata_props: [...]"; NULL: none. Free with free. */
char *join_text(const choice *c, const outline *o, const signature *s,
                const join_attribute *attribute, const char *properties);
