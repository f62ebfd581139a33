/* SPDX-License-Identifier: Apache-2.0
 * system.h - what the command asks of the operating system: streams, files, commands.
 *
 * system_posix.c answers with system_unix.c or system_wasi.c, on Windows system_windows.c. Paths
 * are UTF-8. When a function fails, errno tells why. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- streams ---- */

/* Opens those standard streams that the process was started without, so that no file gets their
 * numbers; reading and writing them still fails. Bytes of standard streams are not translated.
 * Returns false on failure. */
bool system_open_streams(void);

/* What one thread writes between these two calls stays together. */
void system_lock_stream(FILE *f);
void system_unlock_stream(FILE *f);

/* ---- paths ---- */

/* Does the character separate the names of a path? */
bool system_is_slash(char c);
/* Returns the last such character of a path; NULL when the path is one name. */
char *system_last_slash(const char *path);

/* ---- files ---- */

/* For open: programs that this one starts do not inherit the file, and its bytes are not
 * translated. */
#ifdef _WIN32
#define SYSTEM_OPEN (O_NOINHERIT | O_BINARY)
#else
#define SYSTEM_OPEN O_CLOEXEC
#endif

typedef struct system_file {
    uint64_t device, number; /* these two together identify the file */
    bool is_regular, is_folder;
} system_file;

/* follow: describes what a link leads to, not the link. Returns false when there is no such
 * file. */
bool system_describe(const char *path, bool follow, system_file *out);

bool system_make_dir(const char *path);
/* Gives a file another name, and replaces the file that has it. */
bool system_replace(const char *from, const char *to);

/* ---- patterns, with *, ? and [..] ---- */

bool system_fits(const char *pattern, const char *name);
/* Calls take for each path that the pattern fits. Returns false when the files cannot be found.
 * On Windows patterns have no [..], and stand only in the last name of a path. */
bool system_find(const char *pattern, void (*take)(void *ctx, const char *path), void *ctx);

/* ---- commands ---- */

enum { SYSTEM_NOT_RUN = -1, SYSTEM_INTERRUPTED = -2, SYSTEM_ENDED = -3 };
/* Runs a line as the system's shell does. Returns its exit code, or that the line could not be
 * run, was interrupted from a terminal, or was ended by a signal. */
int system_run(const char *line);
