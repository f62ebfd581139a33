/* SPDX-License-Identifier: Apache-2.0
 * zip.h - reads zip archives (stored or deflated, also zip64) and writes them (stored). */
#pragma once

#include "files/io.h"

typedef struct zip_member {
    char *name;
    int method; /* 0: stored, 8: deflated */
    uint32_t crc;
    size_t offset;       /* offset of the local header */
    size_t packed, size; /* bytes in the archive, and bytes unpacked */
} zip_member;

typedef struct zip_archive {
    const unsigned char *data; /* borrowed */
    size_t size;
    const char *where; /* begins every error's text */
    zip_member *member;
    int n;
} zip_archive;

/* Reads the directory of the archive of size bytes. OC_LIMIT for members that unpack together to
 * more than cap bytes, and for a member whose unpacked size deflate cannot reach. bytes and
 * where must outlive *z. Free with zip_close, also after an error. */
void zip_open(zip_archive *z, const void *bytes, size_t size, size_t cap, const char *where,
              oc_error *e);
/* Unpacks member i into *out. OC_FORMAT for a wrong size or checksum. Free with io_bytes_free. */
void zip_read(const zip_archive *z, int i, io_bytes *out, oc_error *e);
void zip_close(zip_archive *z);

/* An archive that is being written; its members are stored, not packed. */
typedef struct zip_writer {
    io_file *file;
    uint64_t at; /* bytes written so far */
    zip_member *member;
    int n;
} zip_writer;

/* file must outlive the writer; its owner commits it after zip_end. */
zip_writer zip_begin(io_file *file);
/* Writes one member. OC_LIMIT for more than 65535 members or 3.75 GiB. */
void zip_add(zip_writer *z, const char *name, const void *bytes, size_t size, oc_error *e);
/* Writes the directory unless *e holds an error, and always frees what z owns. */
void zip_end(zip_writer *z, oc_error *e);
