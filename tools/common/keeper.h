/* SPDX-License-Identifier: Apache-2.0
 * keeper.h - a temporary folder, and commands that work in it, neither of which outlives this
 * process: keeper_posix.c and keeper_windows.c. On Windows the folder stays where this process is
 * ended from outside. */
#ifndef TOOLS_COMMON_KEEPER_H
#define TOOLS_COMMON_KEEPER_H

#include "common/tool.h"

typedef struct keeper keeper;

/* Makes the folder, in $TMPDIR or where the system has temporary files. Call it while there is one
 * thread. NULL: *e is set. */
keeper *keeper_new(oc_error *e);
/* Removes the folder; says so where that fails. NULL is allowed. */
void keeper_free(keeper *k);

const char *keeper_folder(const keeper *k);
/* Removes a folder of the folder, with all that is in it. */
void keeper_empty(const char *path, oc_error *e);

/* How a command ended: at most one member is set; none: with the exit code 0. */
typedef struct keeper_end {
    int code;   /* its exit code */
    int signal; /* that ended it */
    bool late;  /* it took too long and was ended */
} keeper_end;

/* Runs the line by /bin/sh, or by cmd.exe, without standard input and with standard error as its
 * standard output; what it leaves running is ended. seconds: the longest time. After SIGINT *e is
 * OC_CANCELLED. */
keeper_end keeper_run(keeper *k, const char *line, double seconds, oc_error *e);

/* What a signal is called, "Killed". */
const char *keeper_signal_name(int number);

/* The text as one word of a shell's line, quoted where that is needed. Free with free. */
char *keeper_word(const char *text);

/* The command with the path, as a word, wherever it says `place`. Free with free. */
char *keeper_line(const char *command, const char *place, const char *path);

#endif
