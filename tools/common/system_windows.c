/* SPDX-License-Identifier: Apache-2.0
 * system_windows.c - streams, files and commands of Windows.
 *
 * The program's manifest makes Windows take paths as UTF-8 (ocellus.manifest). */
#define WIN32_LEAN_AND_MEAN
#include "common/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shlwapi.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* Sets errno after a system call has failed. */
static void explain(void)
{
    const DWORD why = GetLastError();
    errno = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND     ? ENOENT
            : why == ERROR_ALREADY_EXISTS || why == ERROR_FILE_EXISTS      ? EEXIST
            : why == ERROR_ACCESS_DENIED || why == ERROR_SHARING_VIOLATION ? EACCES
            : why == ERROR_DISK_FULL                                       ? ENOSPC
            : why == ERROR_INVALID_NAME || why == ERROR_DIRECTORY          ? EINVAL
                                                                           : EIO;
}

/* ---- streams ---- */

bool system_open_streams(void)
{
    FILE *const stream[] = {stdin, stdout, stderr};
    for (int i = 0; i < 3; i++)
        if (_fileno(stream[i]) >= 0) /* false when the process was started without the stream */
            _setmode(_fileno(stream[i]), _O_BINARY);
    return true;
}

void system_lock_stream(FILE *f)
{
    _lock_file(f);
}

void system_unlock_stream(FILE *f)
{
    _unlock_file(f);
}

/* ---- paths ---- */

bool system_is_slash(char c)
{
    return c == '/' || c == '\\';
}

char *system_last_slash(const char *path)
{
    char *slash = strrchr(path, '/'), *other = strrchr(path, '\\');
    return !slash || (other && other > slash) ? other : slash;
}

/* ---- files ---- */

bool system_describe(const char *path, bool follow, system_file *out)
{
    BY_HANDLE_FILE_INFORMATION info = {0}; /* stays zero for a device */
    *out = (system_file){0};
    const HANDLE file = CreateFileA(
        path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT), NULL);
    if (file == INVALID_HANDLE_VALUE) {
        explain();
        return false;
    }
    const bool on_disk =
        GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info);
    const bool is_link = info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
    CloseHandle(file);
    out->device = info.dwVolumeSerialNumber;
    out->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    out->is_folder =
        on_disk && info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY && (follow || !is_link);
    out->is_regular =
        on_disk && !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && (follow || !is_link);
    return true;
}

bool system_make_dir(const char *path)
{
    const bool made = CreateDirectoryA(path, NULL);
    if (!made)
        explain();
    return made;
}

bool system_replace(const char *from, const char *to)
{
    const bool moved = MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING);
    if (!moved)
        explain();
    return moved;
}

/* ---- patterns ---- */

bool system_fits(const char *pattern, const char *name)
{
    return PathMatchSpecA(name, pattern);
}

bool system_find(const char *pattern, void (*take)(void *ctx, const char *path), void *ctx)
{
    char path[4096];
    WIN32_FIND_DATAA found;
    const char *slash = system_last_slash(pattern);
    const int above = slash ? (int)(slash - pattern) + 1 : 0; /* characters up to the last name */
    const HANDLE search = FindFirstFileA(pattern, &found);
    if (search == INVALID_HANDLE_VALUE) {
        explain();
        return errno == ENOENT;
    }
    do {
        const int size = snprintf(path, sizeof path, "%.*s%s", above, pattern, found.cFileName);
        if (size < (int)sizeof path && found.cFileName[0] != '.')
            take(ctx, path);
    } while (FindNextFileA(search, &found));
    FindClose(search);
    return true;
}

/* ---- commands ---- */

int system_run(const char *line)
{
    enum { NOT_FOUND = 9009 }; /* the shell's exit code for that */
    fflush(NULL);
    const int code = system(line);
    return code == -1 || code == NOT_FOUND        ? SYSTEM_NOT_RUN
           : (DWORD)code == STATUS_CONTROL_C_EXIT ? SYSTEM_INTERRUPTED
           : code < 0 /* an exception ended it */ ? SYSTEM_ENDED
                                                  : code;
}
