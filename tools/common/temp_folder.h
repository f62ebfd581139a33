/* SPDX-License-Identifier: Apache-2.0
 * temp_folder.h - a temporary folder, and commands that work in it, neither of which outlives
 * this process.
 *
 * temp_folder_posix.c and temp_folder_windows.c make it; temp_folder_wasi.c cannot. On Windows the
 * folder stays when this process is ended from outside. */
#pragma once

#include "common/tool.h"

typedef struct temp_folder temp_folder;

/* Makes the folder, in $TMPDIR or where the system has temporary files. Call it while there is
 * one thread. Returns NULL with *e set on failure. */
temp_folder *temp_folder_new(oc_error *e);
/* Removes the folder, and prints a message when that fails. k may be NULL. */
void temp_folder_free(temp_folder *k);

const char *temp_folder_folder(const temp_folder *k);
/* Removes a folder within the temporary folder, with all that is in it. */
void temp_folder_empty(const char *path, oc_error *e);

/* How a command ended. At most one member is set; when none is, the exit code was 0. */
typedef struct temp_folder_end {
    int code;   /* its exit code */
    int signal; /* the signal that ended it */
    bool late;  /* true: it took too long and was ended */
} temp_folder_end;

/* Runs the line by /bin/sh or cmd.exe, without standard input, and with standard error as its
 * standard output. Processes that it leaves running are ended. seconds is the longest time.
 * After SIGINT *e is OC_CANCELLED. */
temp_folder_end temp_folder_run(temp_folder *k, const char *line, double seconds, oc_error *e);

/* Returns the name of a signal, such as "Killed". */
const char *temp_folder_signal_name(int number);

/* Returns the text as one word of a shell's line, quoted if needed. Free it with free. */
char *temp_folder_word(const char *text);

/* Returns the command with the path, as a word, wherever it says `place`. Free it with free. */
char *temp_folder_line(const char *command, const char *place, const char *path);
