/* SPDX-License-Identifier: Apache-2.0
 * io.h - reads whole files into memory, and writes files so that they are complete or absent.
 *
 * A file is written under a temporary name in its folder and renamed when it is complete, so
 * that the real name never has a half-written file; a signal removes the temporary one. "-" is
 * standard input or output. The bytes read are counted in data.h. */
#pragma once

#include "common/tool.h"

#include <ocellus_model.h>

typedef struct io_bytes {
    unsigned char *data;
    size_t size, room; /* bytes used, bytes allocated */
} io_bytes;

/* Reads path to its end. OC_LIMIT for more than cap bytes, or for more than LIMIT_STREAM of
 * anything but a regular file. Free with io_bytes_free. */
void io_read(const char *path, size_t cap, io_bytes *out, oc_error *e);
/* Sets *e when a file that begins with these bytes is not wanted. They are all that the file has,
 * or at least IO_HEAD. */
enum { IO_HEAD = 1024 };
typedef void io_check(const char *path, const unsigned char *bytes, size_t size, oc_error *e);
/* As io_read, but reads no further when check refuses the beginning. check may be NULL. */
void io_read_checked(const char *path, size_t cap, io_check *check, io_bytes *out, oc_error *e);
/* Returns what messages call a path that is read: itself, and for "-" "standard input". */
const char *io_shown(const char *path);
/* Opens a file to be read, "-" for standard input; returns -1 after an error. */
int io_open(const char *path, oc_error *e);
void io_close(int file);
/* Returns a reader of an open file; *file must outlive it. After SIGINT it fails. */
oc_reader io_reader(const int *file);
oc_reader io_standard_input(void);
/* Makes room for size bytes behind those used; returns false when there is no memory. */
bool io_bytes_grow(io_bytes *b, size_t size);
void io_bytes_free(io_bytes *b);
/* Returns a writer that appends to *b, which may grow; b must outlive it. After SIGINT it fails. */
oc_writer io_bytes_writer(io_bytes *b);

typedef struct io_file {
    FILE *stream;
    /* temp NULL: the file is written in place, as standard output and devices are */
    char *path, *temp;
    const oc_writer *to; /* takes what is put, in place of a stream; NULL: there is a stream */
    int failure;         /* errno of the first write that failed */
    bool outlives;       /* what is put after SIGINT is written all the same */
} io_file;

/* io_create begins a file and io_commit ends it. Call io_commit even when *e holds an error: it
 * then removes the temporary file, and frees what f owns. io_put remembers a failure, which
 * io_commit reports as OC_IO, or as OC_CANCELLED after SIGINT. */
void io_create(io_file *f, const char *path, oc_error *e);
oc_writer io_writer(io_file *f);
void io_put(io_file *f, const void *bytes, size_t size);
void io_flush(io_file *f); /* what was put reaches who reads it; remembers a failure too */
/* Sets *e to the failure of a write, in place of what a writer has told, which does not know it. */
void io_report(const io_file *f, oc_error *e);
void io_commit(io_file *f, oc_error *e);

/* Returns the name that a temporary file was to get: NAME for "NAME.PROCESS.N.part", which a
 * killed process leaves behind; NULL when it is no such name. Free it with free. */
char *io_part_of(const char *name);

/* Makes a folder and the folders above it; a folder that exists already is not an error. */
void io_make_dir(const char *path, oc_error *e);
bool io_is_dir(const char *path);
bool io_exists(const char *path);

/* The names in a folder except "." and "..", in the order of their bytes. */
typedef struct io_names {
    char **name;
    int n;
} io_names;
io_names io_list_dir(const char *path, oc_error *e);
void io_names_free(io_names *names);

/* Returns the folder that holds the file path; "." when the path names none. Free it with free. */
char *io_folder_of(const char *path);

/* Does the path end with this text, as in ".npy"? Case is ignored. */
bool io_ends_with(const char *path, const char *ending);

/* Turns a name from a model into a file name of at most 120 bytes: '/' and every other ASCII
 * character that is not a letter, a digit or one of _-+.,=@ becomes '_', and so does a '.' or '-'
 * at the beginning, a control character, and a byte that is not UTF-8. Free with free. */
char *io_safe_name(const char *name);
