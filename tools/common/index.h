/* SPDX-License-Identifier: Apache-2.0
 * index.h - maps texts to numbers.
 *
 * A search takes a number of steps that grows as the logarithm of the number of texts, whatever
 * the texts are: names of a model may be chosen to collide in a hash. */
#pragma once

#include "common/tool.h"

typedef struct text_index {
    void *tree;
    struct text_item *newest;
} text_index;

/* Returns the number of the text; -1 when it is not there. */
int text_index_find(const text_index *x, const char *text);
/* Adds a copy of the text with a number >= 0, unless the text is there already. */
void text_index_add(text_index *x, const char *text, int number);
void text_index_free(text_index *x);
