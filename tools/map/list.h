/* SPDX-License-Identifier: Apache-2.0
 * list.h - which files does `-i NAME=DIR`, a pattern or a list of paths name, and under which
 * names do their results go into a folder? */
#pragma once

#include "common/tool.h"

typedef struct file_item {
    char *path;
    /* Name of the file's results: the path below the folder that all files have in common,
     * without the ending if no other file has that name. */
    char *name;
} file_item;

typedef struct file_list {
    file_item *item;
    int n;
    char **left; /* paths of files in a folder that are left out because of their endings */
    int n_left;
} file_list;

/* Does the text name many files: a folder, a pattern with *, ? or [, a .txt file, or "-"? */
bool list_is_many(const char *text);
/* Is there a file or a folder at the path, does a pattern fit one, or is it "-"? */
bool list_leads_to_files(const char *text);
/* Finds the files. In a folder and below it these are all that can be read as values, by their
 * endings, except hidden ones and the folder of the results. A pattern gives all files that fit.
 * A text file, or standard input, gives the paths on its lines; empty lines are skipped. Files
 * are in the order of their bytes, those of a list in its order. It is an error if there is no
 * file, or if two have one name. Free with list_free, also after an error. */
void list_read(file_list *l, const char *text, const char *results, oc_error *e);
void list_free(file_list *l);
