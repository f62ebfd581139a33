/* SPDX-License-Identifier: Apache-2.0
 * source.h - which -i of a command line name many files, so that each run takes one of these? */
#pragma once

#include "map/list.h"
#include "session/inputs.h"

typedef struct source {
    const char *text; /* what the -i names; borrowed */
    char *name;       /* the input; NULL: the only one that is left */
} source;

typedef struct sources {
    source *item;
    int n;
} sources;

/* Returns what "-i [NAME=]FILE" names, before the model is known. *name, which may become NULL, is
 * to be freed. Names and paths may contain '=', so the longest rest that leads to files is taken.
 */
const char *source_file_of(const char *text, char **name);

/* Takes the -i that name many files out of the list of all -i. OC_ARGUMENT when there is none, and
 * OC_IO for another -i that leads to no file and is no number. */
void sources_take(sources *s, args_list *all, oc_error *e);
/* Finds the files of the first, with their partners of the others (list.h). results are the folders
 * of the results. Free with list_free, also after an error. */
void sources_read(const sources *s, file_list *to, const args_list *results, oc_error *e);
/* Leaves the inputs open, in the order of the sources. */
void sources_leave_open(const sources *s, inputs *in, const input_args *a, oc_error *e);
void sources_free(sources *s);
