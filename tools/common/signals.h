/* SPDX-License-Identifier: Apache-2.0
 * signals.h - what does a signal do to the command, and to the files it is writing?
 *
 * SIGINT asks the command to stop: signals_cancelled is true from then on, and a system call that
 * waits returns with EINTR. A second SIGINT, and each other signal that ends a process by default
 * and is no fault of it (SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, real-time signals ...) unless
 * the command was started with the signal ignored, ends the process as the signal does by default,
 * after the guarded files are removed. A write to a broken pipe or past the limit of a file's size
 * is an error of that write.
 */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void signals_catch(void); /* signals_posix.c, signals_windows.c */
/* ctx is not used: it makes the function fit oc_limits.cancel. */
bool signals_cancelled(void *ctx);

/* For a loop over the elements of a value, which may be billions: asks at every 65,536th element i
 * whether SIGINT came, and the loop has to end there. */
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

/* For handlers, which call nothing else. signals_interrupt makes signals_cancelled true; false: it
 * was before. */
bool signals_interrupt(void);
void signals_remove_files(void);

#endif
