/* SPDX-License-Identifier: Apache-2.0
 * signature.c - reads the line of a function's text that names its attributes, inputs, outputs. */
#include "predict/signature.h"

#include "predict/words.h"

#include <ctype.h>

/* Returns where the function's name stands: at the beginning of a line, and ended by a blank or a
 * bracket. */
static const char *find_name(const char *text, const char *name)
{
    const size_t size = strlen(name);
    for (const char *line = text; line; line = words_next(line, '\n'))
        if (strncmp(line, name, size) == 0 && line[size] && strchr(" <(\n", line[size]))
            return line + size;
    return NULL;
}

/* Reads the first word of each item of a list "(a, b)" or "<a: int, b: float = 0.5>", whose bracket
 * open is the next to come. Returns what is behind the list. */
static const char *read_list(const char *at, char open, char close, signature_name *names, int *n)
{
    at = strchr(at, open);
    bool begins = true;
    for (; at && *at && *at != close; at++) {
        if (*at == open || *at == ',')
            begins = true;
        else if (begins && (isalnum((unsigned char)*at) || *at == '_') && *n < SIGNATURE_MOST) {
            size_t size = 0;
            while (isalnum((unsigned char)at[size]) || at[size] == '_')
                size++;
            snprintf(names[(*n)++], SIGNATURE_NAME, "%.*s", (int)size, at);
            at += size - 1;
            begins = false;
        }
    }
    return at && *at ? at + 1 : NULL;
}

signature signature_of(const char *text, const char *name)
{
    signature s = {.n_input = 0};
    const char *at = find_name(text, name);
    if (at && at[strspn(at, " \n")] == '<')
        at = read_list(at, '<', '>', s.attribute, &s.n_attribute);
    if (at)
        at = read_list(at, '(', ')', s.input, &s.n_input);
    if (at)
        read_list(at, '(', ')', s.output, &s.n_output);
    return s;
}

int signature_find(const signature_name *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}
