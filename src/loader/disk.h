/* SPDX-License-Identifier: Apache-2.0
 * disk.h - what the loader asks of the system about files: disk_posix.c and disk_windows.c answer.
 * Paths are UTF-8. Where a function fails, errno says why. */
#ifndef OC_LOADER_DISK_H
#define OC_LOADER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t oc_disk_file; /* an open one; -1: none */

typedef struct oc_disk_info {
    bool is_regular, is_folder;
    uint64_t size;           /* in bytes; of a regular file */
    uint64_t device, number; /* no other file has both */
    uint64_t links;          /* its names */
} oc_disk_info;

/* How many characters of a path, with the last slash, name the folder of its file; 0: it names
 * none. */
size_t oc_disk_folder_size(const char *path);

/* Opens a file to be read; it may be a pipe, and waits for one that writes. EINTR: a signal came
 * meanwhile. */
oc_disk_file oc_disk_open(const char *path);

/* Why this system takes no component of size characters in the location of external data; NULL: it
 * takes it. */
const char *oc_disk_refuses(const char *component, size_t size);

/* Opens a file by its location in a folder, components with slashes between them, one after
 * another from the folder down. None may be a link (ELOOP). */
oc_disk_file oc_disk_open_below(const char *folder, const char *location);

bool oc_disk_describe(oc_disk_file file, oc_disk_info *out);

/* As read: the number of bytes, 0 at the end, or (size_t)-1. */
size_t oc_disk_read(oc_disk_file file, void *buffer, size_t size);

void oc_disk_close(oc_disk_file file);

/* Maps size bytes, 1 or more, to be read; the file may be closed meanwhile. NULL: it fails. */
void *oc_disk_map(oc_disk_file file, size_t size);
void oc_disk_unmap(void *bytes, size_t size);

/* The whole pages of what is mapped there need no memory: who reads them finds them in the file
 * again. */
void oc_disk_leave(const void *bytes, size_t size);

#endif
