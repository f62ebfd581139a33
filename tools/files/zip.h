/* SPDX-License-Identifier: Apache-2.0
 * zip.h - zip archives: members stored or deflated, zip64 when reading. */
#ifndef TOOLS_FILES_ZIP_H
#define TOOLS_FILES_ZIP_H

#include "files/io.h"

typedef struct zip_member {
    char *name;
    int method;
    uint32_t crc;
    size_t offset; /* of the local header */
    size_t packed, size;
} zip_member;

typedef struct zip_archive {
    const unsigned char *data; /* borrowed */
    size_t size;
    const char *where; /* begins every error's text */
    zip_member *member;
    int n;
} zip_archive;

/* Reads the directory of the archive in memory. Members together may unpack to cap bytes at most;
 * more is OC_LIMIT, as is a member that claims to unpack to more than deflate can hold. Free with
 * zip_close. */
void zip_open(zip_archive *z, const void *bytes, size_t size, size_t cap, const char *where,
              oc_error *e);
/* Unpacks member i and compares its checksum. Free with io_bytes_free. */
void zip_read(const zip_archive *z, int i, io_bytes *out, oc_error *e);
void zip_close(zip_archive *z);

/* Writes an archive of stored members. */
typedef struct zip_writer {
    io_file *file;
    uint64_t at; /* bytes written */
    zip_member *member;
    int n;
} zip_writer;

zip_writer zip_begin(io_file *file);
void zip_add(zip_writer *z, const char *name, const void *bytes, size_t size, oc_error *e);
/* Writes the directory and frees what z holds, whatever *e is. */
void zip_end(zip_writer *z, oc_error *e);

#endif
