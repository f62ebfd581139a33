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

/* The pointers are borrowed. */
typedef struct value_files {
    const inputs *inputs;
    const outputs *outputs;
    const results *results;
    int format; /* a result_format */
    bool quiet; /* true: no remark on how the first file became a value */
} value_files;

/* How many results each file gives. */
int value_files_count(const outputs *o, int format);
/* A result that is not a picture fails its file; a folder that accepts no file, and an output
 * without a part for each file, end the job. */
job_way value_files_way(value_files *v);
