/* SPDX-License-Identifier: Apache-2.0
 * replace.h - writes a file under a temporary name in its folder, and renames it when it is
 * complete.
 *
 * Nobody who reads the old file, and no failure, ever leaves or meets a half-written one. */
#pragma once

#include "loader/disk.h"

#include <ocellus_model.h>

typedef struct oc_replacement {
    FILE *stream;
    int failure;             /* errno of the first write that failed; 0: none did */
    char path[OC_DISK_PATH]; /* path of the file, with links followed */
    /* path of the temporary file; "": a device or pipe is written in place */
    char temp[OC_DISK_PATH + 16];
} oc_replacement;

/* Begins the file. *out is valid until oc_replace_end, which must be called if this call
 * succeeds. */
oc_status oc_replace_begin(oc_replacement *r, const char *path, oc_writer *out, oc_error *e);

/* Ends the file: renames it, or removes it if *e holds an error or the file cannot be written. */
oc_status oc_replace_end(oc_replacement *r, oc_error *e);
