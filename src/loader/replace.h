/* SPDX-License-Identifier: Apache-2.0
 * replace.h - writes a file under another name in its folder, which takes the file's name when it
 * is complete: no reader of the old file, and no failure, meets a half-written one. */
#ifndef OC_LOADER_REPLACE_H
#define OC_LOADER_REPLACE_H

#include "loader/disk.h"

#include <ocellus_model.h>
#include <stdio.h>

typedef struct oc_replacement {
    FILE *stream;
    int failure;                  /* errno of the first write that failed; 0: none */
    char path[OC_DISK_PATH];      /* of the file, links followed */
    char temp[OC_DISK_PATH + 16]; /* of what is written; "": a device or pipe is written in place */
} oc_replacement;

/* Begins the file, whose writer is valid until oc_replace_end, which must follow if this succeeds.
 */
oc_status oc_replace_begin(oc_replacement *r, const char *path, oc_writer *out, oc_error *e);

/* Ends the file: gives it its name, or removes it if *e holds an error or it cannot be written. */
oc_status oc_replace_end(oc_replacement *r, oc_error *e);

#endif
