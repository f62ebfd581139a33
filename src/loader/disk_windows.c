/* SPDX-License-Identifier: Apache-2.0
 * disk_windows.c - files of Windows. */
#define WIN32_LEAN_AND_MEAN
#include "loader/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

enum {
    MOST_PATH = OC_DISK_PATH, /* most characters of a path */
    MOST_DEEP = 64            /* most folders in a location, with its file */
};

/* Sets errno after a system call has failed. */
static void explain(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    case ERROR_INVALID_NAME:
    case ERROR_NO_UNICODE_TRANSLATION:
        errno = EINVAL;
        break;
    default:
        errno = EIO;
    }
}

typedef struct wide_path {
    wchar_t text[MOST_PATH];
    int size;
} wide_path;

static bool append(wide_path *p, const char *text, size_t n)
{
    const int room = MOST_PATH - 1 - p->size;
    if (n == 0)
        return true;
    if (n > (size_t)room) {
        errno = ENAMETOOLONG;
        return false;
    }
    const int more =
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, (int)n, p->text + p->size, room);
    if (!more)
        explain();
    p->size += more;
    p->text[p->size] = 0;
    return more > 0;
}

/* Opens a file or a folder. */
static HANDLE open_as(const wchar_t *path, DWORD share, DWORD flags)
{
    const HANDLE h = CreateFileW(path, GENERIC_READ, share, NULL, OPEN_EXISTING,
                                 FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    if (h == INVALID_HANDLE_VALUE)
        explain();
    return h;
}

size_t oc_disk_folder_size(const char *path)
{
    size_t size = 0;
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/' || path[i] == '\\' || (path[i] == ':' && i == 1))
            size = i + 1;
    return size;
}

oc_disk_file oc_disk_open(const char *path)
{
    wide_path name = {.size = 0};
    if (!append(&name, path, strlen(path)))
        return -1;
    return (oc_disk_file)open_as(name.text, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 0);
}

/* Writes "C:/a" for "\\?\C:\a", and "//host/a" for "\\?\UNC\host\a". */
static bool put_plain_path(const wchar_t *path, char real[OC_DISK_PATH])
{
    const bool is_long = wcsncmp(path, L"\\\\?\\", 4) == 0;
    const bool is_remote = is_long && wcsncmp(path + 4, L"UNC\\", 4) == 0;
    const int before = is_remote ? 1 : 0;
    path += is_remote ? 7 : is_long ? 4 : 0;
    real[0] = '/';
    if (!WideCharToMultiByte(CP_UTF8, 0, path, -1, real + before, OC_DISK_PATH - before, NULL,
                             NULL)) {
        explain();
        return false;
    }
    for (char *p = real; *p; p++)
        if (*p == '\\')
            *p = '/';
    return true;
}

bool oc_disk_real_path(const char *path, char real[OC_DISK_PATH])
{
    wide_path name = {.size = 0};
    wchar_t found[MOST_PATH];
    if (!append(&name, path, strlen(path)))
        return false;
    const HANDLE h = open_as(name.text, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    if (h == INVALID_HANDLE_VALUE)
        return false;
    const DWORD size = GetFinalPathNameByHandleW(h, found, MOST_PATH, FILE_NAME_NORMALIZED);
    if (size == 0 || size >= MOST_PATH)
        explain();
    CloseHandle(h);
    return size > 0 && size < MOST_PATH && put_plain_path(found, real);
}

/* Windows reads '\' as a slash, takes what follows ':' for a drive's path or a stream, and drops
 * dots and spaces at the end of a name. */
const char *oc_disk_refuses(const char *component, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (strchr("\\:*?\"<>|", component[i]) || (unsigned char)component[i] < ' ')
            return "a name has a character that Windows gives a meaning";
    if (size > 1 && (component[size - 1] == '.' || component[size - 1] == ' '))
        return "a name ends with a dot or a space, which Windows drops";
    return NULL;
}

/* The folders from a model's folder down to a file, and the file. The folders stay open until
 * the file is, so nobody can rename or remove them meanwhile, and the path keeps its meaning. */
typedef struct way {
    wide_path path;
    HANDLE opened[MOST_DEEP];
    int n;
} way;

/* Opens the file or folder at the current path. below: it lies in the model's folder, and must
 * not be a link. */
static bool enter(way *w, bool is_file, bool below)
{
    BY_HANDLE_FILE_INFORMATION info = {0}; /* stays zero for a device */
    const HANDLE h = open_as(w->path.text, FILE_SHARE_READ | FILE_SHARE_WRITE,
                             below ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    if (h == INVALID_HANDLE_VALUE)
        return false;
    w->opened[w->n++] = h;
    GetFileInformationByHandle(h, &info);
    const bool is_link = info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
    const bool is_folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    errno = below && is_link ? ELOOP : ENOTDIR;
    return !(below && is_link) && (is_file || is_folder);
}

static bool go_down(way *w, const char *location)
{
    for (const char *at = location; at;) {
        const oc_disk_part part = oc_disk_take_part(&at);
        if (w->n == MOST_DEEP) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (!part.is_here && !(append(&w->path, "/", 1) && append(&w->path, part.name, part.size) &&
                               enter(w, part.is_last, true)))
            return false;
    }
    return true;
}

oc_disk_file oc_disk_open_below(const char *folder, const char *location)
{
    way w = {.path.size = 0};
    const bool good =
        append(&w.path, folder, strlen(folder)) && enter(&w, false, false) && go_down(&w, location);
    const int why = errno;
    const HANDLE file = good ? w.opened[--w.n] : INVALID_HANDLE_VALUE;
    while (w.n > 0)
        CloseHandle(w.opened[--w.n]);
    errno = why;
    return (oc_disk_file)file;
}

bool oc_disk_describe(oc_disk_file file, oc_disk_info *out)
{
    BY_HANDLE_FILE_INFORMATION info;
    *out = (oc_disk_info){.links = 1};
    if (GetFileType((HANDLE)file) != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle((HANDLE)file, &info)) {
        explain();
        return false;
    }
    out->is_folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    out->is_regular = !out->is_folder;
    out->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    out->device = info.dwVolumeSerialNumber;
    out->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    out->links = info.nNumberOfLinks;
    return true;
}

size_t oc_disk_read(oc_disk_file file, void *buffer, size_t size)
{
    const DWORD most = size < 1u << 30 ? (DWORD)size : 1u << 30;
    DWORD n = 0;
    if (ReadFile((HANDLE)file, buffer, most, &n, NULL))
        return n;
    if (GetLastError() == ERROR_BROKEN_PIPE) /* the writer has closed the pipe */
        return 0;
    explain();
    return (size_t)-1;
}

void oc_disk_close(oc_disk_file file)
{
    CloseHandle((HANDLE)file);
}

/* Devices such as NUL and CON, and pipes, are not found by the functions that find files. */
bool oc_disk_is_special(const char *path)
{
    const oc_disk_file file = oc_disk_open(path);
    const bool special = file != -1 && GetFileType((HANDLE)file) != FILE_TYPE_DISK;
    if (file != -1)
        oc_disk_close(file);
    return special;
}

FILE *oc_disk_create(const char *path, bool anew)
{
    wide_path name = {.size = 0};
    if (!append(&name, path, strlen(path)))
        return NULL;
    const int how = _O_WRONLY | _O_BINARY | _O_NOINHERIT | (anew ? _O_CREAT | _O_EXCL : 0);
    const int file = _wopen(name.text, how, _S_IREAD | _S_IWRITE);
    return file < 0 ? NULL : _fdopen(file, "wb");
}

bool oc_disk_replace(const char *from, const char *to)
{
    wide_path old = {.size = 0}, new = {.size = 0};
    if (!append(&old, from, strlen(from)) || !append(&new, to, strlen(to)))
        return false;
    const bool good = MoveFileExW(old.text, new.text, MOVEFILE_REPLACE_EXISTING);
    if (!good)
        explain();
    return good;
}

void oc_disk_remove(const char *path)
{
    wide_path name = {.size = 0};
    if (append(&name, path, strlen(path)))
        DeleteFileW(name.text);
}

void *oc_disk_map(oc_disk_file file, size_t size)
{
    const HANDLE map = CreateFileMappingW((HANDLE)file, NULL, PAGE_READONLY, 0, 0, NULL);
    void *p = map ? MapViewOfFile(map, FILE_MAP_READ, 0, 0, size) : NULL;
    if (!p)
        explain();
    if (map)
        CloseHandle(map);
    return p;
}

void oc_disk_unmap(void *bytes, OC_UNUSED size_t size)
{
    UnmapViewOfFile(bytes);
}

void oc_disk_leave(OC_UNUSED const void *bytes, OC_UNUSED size_t size) {}
