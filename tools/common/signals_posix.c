/* SPDX-License-Identifier: Apache-2.0
 * signals_posix.c - catches signals. Handlers call only what POSIX allows in them. */
#define _XOPEN_SOURCE 700
#include "common/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* Has a byte to read after SIGINT, which interrupts a system call of one thread only. */
static int interrupt[2] = {-1, -1};

static void on_end(int number)
{
    signals_remove_files();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_interrupt(int number)
{
    const int reason = errno;
    if (!signals_interrupt())
        on_end(number);
    (void)!write(interrupt[1], "", 1);
    errno = reason;
}

void signals_wait(int file)
{
    struct pollfd any[] = {{.fd = file, .events = POLLIN}, {.fd = interrupt[0], .events = POLLIN}};
    poll(any, 2, -1);
}

/* Returns, so that the write fails, when the broken pipe is not standard output. */
static void on_broken_pipe(int number)
{
    const int reason = errno;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)))
        on_end(number);
    errno = reason;
}

void signals_end(void)
{
    if (signals_cancelled(NULL))
        on_end(SIGINT);
}

static void set(int number, void (*handler)(int))
{
    /* Not blocked in its own handler, so that raise ends the process at once. */
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Is the signal left alone? These are faults, which keep their core file; signals that do not
 * end a process by default; signals with a meaning of their own here; and SIGKILL and SIGSTOP,
 * which nobody can catch. */
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

/* Has the signal its default action? If not, nohup ignores SIGHUP, a server ignores SIGPIPE, or
 * a profiler takes SIGPROF. */
static bool has_default(int number)
{
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL;
}

void signals_catch(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        if (!is_left_alone(number) && has_default(number))
            set(number, on_end);
    if (pipe(interrupt) == 0) {
        for (int i = 0; i < 2; i++)
            fcntl(interrupt[i], F_SETFD, FD_CLOEXEC);
    }
    set(SIGINT, on_interrupt);
    if (has_default(SIGPIPE))
        set(SIGPIPE, on_broken_pipe);
    set(SIGXFSZ, SIG_IGN);
}
