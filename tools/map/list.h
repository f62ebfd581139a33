/* SPDX-License-Identifier: Apache-2.0
 * list.h - which files does `-i NAME=DIR`, a pattern or a list of paths name, and under which
 * names do their results go into a folder? */
#pragma once

#include "common/args.h"

typedef struct file_item {
    char *path;
    /* Name of the file's results: the path below the folder that all files have in common,
     * without the ending if no other file has that name. */
    char *name;
    const char *list; /* the file of paths that has it, borrowed; NULL: it is in none */
    int line;         /* there, from 1 on */
    char **partner;   /* paths of the files that list_pair put beside it; NULL: none */
    int n_partner;
} file_item;

/* Why a file is left out. */
typedef enum left_reason {
    LEFT_ENDING, /* its ending is none that is read */
    LEFT_ALONE,  /* it has no partner */
    LEFT_KIND,   /* it is a pipe, a socket or a device, which a job may wait for without end */
    LEFT_LINK,   /* it is a link to a folder, which may lead back to the folder that has it */
    LEFT_REASONS
} left_reason;

/* A file that is left out. */
typedef struct file_left {
    char *path;
    left_reason reason;
    char *alone; /* LEFT_ALONE: where it has no partner; else NULL */
} file_left;

typedef struct file_list {
    file_item *item;
    int n;
    size_t folder;   /* bytes of each path before what list_pair compares */
    file_left *left; /* files of folders, and of lists that were paired */
    int n_left;
} file_list;

/* Does the text name many files: a folder, a pattern with *, ? or [, a .txt file that is no table
 * of numbers, or "-"? Numbers as they are typed do not, unless a file fits them as a pattern. */
bool list_is_many(const char *text);
/* Is there a file or a folder at the path, does a pattern fit one, or is it "-"? */
bool list_leads_to_files(const char *text);
/* Finds the files. In a folder and below it these are all that can be read as values, by their
 * endings, except hidden ones and the folders of the results. A pattern gives all files that fit.
 * A text file, or standard input, gives the paths on its lines; empty lines are skipped. Files
 * are in the order of their bytes, those of a list in its order. It is an error if there is no
 * file, or if two have one name. Free with list_free, also after an error. */
void list_read(file_list *l, const char *text, const args_list *results, oc_error *e);
/* Finds the files that several texts name. A text names many files, as list_read finds them, or one
 * file. */
void list_read_all(file_list *l, const args_list *texts, const args_list *results, oc_error *e);
/* As list_read, but files have no names, so that a list may have one several times. */
void list_find(file_list *l, const char *text, const args_list *results, oc_error *e);
/* Puts the files of another list, which it empties, beside those of l, the first list of several.
 * Lists of paths are paired line by line, and have equal lengths. Files of folders and patterns
 * are paired by their paths below the folder, or below that which the files of a pattern have in
 * common: by the whole path, else by that without the ending. A file without a partner is left
 * out. It is an error if one file has two partners, or none has one. l_text and text are what the
 * two were read from. */
void list_pair(file_list *l, const char *l_text, file_list *other, const char *text, oc_error *e);
/* Puts a path, whose ownership it takes, beside a file. */
void list_add_partner(file_item *to, char *path);
void list_free(file_list *l);

/* Parts of list_read and list_pair. list_has_lines: is the text a list of paths? list_leave_out
 * takes ownership of path. */
bool list_has_lines(const char *text);
void list_leave_out(file_list *l, char *path, left_reason reason, const char *alone);
void list_free_item(file_item *f);
