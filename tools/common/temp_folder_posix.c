/* SPDX-License-Identifier: Apache-2.0
 * temp_folder_posix.c - a temporary folder, and commands that work in it, neither of which
 * outlives this process.
 *
 * A second process waits until this one has ended, even by SIGKILL. Then it ends the command
 * that still runs, and removes the folder. */
#define _XOPEN_SOURCE 700
#include "common/temp_folder.h"

#include "common/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct temp_folder {
    char *folder;
    pid_t process;
    int pipe; /* to that process: the process group of the current command, 0 for none */
};

/* ---- the folder ---- */

static int remove_one(const char *path, OC_UNUSED const struct stat *st, OC_UNUSED int kind,
                      OC_UNUSED struct FTW *where)
{
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

static bool remove_tree(const char *path)
{
    enum { FOLDERS = 16 }; /* folders held open at a time */
    return nftw(path, remove_one, FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}

void temp_folder_empty(const char *path, oc_error *e)
{
    if (!remove_tree(path))
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
}

const char *temp_folder_folder(const temp_folder *k)
{
    return k->folder;
}

/* ---- the process that waits ---- */

/* Runs as the second process: when the other process has ended, removes everything that it left.
 * Signals that are sent to both must not end this one first. */
static void remove_after_end(const char *folder, int pipe)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};
    pid_t group = 0, next;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    setsid();
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    for (ssize_t n; (n = read(pipe, &next, sizeof next)) != 0;)
        if (n == (ssize_t)sizeof next)
            group = next;
        else if (errno != EINTR)
            break;
    if (group)
        kill(-group, SIGKILL);
    _exit(remove_tree(folder) ? 0 : 1);
}

static void start_process(temp_folder *k, oc_error *e)
{
    int ends[2];
    if (pipe(ends) != 0) {
        tool_fail(e, OC_IO, "pipe: %s", strerror(errno));
        return;
    }
    k->process = fork();
    if (k->process == 0) {
        close(ends[1]);
        remove_after_end(k->folder, ends[0]);
    }
    close(ends[0]);
    k->pipe = ends[1];
    fcntl(k->pipe, F_SETFD, FD_CLOEXEC);
    if (k->process < 0)
        tool_fail(e, OC_IO, "fork: %s", strerror(errno));
}

temp_folder *temp_folder_new(oc_error *e)
{
    const char *above = getenv("TMPDIR");
    temp_folder *k = tool_alloc(1, sizeof *k);
    k->pipe = -1;
    k->folder = tool_format("%s/ocellus-XXXXXX", above && *above ? above : "/tmp");
    /* this process waits for others, also if it was started with SIGCHLD ignored */
    signal(SIGCHLD, SIG_DFL);
    if (!mkdtemp(k->folder)) {
        tool_fail(e, OC_IO, "%s: %s", k->folder, strerror(errno));
    } else {
        start_process(k, e);
        if (k->process < 0)
            remove_tree(k->folder);
    }
    if (e->code == OC_OK)
        return k;
    temp_folder_free(k);
    return NULL;
}

void temp_folder_free(temp_folder *k)
{
    int status = 0;
    if (!k)
        return;
    if (k->pipe >= 0)
        close(k->pipe);
    if (k->process > 0) {
        while (waitpid(k->process, &status, 0) < 0 && errno == EINTR)
            ;
        if (status != 0)
            tool_say("%s: not all of this temporary folder could be removed", k->folder);
    }
    free(k->folder);
    free(k);
}

/* ---- commands ---- */

static void tell_process(const temp_folder *k, pid_t group)
{
    while (write(k->pipe, &group, sizeof group) < 0 && errno == EINTR)
        ;
}

/* Starts the line as a process group of its own, in which signals that this process ignores are
 * not ignored. Returns an errno. */
static int spawn(const char *line, pid_t *out)
{
    extern char **environ;
    char *const words[] = {"sh", "-c", (char *)line, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &usual);
    const int failure = posix_spawn(out, "/bin/sh", &files, &how, words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for the process. Returns false when the time is over or SIGINT came first. */
static bool wait_until(pid_t process, double end, int *status)
{
    enum { SHORTEST = 1000000, LONGEST = 50000000 }; /* nanoseconds between two looks */
    struct timespec pause = {.tv_nsec = SHORTEST};
    while (waitpid(process, status, WNOHANG) != process) {
        if (signals_cancelled(NULL) || clock_now() > end)
            return false;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < LONGEST ? pause.tv_nsec * 3 / 2 : LONGEST;
    }
    return true;
}

temp_folder_end temp_folder_run(temp_folder *k, const char *line, double seconds, oc_error *e)
{
    temp_folder_end end = {0};
    pid_t process;
    int status = 0;
    if (e->code != OC_OK)
        return end;
    const int failure = spawn(line, &process);
    if (failure) {
        tool_fail(e, OC_IO, "/bin/sh: %s", strerror(failure));
        return end;
    }
    tell_process(k, process);
    end.late = !wait_until(process, clock_now() + seconds, &status);
    kill(-process, SIGKILL);
    while (end.late && waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    tell_process(k, 0);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "interrupted");
    if (!end.late && WIFEXITED(status))
        end.code = WEXITSTATUS(status);
    else if (!end.late)
        end.signal = WTERMSIG(status);
    return end;
}

const char *temp_folder_signal_name(int number)
{
    return strsignal(number);
}
