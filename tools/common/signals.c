/* SPDX-License-Identifier: Apache-2.0
 * signals.c - what does a signal do to the command, and to the files it is writing?
 *
 * Any thread may get the signal, so what the handler reads is atomic, and whoever takes a path out
 * of the table owns it. */
#define _XOPEN_SOURCE 700
#include "common/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t cancelled;
static char *_Atomic guarded[SIGNALS_FILES];

/* Calls only what POSIX allows in a handler. */
static void on_end(int number)
{
    for (int i = 0; i < SIGNALS_FILES; i++) {
        const char *path = atomic_exchange(&guarded[i], NULL);
        if (path)
            unlink(path);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void on_interrupt(int number)
{
    if (cancelled)
        on_end(number);
    cancelled = 1;
}

static void set(int number, void (*handler)(int))
{
    /* Not blocked in its own handler, so that raise ends the process there and then. */
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void signals_catch(void)
{
    static const int ends[] = {SIGTERM, SIGHUP,  SIGQUIT, SIGXCPU,   SIGALRM,
                               SIGUSR1, SIGUSR2, SIGPROF, SIGVTALRM, SIGPOLL};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction before;
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            set(ends[i], on_end); /* nohup goes on ignoring SIGHUP, a profiler taking SIGPROF */
    }
    set(SIGINT, on_interrupt);
    set(SIGPIPE, SIG_IGN);
    set(SIGXFSZ, SIG_IGN);
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
