/* SPDX-License-Identifier: Apache-2.0
 * written_file.h - files written whole: beside the file that they replace, which stays as it is
 * until all of the new one is written. */
#pragma once

#include "common/status.h"

typedef struct ort_replacing {
    FILE *stream; /* what is written goes there; NULL: nothing is begun */
    char *path;   /* the file that it will be; of a link where it leads */
    char *part;   /* where it is until then; NULL: what is at path is no file, and is written to */
    int reason;   /* the errno of the first bytes that could not be written; 0: there are none */
} ort_replacing;

/* Begins a file in the folder of path. The caller ends it by ort_replace_end or ort_replace_drop.
 */
OrtStatus *ort_replace_begin(const char *path, ort_replacing *out);
/* Writes bytes to the file; a function for oc_writer, whose ctx is the ort_replacing. */
bool ort_replace_write(void *ctx, const void *bytes, size_t size);
/* Renames the file to its path if all bytes could be written, and removes it otherwise. */
OrtStatus *ort_replace_end(ort_replacing *file);
/* Removes what was written. Does nothing where no file is begun. */
void ort_replace_drop(ort_replacing *file);
