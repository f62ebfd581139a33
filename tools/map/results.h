/* SPDX-License-Identifier: Apache-2.0
 * results.h - the files that a job writes: none replaces another, or one that is read. */
#pragma once

#include "map/list.h"
#include "map/record.h"

/* Where results go. The pointers are borrowed. */
typedef struct results {
    const char *folder; /* exists, with the folders below it that names of results contain; NULL:
                           there are none */
    const char *ending; /* of each result: "npz" */
    int n;              /* results of each file; 0: any number, whose names begin with the file's
                           and a point */
    char *const *part;  /* what tells the results of a file apart; not used where n is 1 */
    const char *option; /* that names the folder; NULL: "-o" */
    const struct results *also; /* other results of the files; NULL: none */
} results;

/* Returns the path of result k, for a file whose results have this name; free it with free. */
char *results_path(const results *r, const char *name, int k);

/* OC_ARGUMENT when results of two files would be one file, also of earlier files in the record,
 * or when a result would replace one of the files or of the others. */
void results_check(const results *r, const file_list *files, const record *before,
                   const args_list *others, oc_error *e);

/* Removes incomplete files that a killed job left among the results of these items. */
void results_remove_parts(const results *r, const file_item *const *item, int n, oc_error *e);
