/* SPDX-License-Identifier: Apache-2.0
 * temp_folder_windows.c - a temporary folder, and commands that work in it.
 *
 * The commands belong to a job, which ends them when this process ends. */
#define WIN32_LEAN_AND_MEAN
#include "common/temp_folder.h"

#include "common/signals.h"

#include <dirent.h>
#include <errno.h>
#include <windows.h>

struct temp_folder {
    char *folder;
};

/* ---- the folder ---- */

static bool remove_tree(const char *path)
{
    const DWORD kind = GetFileAttributesA(path);
    if (kind == INVALID_FILE_ATTRIBUTES)
        return true;
    if (!(kind & FILE_ATTRIBUTE_DIRECTORY))
        return DeleteFileA(path);
    DIR *folder = kind & FILE_ATTRIBUTE_REPARSE_POINT ? NULL : opendir(path);
    for (const struct dirent *item; folder && (item = readdir(folder)) != NULL;)
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0) {
            char *inner = tool_format("%s/%s", path, item->d_name);
            remove_tree(inner);
            free(inner);
        }
    if (folder)
        closedir(folder);
    return RemoveDirectoryA(path);
}

void temp_folder_empty(const char *path, oc_error *e)
{
    if (!remove_tree(path))
        tool_fail(e, OC_IO, "%s: not all of this folder could be removed", path);
}

const char *temp_folder_folder(const temp_folder *k)
{
    return k->folder;
}

temp_folder *temp_folder_new(oc_error *e)
{
    enum { TRIES = 100 };
    char above[MAX_PATH + 1];
    const char *chosen = getenv("TMPDIR");
    if (!chosen || !*chosen) {
        const DWORD size = GetTempPathA(sizeof above, above);
        if (size && size < sizeof above)
            above[size - 1] = 0; /* cuts a slash off */
        chosen = size && size < sizeof above ? above : ".";
    }
    temp_folder *k = tool_alloc(1, sizeof *k);
    for (int i = 0; i < TRIES; i++) {
        k->folder = tool_format("%s/ocellus-%lu-%d", chosen, GetCurrentProcessId(), i);
        if (CreateDirectoryA(k->folder, NULL))
            return k;
        const bool taken = GetLastError() == ERROR_ALREADY_EXISTS;
        if (!taken || i + 1 == TRIES)
            tool_fail(e, OC_IO, "%s: this temporary folder cannot be made", k->folder);
        free(k->folder);
        if (!taken)
            break;
    }
    free(k);
    return NULL;
}

void temp_folder_free(temp_folder *k)
{
    if (!k)
        return;
    if (!remove_tree(k->folder))
        tool_say("%s: not all of this temporary folder could be removed", k->folder);
    free(k->folder);
    free(k);
}

/* ---- commands ---- */

/* Makes a job whose processes end when its last handle is closed. */
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    const HANDLE job = CreateJobObjectA(NULL, NULL);
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* Starts the line as part of the job, with standard error as its standard output. */
static bool start_line(HANDLE job, const char *line, PROCESS_INFORMATION *process)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    const HANDLE nothing = CreateFileA("NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                       &inherited, OPEN_EXISTING, 0, NULL);
    HANDLE said = INVALID_HANDLE_VALUE;
    const HANDLE self = GetCurrentProcess();
    DuplicateHandle(self, GetStdHandle(STD_ERROR_HANDLE), self, &said, 0, TRUE,
                    DUPLICATE_SAME_ACCESS);
    STARTUPINFOA how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = nothing,
                        .hStdOutput = said,
                        .hStdError = said};
    /* a copy, because CreateProcess writes into it */
    char *words = tool_format("cmd.exe /d /s /c \"%s\"", line);
    const bool started =
        CreateProcessA(NULL, words, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP,
                       NULL, NULL, &how, process);
    if (started) {
        AssignProcessToJobObject(job, process->hProcess);
        ResumeThread(process->hThread);
        CloseHandle(process->hThread);
    }
    free(words);
    CloseHandle(nothing);
    CloseHandle(said);
    return started;
}

/* Waits for the process. Returns false when the time is over or Ctrl-C came first. */
static bool wait_for(HANDLE process, double seconds)
{
    enum { LOOK = 20 }; /* milliseconds between two looks */
    const ULONGLONG end = GetTickCount64() + (ULONGLONG)(seconds < 1e12 ? seconds * 1000 : 1e15);
    while (WaitForSingleObject(process, LOOK) != WAIT_OBJECT_0)
        if (signals_cancelled(NULL) || GetTickCount64() > end)
            return false;
    return true;
}

temp_folder_end temp_folder_run(temp_folder *k, const char *line, double seconds, oc_error *e)
{
    temp_folder_end end = {0};
    PROCESS_INFORMATION process;
    DWORD code = 0;
    (void)k;
    if (e->code != OC_OK)
        return end;
    const HANDLE job = make_job();
    if (!job || !start_line(job, line, &process)) {
        tool_fail(e, OC_IO, "cmd.exe: it cannot be started");
        if (job)
            CloseHandle(job);
        return end;
    }
    end.late = !wait_for(process.hProcess, seconds);
    TerminateJobObject(job, 1);
    WaitForSingleObject(process.hProcess, INFINITE);
    if (!end.late && GetExitCodeProcess(process.hProcess, &code))
        end.code = (int)code;
    CloseHandle(process.hProcess);
    CloseHandle(job);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "interrupted");
    return end;
}

/* There are no signals; exit codes tell of exceptions. */
const char *temp_folder_signal_name(OC_UNUSED int number)
{
    return "";
}

char *temp_folder_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:\\@+-";
    if (*text && text[strspn(text, plain)] == 0)
        return tool_format("%s", text);
    return tool_format("\"%s\"", text); /* no file's name contains a quote */
}
