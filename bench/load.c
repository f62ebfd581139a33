/* SPDX-License-Identifier: Apache-2.0
 * load.c - what loading costs: time and private memory up to a session that is ready to run.
 *
 *   bench_load MODEL [MILLISECONDS KILOBYTES]     exit 1 when either is passed
 *
 * Linux only: it reads /proc/self/smaps_rollup. */
#define _POSIX_C_SOURCE 200809L
#include <ocellus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Kilobytes that this process shares with nobody. */
static long private_kb(void)
{
    char line[256];
    long sum = 0;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "Private_Clean:", 14) == 0 || strncmp(line, "Private_Dirty:", 14) == 0)
            sum += strtol(line + 14, NULL, 10);
    if (f)
        fclose(f);
    return sum;
}

/* Prints what was spent since the start; false when it passes the limits. */
static bool report(const char *what, double start, long before, char **limits)
{
    const double ms = now_ms() - start;
    const long kb = private_kb() - before;
    printf("%-8s %8.2f ms %8ld kB private\n", what, ms, kb);
    return !limits || (ms <= strtod(limits[0], NULL) && kb <= strtol(limits[1], NULL, 10));
}

int main(int argc, char **argv)
{
    oc_error e = {0};
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: bench_load MODEL [MILLISECONDS KILOBYTES]\n");
        return 2;
    }
    char **limits = argc == 4 ? argv + 2 : NULL;
    const long before = private_kb();
    const double start = now_ms();
    oc_model *model = oc_model_load(argv[1], NULL, &e);
    bool good = report("load", start, before, limits);
    oc_session *session = oc_session_new(model, &(oc_session_options){.threads = 1}, &e);
    good &= report("session", start, before, limits);
    if (e.code)
        fprintf(stderr, "%s\n", e.text);
    oc_session_free(session);
    oc_model_free(model);
    return e.code != OC_OK || !good;
}
