/* SPDX-License-Identifier: Apache-2.0
 * confine.h - gives up, for good, what this process and its threads may do: on Linux, by Landlock
 * (which files), by a seccomp filter (which system calls), and by limits of resources. */
#ifndef TOOLS_COMMON_CONFINE_H
#define TOOLS_COMMON_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* The files that stay within reach. */
typedef struct confine {
    int rules; /* descriptor; -1: this system has no Landlock */
} confine;

/* What this system could give. */
typedef struct confined {
    bool files, calls;
} confined;

confine confine_begin(void);
/* Leaves a file, or a folder and all below it, open for reading. A path that is not there is left
 * out. */
void confine_allow_read(const confine *c, const char *path);
/* Leaves the folder of the file that the path leads to, and all below it, open for reading. */
void confine_allow_read_beside(const confine *c, const char *path);
/* Leaves a folder open for making, writing, renaming and removing files anywhere below it; what is
 * no folder for writing alone. */
void confine_allow_write(const confine *c, const char *path);
/* Limits the process: no core file, few open files, memory bytes more than now (SIZE_MAX: any
 * number), and seconds of processor time of all threads (0: any number). Then refuses all files
 * that are not open or allowed, and every system call that computing, reading and writing do not
 * take: of programs, processes, sockets, signals to others, memory to execute. A call that is
 * refused fails with EPERM or EACCES. Call it before the first thread is started. */
confined confine_enter(confine *c, size_t memory, double seconds);

#endif
