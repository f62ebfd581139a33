/* SPDX-License-Identifier: Apache-2.0
 * index.c - maps texts to numbers, in a balanced tree of the C library. */
#define _XOPEN_SOURCE 700
#include "common/index.h"

#include <search.h>

typedef struct text_item {
    const char *text;
    int number;
    struct text_item *older;
    char *own; /* the copy that text points to; NULL in a key for a search */
} text_item;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const text_item *)a)->text, ((const text_item *)b)->text);
}

int text_index_find(const text_index *x, const char *text)
{
    const text_item key = {.text = text};
    text_item *const *found = tfind(&key, &x->tree, by_text);
    return found ? (*found)->number : -1;
}

void text_index_add(text_index *x, const char *text, int number)
{
    if (text_index_find(x, text) >= 0)
        return;
    text_item *item = tool_alloc(1, sizeof *item);
    char *own = tool_format("%s", text);
    *item = (text_item){own, number, x->newest, own};
    x->newest = item;
    tool_require(tsearch(item, &x->tree, by_text));
}

void text_index_free(text_index *x)
{
    for (text_item *item = x->newest, *older; item; item = older) {
        older = item->older;
        tdelete(item, &x->tree, by_text);
        free(item->own);
        free(item);
    }
    *x = (text_index){0};
}
