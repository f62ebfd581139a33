/* SPDX-License-Identifier: Apache-2.0
 * posix.c - files and folders with names of their own, and a working folder, which WASI does not
 * have; a right fmaf, and the processor's time. */
#define _DEFAULT_SOURCE /* declares getentropy */
#include "posix.h"

#include "base/fused.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wasi/api.h>

/* A program begins in the folder that it was started in. Without this, relative paths would begin
 * at the root. */
__attribute__((constructor)) static void enter_folder(void)
{
    const char *folder = getenv("PWD");
    if (folder && chdir(folder) != 0)
        abort();
}

/* Writes a number over the six X that end the pattern. */
static void choose_name(char *pattern)
{
    unsigned number;
    if (getentropy(&number, sizeof number) != 0)
        abort();
    snprintf(pattern + strlen(pattern) - 6, 7, "%06u", number % 1000000);
}

char *mkdtemp(char *pattern)
{
    do
        choose_name(pattern);
    while (mkdir(pattern, 0700) != 0 && errno == EEXIST);
    return pattern;
}

int mkstemp(char *pattern)
{
    int file;
    do {
        choose_name(pattern);
        file = open(pattern, O_RDWR | O_CREAT | O_EXCL, 0600);
    } while (file < 0 && errno == EEXIST);
    return file;
}

/* That of wasi-libc rounds twice, since no mode of rounding can be set. On other systems tests
 * compare fused.h with the C library. */
float fmaf(float a, float b, float c)
{
    return oc_fma_f32(a, b, c);
}

/* That of wasi-libc goes on while others have the processor. */
clock_t clock(void)
{
    __wasi_timestamp_t time = 0;
    if (__wasi_clock_time_get(__WASI_CLOCKID_PROCESS_CPUTIME_ID, 0, &time) != 0)
        abort();
    return (clock_t)time; /* in nanoseconds, as CLOCKS_PER_SEC has it */
}
