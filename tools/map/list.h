/* SPDX-License-Identifier: Apache-2.0
 * list.h - which files does `-i NAME=DIR`, a pattern or a list of paths name, and under what names
 * do their results go into a folder? */
#ifndef TOOLS_MAP_LIST_H
#define TOOLS_MAP_LIST_H

#include "common/tool.h"

typedef struct file_item {
    char *path;
    char *name; /* of its results: the path below the folder that all files have in common, without
                   the ending where no other file has that name */
} file_item;

typedef struct file_list {
    file_item *item;
    int n;
    char **left; /* paths of files in a folder that are left out, because of their endings */
    int n_left;
} file_list;

/* Does the text name many files: a folder, a pattern with *, ? or [, a .txt file, or "-"? */
bool list_is_many(const char *text);
/* Is there a file or a folder at the path, does a pattern fit one, or is it "-"? */
bool list_leads_to_files(const char *text);
/* Finds the files: all that can be read as values in a folder and below it, by their endings, but
 * for hidden ones and the folder of the results; all that a pattern fits; or the paths that a text
 * file, or standard input, has on its lines, of which empty ones are left out. They are in the
 * order of their bytes, those of a list in its order. No file, or two of one name, is an error.
 * Free with list_free, also after an error. */
void list_read(file_list *l, const char *text, const char *results, oc_error *e);
void list_free(file_list *l);

#endif
