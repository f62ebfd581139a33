/* SPDX-License-Identifier: Apache-2.0
 * functions.c - gives a case's model the functions of functions/vision that it calls. */
#include "case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "ocellus.vision.";

/* Appends the file of a function, if there is one, and a zero that is not counted. */
static void append_function(case_bytes *b, const char *path, const char *name, size_t size)
{
    char file[4096], part[4096];
    const char *slash = strrchr(path, '/');
    snprintf(file, sizeof file, "%.*s/../../../functions/vision/%.*s.1.onnxtxt",
             slash ? (int)(slash - path) : 1, slash ? path : ".", (int)size, name);
    FILE *f = fopen(file, "rb");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
        case_append(b, part, n);
    if (f)
        fclose(f);
    case_append(b, "", 1);
    b->size--;
}

char *case_with_functions(const char *path, const char *model, size_t *size)
{
    /* The names of what was called already, each between blanks. */
    case_bytes text = {0}, called = {0};
    case_append(&text, model, *size);
    case_append(&text, "", 1);
    text.size--;
    case_append(&called, " ", 2);
    for (size_t at = 0; strstr(text.data + at, prefix);) {
        char name[256];
        const char *first = strstr(text.data + at, prefix) + strlen(prefix);
        size_t n = 0;
        while (isalnum((unsigned char)first[n]))
            n++;
        at = (size_t)(first - text.data) + n;
        snprintf(name, sizeof name, " %.*s ", (int)n, first);
        if (strstr(called.data, name))
            continue;
        called.size--;
        case_append(&called, name + 1, strlen(name));
        append_function(&text, path, name + 1, strlen(name) - 2);
    }
    free(called.data);
    *size = text.size;
    return text.data;
}
