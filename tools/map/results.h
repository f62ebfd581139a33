/* SPDX-License-Identifier: Apache-2.0
 * results.h - the files that a job writes: none takes the place of another, or of one that is read.
 */
#ifndef TOOLS_MAP_RESULTS_H
#define TOOLS_MAP_RESULTS_H

#include "common/args.h"
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
    const char *folder; /* it exists, and so do those below it that names of results have */
    int format;         /* a result_format */
    const outputs *outputs;
} results;

/* Each file gives so many results; the path of the one with number k, for a file whose results have
 * this name. Free it with free. */
int results_count(const results *r);
char *results_path(const results *r, const char *name, int k);

/* OC_ARGUMENT where the results of two files would be one file, those of earlier ones included that
 * the record names, or where a result would take the place of one of the files or of the others. */
void results_check(const results *r, const file_list *files, const record *before,
                   const args_list *others, oc_error *e);

/* Removes what a job that was killed left of the results of these items: files that were not
 * complete. */
void results_remove_parts(const results *r, const file_item *const *item, int n, oc_error *e);

#endif
