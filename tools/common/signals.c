/* SPDX-License-Identifier: Apache-2.0
 * signals.c - what does a signal do to the command, and to the files that it is writing?
 *
 * Any thread may get the signal, so what the handler reads is atomic, and whoever takes a path
 * out of the table owns it. */
#include "common/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t cancelled;
static char *_Atomic guarded[SIGNALS_FILES];

void signals_remove_files(void)
{
    for (int i = 0; i < SIGNALS_FILES; i++) {
        const char *path = atomic_exchange(&guarded[i], NULL);
        if (path)
            unlink(path);
    }
}

bool signals_interrupt(void)
{
    const bool first = !cancelled;
    cancelled = 1;
    return first;
}

bool signals_cancelled(void *ctx)
{
    (void)ctx;
    return cancelled != 0;
}

bool signals_guard(char *path)
{
    for (int i = 0; i < SIGNALS_FILES; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&guarded[i], &none, path))
            return true;
    }
    return false;
}

void signals_release(char *path)
{
    bool found = false;
    for (int i = 0; i < SIGNALS_FILES && !found; i++) {
        char *mine = path;
        found = atomic_compare_exchange_strong(&guarded[i], &mine, NULL);
    }
    if (found)
        free(path);
}
