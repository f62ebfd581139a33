/* SPDX-License-Identifier: Apache-2.0
 * manifest.h - what is expected of tests, by patterns of their names.
 *
 * A line is "glob state note"; state is pass, skip or fail, the note is free. '#' begins a comment.
 * The first line whose glob matches a test's name counts. */
#ifndef TOOLS_COMMANDS_MANIFEST_H
#define TOOLS_COMMANDS_MANIFEST_H

#include "common/tool.h"

typedef enum manifest_state { MANIFEST_PASS, MANIFEST_SKIP, MANIFEST_FAIL } manifest_state;

typedef struct manifest_line {
    char *glob, *note;
    manifest_state state;
    int number;
    int64_t n_used; /* tests it has matched */
} manifest_line;

typedef struct manifest {
    manifest_line *line;
    int n;
} manifest;

void manifest_read(manifest *m, const char *path, oc_error *e);
manifest_line *manifest_find(manifest *m, const char *name); /* NULL: no line matches */
void manifest_free(manifest *m);

/* Does the name match a pattern of '*', '?' and [sets]? */
bool manifest_glob(const char *glob, const char *name);

#endif
