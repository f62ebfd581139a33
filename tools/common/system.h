/* SPDX-License-Identifier: Apache-2.0
 * system.h - what the command asks of the system where systems differ: streams, files, commands.
 * system_posix.c and system_windows.c answer. Paths are UTF-8. Where a function fails, errno says
 * why. */
#ifndef TOOLS_COMMON_SYSTEM_H
#define TOOLS_COMMON_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- streams ---- */

/* Opens the standard streams with which the process was not started, so that no file gets their
 * numbers: reading and writing them goes on failing. Their bytes are not changed on the way.
 * Returns false when it cannot. */
bool system_open_streams(void);

/* What one thread writes in between stays together. */
void system_lock_stream(FILE *f);
void system_unlock_stream(FILE *f);

/* ---- paths ---- */

/* Whether the character stands between the names of a path. */
bool system_is_slash(char c);
/* The last of them; NULL: the path is one name. */
char *system_last_slash(const char *path);

/* ---- files ---- */

/* For open: the file is none for programs that this one starts, and its bytes are not changed. */
#ifdef _WIN32
#define SYSTEM_OPEN (O_NOINHERIT | O_BINARY)
#else
#define SYSTEM_OPEN O_CLOEXEC
#endif

typedef struct system_file {
    uint64_t device, number; /* no other file has both */
    bool is_regular, is_folder;
} system_file;

/* follow: of what a link leads to, not of the link. false: there is no such file. */
bool system_describe(const char *path, bool follow, system_file *out);

bool system_make_dir(const char *path);
/* Gives a file another name, in place of the file that has it. */
bool system_replace(const char *from, const char *to);

/* ---- patterns, with *, ? and [..] ---- */

bool system_fits(const char *pattern, const char *name);
/* Calls take for each path that the pattern fits; false: the files cannot be found. Windows has no
 * [..], and patterns only in the last name of a path. */
bool system_find(const char *pattern, void (*take)(void *ctx, const char *path), void *ctx);

/* ---- commands ---- */

enum { SYSTEM_NOT_RUN = -1, SYSTEM_INTERRUPTED = -2, SYSTEM_ENDED = -3 };
/* Runs a line as the system's shell does. Its exit code; or the line cannot be run, it was
 * interrupted from a terminal, or it was ended by a signal. */
int system_run(const char *line);

#endif
