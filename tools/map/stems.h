/* SPDX-License-Identifier: Apache-2.0
 * stems.h - how many files have a name without its ending, and which is the first of them? */
#pragma once

#include "common/index.h"

/* Names without endings: that of "a/b.jpg" is "a/b". */
typedef struct stems {
    text_index first; /* map to the number of the first file of each */
    int *count;       /* for these numbers, how many files there are */
} stems;

/* Begins with room for n files, numbered from 0. Free with stems_free. */
stems stems_new(int n);
void stems_free(stems *s);
/* Cuts the ending off a name, if it has one. */
void stems_cut(char *name);
/* Adds file i, whose name has an ending or none. */
void stems_add(stems *s, const char *name, int i);
/* Returns the first file that has the name of this one without its ending, and sets *count to how
 * many there are; -1 when there is none. */
int stems_find(const stems *s, const char *name, int *count);
