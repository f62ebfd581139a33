/* SPDX-License-Identifier: Apache-2.0
 * disk.h - what the loader asks of the operating system about files.
 *
 * disk_posix.c with disk_unix.c or disk_wasi.c, and disk_windows.c answer. Paths are UTF-8. When a
 * function fails, errno tells why. */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef intptr_t oc_disk_file; /* an open file; -1: none */

typedef struct oc_disk_info {
    bool is_regular, is_folder;
    uint64_t size;           /* in bytes, for a regular file */
    uint64_t device, number; /* these two together identify the file */
    uint64_t links;          /* number of names (hard links) of the file */
} oc_disk_info;

/* Returns how many characters of a path name the folder of its file, with the last slash; 0 when
 * the path names no folder. */
size_t oc_disk_folder_size(const char *path);

/* Writes the path of the file or folder that a path leads to, without links, "." and "..", with
 * slashes between its components. */
enum { OC_DISK_PATH = 4096 };
bool oc_disk_real_path(const char *path, char real[OC_DISK_PATH]);

/* Opens a file for reading. It may be a pipe: then the call waits for a writer. EINTR: a signal
 * came meanwhile. */
oc_disk_file oc_disk_open(const char *path);

/* A component of a location, in which slashes separate components. */
typedef struct oc_disk_part {
    const char *name; /* size characters, not NUL-terminated */
    size_t size;
    /* is_here: the component is empty or ".", so it stays in its folder. is_last: no component
     * follows. */
    bool is_here, is_last;
} oc_disk_part;

/* Returns the component that begins at *at. *at moves to the next component, or becomes NULL
 * after the last. */
static inline oc_disk_part oc_disk_take_part(const char **at)
{
    const char *name = *at, *slash = strchr(name, '/');
    const size_t size = slash ? (size_t)(slash - name) : strlen(name);
    *at = slash ? slash + 1 : NULL;
    return (oc_disk_part){name, size, size == 0 || (size == 1 && *name == '.'), !slash};
}

/* Returns why this system refuses a component of size characters in the location of external
 * data; NULL when it accepts the component. */
const char *oc_disk_refuses(const char *component, size_t size);

/* Opens a file by its location in a folder, one component after another from the folder down. A
 * component that is a link is refused (ELOOP). */
oc_disk_file oc_disk_open_below(const char *folder, const char *location);

bool oc_disk_describe(oc_disk_file file, oc_disk_info *out);

/* Reads up to size bytes, as read does. Returns the number of bytes, 0 at the end, or
 * (size_t)-1. */
size_t oc_disk_read(oc_disk_file file, void *buffer, size_t size);

void oc_disk_close(oc_disk_file file);

/* Does the path lead to something that is neither a file nor a folder, such as a pipe? */
bool oc_disk_is_special(const char *path);

/* Opens a file for writing; programs that this one starts do not inherit it. anew: the file must
 * not exist yet (EEXIST). Otherwise it must exist and not be a regular file. */
FILE *oc_disk_create(const char *path, bool anew);

/* Renames a file within its folder. If a file of the new name exists, it is replaced. */
bool oc_disk_replace(const char *from, const char *to);
void oc_disk_remove(const char *path);

/* Maps size bytes, 1 or more, for reading. The file may be closed afterwards. Returns NULL on
 * failure. */
void *oc_disk_map(oc_disk_file file, size_t size);
void oc_disk_unmap(void *bytes, size_t size);

/* Tells the system that the whole pages in these mapped bytes need no memory: a later reader
 * gets them from the file again. */
void oc_disk_leave(const void *bytes, size_t size);
