/* SPDX-License-Identifier: Apache-2.0
 * each.c - a case that runs once for each of several words: "--- each TYPE float int8". */
#include "case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "--- each ";

/* Part of a line of the file's text. */
typedef struct word {
    const char *text;
    size_t size;
} word;

static word next_word(const char **at)
{
    while (**at == ' ')
        ++*at;
    word w = {*at, strcspn(*at, " \r\n")};
    *at += w.size;
    return w;
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Copies [text, end) to `to`, with `by` in place of every word that is `name`; counts the bytes if
 * `to` is NULL. */
static size_t replace(char *to, const char *text, const char *end, word name, word by)
{
    size_t n = 0;
    while (text < end) {
        word w = {text, 1};
        while (is_part(*text) && w.text + w.size < end && is_part(w.text[w.size]))
            w.size++;
        text += w.size;
        if (w.size == name.size && memcmp(w.text, name.text, w.size) == 0)
            w = by;
        if (to)
            memcpy(to + n, w.text, w.size);
        n += w.size;
    }
    return n;
}

void case_each(const char *name, const char *text, const char *end, case_fn *run, void *ctx)
{
    const char *line = case_find_mark(text, end, mark);
    if (line == end) {
        run(ctx, name, text, end);
        return;
    }
    const char *at = line + strlen(mark);
    const word replaced = next_word(&at);
    for (word by = next_word(&at); by.size; by = next_word(&at)) {
        char longer[256];
        snprintf(longer, sizeof longer, "%s, %.*s", name, (int)by.size, by.text);
        const char *rest = line + strcspn(line, "\n");
        const size_t head = replace(NULL, text, line, replaced, by);
        const size_t size = head + replace(NULL, rest, end, replaced, by);
        char *own = malloc(size + 1);
        if (!own)
            exit(2);
        replace(own, text, line, replaced, by);
        replace(own + head, rest, end, replaced, by);
        own[size] = '\0';
        case_each(longer, own, own + size, run, ctx);
        free(own);
    }
}
