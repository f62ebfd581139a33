/* SPDX-License-Identifier: Apache-2.0
 * confine.h - gives up, for good, what this process and its threads may do.
 *
 * On Linux this uses Landlock (which files), a seccomp filter (which system calls), and limits
 * of resources. */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/* The files that stay within reach. */
typedef struct confine {
    int rules; /* a descriptor; -1: this system has no Landlock */
} confine;

/* What this system was able to confine. */
typedef struct confined {
    bool files, calls;
} confined;

confine confine_begin(void);
/* Allows reading a file, or a folder and all below it. A path that does not exist is ignored. */
void confine_allow_read(const confine *c, const char *path);
/* Allows reading the folder of the file that the path leads to, and all below it. */
void confine_allow_read_beside(const confine *c, const char *path);
/* Allows making, writing, renaming and removing files anywhere below a folder. If path is not a
 * folder, allows only writing it. */
void confine_allow_write(const confine *c, const char *path);
/* Limits the process: no core file, few open files, `memory` bytes more than now (SIZE_MAX: any
 * number), and `seconds` of processor time of all threads (0: any number). Then refuses all
 * files that are neither open nor allowed, and every system call that computing, reading and
 * writing do not need: for programs, processes, sockets, signals to others, memory to execute. A
 * refused call fails with EPERM or EACCES. Call it before the first thread is started. */
confined confine_enter(confine *c, size_t memory, double seconds);
