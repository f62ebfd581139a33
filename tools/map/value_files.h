/* SPDX-License-Identifier: Apache-2.0
 * value_files.h - the way of `ocellus map`: files are values, and results are files of values. */
#pragma once

#include "map/job.h"
#include "map/results.h"
#include "session/outputs.h"

typedef enum result_format {
    RESULT_NPZ,
    RESULT_NPY,
    RESULT_PB,
    RESULT_PNG,
    RESULT_JPG
} result_format;
extern const char *const result_format_names[]; /* "npz", "npy" ... */

/* The photograph that a file's value was made of. */
typedef struct value_photograph {
    image_fit fit;
    image seen; /* as it is seen, where value_reader.keeps_seen */
} value_photograph;

/* Who gets the values of all outputs for each file, besides the results. */
typedef struct value_reader {
    void *ctx;
    int input;       /* the model's input, one of those that files give, whose photograph it gets */
    bool keeps_seen; /* true: it draws into the photograph */
    /* Called from several threads, once for each file, which is an error when it is no photograph.
     * value NULL: the file could not be read, its run failed, or its results cannot be written. */
    void (*take)(void *ctx, const file_item *item, value_photograph *photograph,
                 const oc_value *const *value, oc_error *e);
} value_reader;

/* The pointers are borrowed. */
typedef struct value_files {
    const inputs *inputs;
    const outputs *outputs;
    const results *results;
    int format;                 /* a result_format */
    bool quiet;                 /* true: no remark on how the first file became a value */
    const value_reader *reader; /* NULL: nobody */
} value_files;

/* How many results each file gives. */
int value_files_count(const outputs *o, int format);
/* A result that is not a picture fails its file; a folder that accepts no file, and an output
 * without a part for each file, end the job. */
job_way value_files_way(value_files *v);
