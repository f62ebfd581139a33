/* SPDX-License-Identifier: Apache-2.0
 * results.h - the files that a job writes: none replaces another, or one that is read. */
#pragma once

#include "map/list.h"
#include "map/record.h"
#include "session/outputs.h"

typedef enum result_format {
    RESULT_NPZ,
    RESULT_NPY,
    RESULT_PB,
    RESULT_PNG,
    RESULT_JPG
} result_format;
extern const char *const result_format_names[]; /* "npz", "npy" ... */

/* Where results go. The pointers are borrowed. */
typedef struct results {
    const char *folder; /* exists, with the folders below it that names of results contain */
    int format;         /* a result_format */
    const outputs *outputs;
} results;

/* results_count returns how many results each file gives. results_path returns the path of
 * result k, for a file whose results have this name; free it with free. */
int results_count(const results *r);
char *results_path(const results *r, const char *name, int k);

/* OC_ARGUMENT when results of two files would be one file, also of earlier files in the record,
 * or when a result would replace one of the files or of the others. */
void results_check(const results *r, const file_list *files, const record *before,
                   const args_list *others, oc_error *e);

/* Removes incomplete files that a killed job left among the results of these items. */
void results_remove_parts(const results *r, const file_item *const *item, int n, oc_error *e);
