/* SPDX-License-Identifier: Apache-2.0
 * mapped_posix.c - reports a mapped file that becomes shorter while it is read. */
#define _DEFAULT_SOURCE /* declares BUS_ADRERR */
#include "common/mapped.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* All functions below may run in a signal handler, at any point of the program. */

/* Reads /proc/self/maps byte by byte. */
typedef struct maps {
    int file;
    char buffer[512];
    ssize_t n, at;
} maps;

static int next_byte(maps *m)
{
    if (m->at == m->n) {
        m->n = read(m->file, m->buffer, sizeof m->buffer);
        m->at = 0;
    }
    return m->n <= 0 ? -1 : (unsigned char)m->buffer[m->at++];
}

/* Reads a hexadecimal number. *end becomes the byte after it. */
static uintptr_t next_number(maps *m, int *end)
{
    static const char digits[] = "0123456789abcdef";
    uintptr_t n = 0;
    for (;;) {
        const int c = *end = next_byte(m);
        const char *digit = c > 0 ? memchr(digits, c, sizeof digits - 1) : NULL;
        if (!digit)
            return n;
        n = n * 16 + (uintptr_t)(digit - digits);
    }
}

/* Reads the rest of the line from the first slash on, without control characters; "" when there
 * is no path. */
static void next_path(maps *m, char *path, size_t size)
{
    size_t n = 0;
    for (int c; (c = next_byte(m)) >= 0 && c != '\n';)
        if ((n || c == '/') && n + 1 < size)
            path[n++] = c < ' ' || c == 0x7f ? '?' : (char)c;
    path[n] = 0;
}

/* Finds the path of the file that is mapped at the address. Returns false when none is. */
static bool find_path(const void *address, char *path, size_t size)
{
    maps m = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    bool found = false;
    while (m.file >= 0 && !found && m.n >= 0) {
        int c;
        const uintptr_t first = next_number(&m, &c), end = c == '-' ? next_number(&m, &c) : 0;
        if (c < 0)
            break;
        next_path(&m, path, size);
        found = (uintptr_t)address >= first && (uintptr_t)address < end && *path;
    }
    if (m.file >= 0)
        close(m.file);
    return found;
}

static void say(const char *text)
{
    for (size_t left = strlen(text); left;) {
        const ssize_t n = write(STDERR_FILENO, text, left);
        if (n <= 0)
            return;
        text += n;
        left -= (size_t)n;
    }
}

static void on_bus_error(int signal_number, siginfo_t *info, OC_UNUSED void *context)
{
    char path[1024];
    if (info->si_code != BUS_ADRERR || !find_path(info->si_addr, path, sizeof path)) {
        signal(signal_number, SIG_DFL); /* the instruction runs again and ends the process */
        return;
    }
    say("ocellus: ");
    say(path);
    say(": the file became shorter while it was read; --no-map reads files before they are used\n");
    _exit(TOOL_INVALID);
}

void tool_catch_short_files(void)
{
    struct sigaction catch = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&catch.sa_mask);
    sigaction(SIGBUS, &catch, NULL);
}
