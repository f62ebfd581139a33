/* SPDX-License-Identifier: Apache-2.0
 * decoder_run.h - runs a decoder by itself, on what a network gave that run and map ran.
 *
 * The decoder has sessions of its own, so that the network's plan, its outputs and their bits are
 * those of a run without an answer, and each file of a batch has one. */
#pragma once

#include "predict/answer_tables.h"

/* Starts as all zero. */
typedef struct decoder_run {
    predictor predictor;  /* apart */
    const inputs *inputs; /* of the network */
    oc_session_options options;
    answer_tables tables;
} decoder_run;

/* Chooses the decoder for the network of these inputs. path is the network's; input is the name of
 * the one that has the photograph; NULL: the first that can take one. in and args are borrowed, and
 * picture, the options about pictures. Free with decoder_run_free, also after an error. */
void decoder_run_new(decoder_run *r, const inputs *in, const char *path, const char *input,
                     const answer_args *args, const input_args *picture,
                     const session_args *session, oc_error *e);
void decoder_run_free(decoder_run *r);

/* A photograph with which a network ran. */
typedef struct photograph_run {
    int64_t place;                 /* in the tables */
    const char *file;              /* in the tables, and in messages */
    const image_fit *fit;          /* how it lies in the input */
    image *seen;                   /* as it is seen; it is drawn into */
    const char *drawn;             /* the path of what is drawn; NULL: nothing is */
    const oc_value *const *output; /* of all outputs of the network */
} photograph_run;

/* Finds, draws and tells the answer. From any thread. */
void decoder_run_take(decoder_run *r, const photograph_run *of, oc_error *e);
