/* SPDX-License-Identifier: Apache-2.0
 * system_unix.c - threads and commands, which WASI does not have. */
#define _XOPEN_SOURCE 700
#include "common/system.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

void system_lock_stream(FILE *f)
{
    flockfile(f);
}

void system_unlock_stream(FILE *f)
{
    funlockfile(f);
}

int system_run(const char *line)
{
    enum { NOT_FOUND = 127 }; /* the shell's exit code for that */
    fflush(NULL);
    const int status = system(line);
    if (status == -1)
        return SYSTEM_NOT_RUN;
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT ? SYSTEM_INTERRUPTED
                                                                         : SYSTEM_ENDED;
    return WEXITSTATUS(status) == NOT_FOUND ? SYSTEM_NOT_RUN : WEXITSTATUS(status);
}
