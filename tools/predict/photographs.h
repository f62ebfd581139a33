/* SPDX-License-Identifier: Apache-2.0
 * photographs.h - the way of `ocellus predict`: files are photographs, and results are answers,
 * photographs with answers drawn into them, and objects cut out of them. */
#pragma once

#include "files/frames.h"
#include "map/job.h"
#include "map/results.h"
#include "predict/record_photograph.h"
#include "predict/turns.h"

/* Who gets the answer of each photograph. Called on several threads, once for each file. */
typedef struct photograph_reader {
    void *ctx;
    /* answer NULL: the file could not be read, or its run failed */
    void (*take)(void *ctx, const job_file *f, const answer *a, oc_error *e);
} photograph_reader;

/* The pointers are borrowed. */
typedef struct photographs {
    const predictor *predictor;
    const tensor_options *options; /* how a photograph becomes a tensor */
    const results *drawn;          /* where photographs with their answers go; NULL: nowhere */
    const char *file;              /* that of the only photograph; NULL: of the names of drawn */
    const results *crops;          /* where objects go that are cut out; NULL: nowhere */
    /* A stream of photographs in place of files; NULL: there is none. Its drawn photographs go to
     * `out` in the order of the stream; NULL: nowhere. */
    frames *frames;
    io_file *out;
    turns *turns;
    int second;    /* the model's input that takes the photograph beside each: the next frame of a
                      stream, or the partner of a file; -1: there is none */
    io_bytes last; /* the last frame of the stream that was fetched, for networks that take two */
    photograph_record *record; /* of the only photograph; NULL: it is not asked for */
    photograph_reader reader;
} photographs;

job_way photographs_way(photographs *p);
void photographs_free(photographs *p);
