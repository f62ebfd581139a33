/* SPDX-License-Identifier: Apache-2.0
 * io.h - whole files in, whole files out.
 *
 * A file is written under a temporary name beside its own and renamed when it is complete, so that
 * no half-written file is ever found under the real name. "-" is standard input or output. */
#ifndef TOOLS_FILES_IO_H
#define TOOLS_FILES_IO_H

#include "common/tool.h"

#include <stdio.h>

typedef struct io_bytes {
    unsigned char *data;
    size_t size, room;
} io_bytes;

/* Reads path to its end; more than cap bytes are OC_LIMIT. Free with io_bytes_free. */
void io_read(const char *path, size_t cap, io_bytes *out, oc_error *e);
void io_bytes_free(io_bytes *b);
/* Appends to memory. */
oc_writer io_bytes_writer(io_bytes *b);

typedef struct io_file {
    FILE *stream;
    char *path, *temp; /* temp NULL: written in place, as a pipe or a device must be */
    int failure;       /* errno of the first write that failed */
} io_file;

/* Begins and ends a file. io_commit is called whatever *e is; a file whose
 * error is set by then is dropped. */
void io_create(io_file *f, const char *path, oc_error *e);
oc_writer io_writer(io_file *f);
void io_put(io_file *f, const void *bytes, size_t size);
void io_commit(io_file *f, oc_error *e);

/* Makes a folder and those above it; one that is there already is no error. */
void io_make_dir(const char *path, oc_error *e);
bool io_is_dir(const char *path);
bool io_exists(const char *path);

/* Has the path this ending, as in ".npy"? Case is ignored. */
bool io_ends_with(const char *path, const char *ending);

/* A name from a model as a file name without folders: what could leave the folder, hide the file or
 * upset a terminal becomes '_'. Free with free. */
char *io_safe_name(const char *name);

#endif
