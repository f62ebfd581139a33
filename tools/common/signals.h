/* SPDX-License-Identifier: Apache-2.0
 * signals.h - what does a signal do to the command, and to the files it is writing?
 *
 * SIGINT asks the command to stop: signals_cancelled is true from then on, a system call that waits
 * returns with EINTR, and signals_end ends the process as SIGINT does by default, so that who
 * started it, a loop of a shell for one, knows of the interrupt. A second SIGINT, and each other
 * signal that ends a process by default and is no fault of it (SIGTERM, SIGHUP, SIGQUIT, SIGALRM,
 * SIGUSR1, real-time signals ...) unless the command was started with the signal ignored, ends the
 * process as the signal does by default, after the guarded files are removed. So does a write to a
 * pipe that nobody reads any more when standard output is such a pipe, unless SIGPIPE was ignored
 * from the start; to another pipe, and past the limit of a file's size, it is an error of that
 * write. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void signals_catch(void); /* defined in signals_posix.c and signals_windows.c */
/* Ends the process if signals_cancelled is true. Called at the end of the program, after
 * everything is written. */
void signals_end(void);
/* ctx is not used; it makes the function fit oc_limits.cancel. */
bool signals_cancelled(void *ctx);

/* Waits until the open file has bytes, its end or an error to read, or until SIGINT, on whichever
 * thread it came. On Windows it returns at once. */
void signals_wait(int file);

/* For a loop over the elements of a value, which may be billions: asks at every 65,536th element
 * i whether SIGINT came. If so, the loop has to end. */
static inline bool signals_end_at(int64_t i)
{
    return i % (1 << 16) == 0 && signals_cancelled(NULL);
}

/* From signals_guard to signals_release, a signal that ends the process removes the file at path,
 * if there is one. path does not change meanwhile, and signals_release frees it. Returns false, and
 * guards nothing, past SIGNALS_FILES files. */
enum { SIGNALS_FILES = 256 };
bool signals_guard(char *path);
void signals_release(char *path);

/* Makes signals_cancelled true, as SIGINT does. Returns false when it was true before. */
bool signals_interrupt(void);
/* For signal handlers, which may call only these two functions of this header. */
void signals_remove_files(void);
