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

/* Faults, which keep their core; those that do not end a process by default; those with a meaning
 * of their own here; SIGKILL and SIGSTOP, which nobody catches. */
static bool is_left_alone(int number)
{
    static const int alone[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGTRAP, SIGABRT, SIGSYS,
                                SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH,
                                SIGINT,  SIGPIPE, SIGXFSZ, SIGKILL, SIGSTOP};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (alone[i] == number)
            return true;
    return false;
}

void signals_catch(void)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction before;
        if (!is_left_alone(number) && sigaction(number, NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            set(number, on_end); /* nohup goes on ignoring SIGHUP, a profiler taking SIGPROF */
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
