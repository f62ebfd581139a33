/* SPDX-License-Identifier: Apache-2.0
 * system_posix.c - streams and files of POSIX, and of WASI. */
#define _XOPEN_SOURCE 700
#include "common/system.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool system_open_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* The lowest number is free, so open returns it. The direction is the wrong one, so that
         * using the stream fails. */
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    }
    return true;
}

bool system_is_slash(char c)
{
    return c == '/';
}

char *system_last_slash(const char *path)
{
    return strrchr(path, '/');
}

bool system_describe(const char *path, bool follow, system_file *out)
{
    struct stat st;
    *out = (system_file){0};
    if ((follow ? stat : lstat)(path, &st) != 0)
        return false;
    *out = (system_file){.device = (uint64_t)st.st_dev,
                         .number = (uint64_t)st.st_ino,
                         .is_regular = S_ISREG(st.st_mode),
                         .is_folder = S_ISDIR(st.st_mode)};
    return true;
}

bool system_make_dir(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool system_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool system_fits(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

bool system_find(const char *pattern, void (*take)(void *ctx, const char *path), void *ctx)
{
    glob_t found;
    const int code = glob(pattern, 0, NULL, &found);
    if (code != 0)
        return code == GLOB_NOMATCH;
    for (size_t i = 0; i < found.gl_pathc; i++)
        take(ctx, found.gl_pathv[i]);
    globfree(&found);
    return true;
}
