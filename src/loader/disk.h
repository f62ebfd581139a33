/* SPDX-License-Identifier: Apache-2.0
 * disk.h - what the loader asks of the system about files: disk_posix.c and disk_windows.c answer.
 * Paths are UTF-8. Where a function fails, errno says why. */
#ifndef OC_LOADER_DISK_H
#define OC_LOADER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* The path of what the path leads to, without links, "." and "..", with slashes between its
 * components. */
enum { OC_DISK_PATH = 4096 };
bool oc_disk_real_path(const char *path, char real[OC_DISK_PATH]);

/* Opens a file to be read; it may be a pipe, and waits for one that writes. EINTR: a signal came
 * meanwhile. */
oc_disk_file oc_disk_open(const char *path);

/* A component of a location, which has slashes between them. */
typedef struct oc_disk_part {
    const char *name; /* of size characters */
    size_t size;
    bool is_here, is_last; /* it is empty or ".", and stays where it is; nothing follows */
} oc_disk_part;

/* Takes the component at *at, which becomes that of the next, or NULL after the last. */
static inline oc_disk_part oc_disk_take_part(const char **at)
{
    const char *name = *at, *slash = strchr(name, '/');
    const size_t size = slash ? (size_t)(slash - name) : strlen(name);
    *at = slash ? slash + 1 : NULL;
    return (oc_disk_part){name, size, size == 0 || (size == 1 && *name == '.'), !slash};
}

/* Why this system takes no component of size characters in the location of external data; NULL: it
 * takes it. */
const char *oc_disk_refuses(const char *component, size_t size);

/* Opens a file by its location in a folder, one component after another from the folder down. None
 * may be a link (ELOOP). */
oc_disk_file oc_disk_open_below(const char *folder, const char *location);

bool oc_disk_describe(oc_disk_file file, oc_disk_info *out);

/* As read: the number of bytes, 0 at the end, or (size_t)-1. */
size_t oc_disk_read(oc_disk_file file, void *buffer, size_t size);

void oc_disk_close(oc_disk_file file);

/* Is there something of that name that is neither a file nor a folder, such as a pipe? */
bool oc_disk_is_special(const char *path);

/* Opens a file to be written, which programs that this one starts do not get. anew: it must not be
 * there yet (EEXIST); else it must, and is no regular file. */
FILE *oc_disk_create(const char *path, bool anew);

/* Gives a file the name of another in the same folder, which is gone then if it was there. */
bool oc_disk_replace(const char *from, const char *to);
void oc_disk_remove(const char *path);

/* Maps size bytes, 1 or more, to be read; the file may be closed meanwhile. NULL: it fails. */
void *oc_disk_map(oc_disk_file file, size_t size);
void oc_disk_unmap(void *bytes, size_t size);

/* The whole pages of what is mapped there need no memory: who reads them finds them in the file
 * again. */
void oc_disk_leave(const void *bytes, size_t size);

#endif
