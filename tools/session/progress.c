/* SPDX-License-Identifier: Apache-2.0
 * progress.c - shows how far a job is. */
#define _POSIX_C_SOURCE 200809L
#include "session/progress.h"

#include "session/session_args.h"

#include <stdarg.h>
#include <unistd.h>

progress progress_begin(bool wanted, int n)
{
    const double now = session_clock();
    return (progress){.on = wanted && isatty(STDERR_FILENO), .n = n, .begin = now, .shown = now};
}

int progress_digits(double x)
{
    return x >= 100 ? 0 : x >= 10 ? 1 : x >= 1 ? 2 : 4;
}

void progress_show(progress *p, const char *format, ...)
{
    const double now = session_clock();
    if (!p->on || now - p->shown < 0.2)
        return;
    p->shown = now;
    va_list list;
    va_start(list, format);
    fputc('\r', stderr);
    const int width = vfprintf(stderr, format, list);
    va_end(list);
    if (width < p->width)
        fprintf(stderr, "%*s", p->width - width, "");
    p->width = width;
    fflush(stderr);
}

void progress_print(progress *p, int done)
{
    const double spent = session_clock() - p->begin;
    if (spent <= 0)
        return;
    const double rate = done / spent, left = (p->n - done) / rate;
    if (!p->n) {
        progress_show(p, "%d, %.*f/s", done, progress_digits(rate), rate);
        return;
    }
    const bool long_time = left >= 100;
    progress_show(p, "%d/%d, %.*f/s, %.0f %s left", done, p->n, progress_digits(rate), rate,
                  long_time ? left / 60 : left, long_time ? "min" : "s");
}

void progress_clear(progress *p)
{
    if (p->width)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}
