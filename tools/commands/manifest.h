/* SPDX-License-Identifier: Apache-2.0
 * manifest.h - reads a list of the expected results of tests, by patterns of their names.
 *
 * A line is "glob state note"; state is pass, skip or fail, note is any text. '#' begins a
 * comment. The first line whose glob matches a test's name applies to the test. */
#pragma once

#include "common/tool.h"

typedef enum manifest_state { MANIFEST_PASS, MANIFEST_SKIP, MANIFEST_FAIL } manifest_state;

typedef struct manifest_line {
    char *glob, *note;
    manifest_state state;
    int number;     /* line number in the file, from 1 */
    int64_t n_used; /* number of tests that the line applied to */
} manifest_line;

typedef struct manifest {
    manifest_line *line;
    int n;
} manifest;

/* A malformed line is OC_FORMAT. Free with manifest_free, also after an error. */
void manifest_read(manifest *m, const char *path, oc_error *e);
/* Returns the first line that matches, and counts the use; NULL when no line matches. */
manifest_line *manifest_find(manifest *m, const char *name);
void manifest_free(manifest *m);

/* Does the name match a pattern of '*', '?' and [sets]? */
bool manifest_glob(const char *glob, const char *name);
