/* SPDX-License-Identifier: Apache-2.0
 * test_confine.c - what a confined process can still do, and what it cannot. Each try is made by a
 * child. */
#define _DEFAULT_SOURCE /* mkdtemp, MAP_ANONYMOUS */
#include "suite.h"

#include "common/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LACKS = 77, MEMORY = 64 << 20 };

static char folder[256], outside[300], inside[300];
static double seconds = 100; /* of processor time */

static void make_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ocellus-confine-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(outside, sizeof outside, "%s/outside", folder);
    snprintf(inside, sizeof inside, "%s/inside", folder);
    ck_assert_int_eq(mkdir(inside, 0700), 0);
    FILE *f = fopen(outside, "w");
    ck_assert_ptr_nonnull(f);
    fputs("secret", f);
    fclose(f);
}

static void remove_folder(void)
{
    rmdir(inside);
    unlink(outside);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* The exit code of a child that is confined to the folder inside, and then tries. LACKS: this
 * system does not give what needs says. */
static int in_child(int (*try)(void), confined needs)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        confine c = confine_begin();
        confine_allow_read(&c, inside);
        confine_allow_write(&c, inside);
        const confined got = confine_enter(&c, MEMORY, seconds);
        _exit((needs.files && !got.files) || (needs.calls && !got.calls) ? LACKS : try());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "a signal ended the child: %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Each try returns errno, or 0 if it went well. */
static int outcome(long result)
{
    return result < 0 ? errno : 0;
}

/* ---- files ---- */

static int read_outside(void)
{
    return outcome(open(outside, O_RDONLY));
}

static int write_outside(void)
{
    return outcome(open(outside, O_WRONLY | O_TRUNC));
}

static int make_outside(void)
{
    char path[320];
    snprintf(path, sizeof path, "%s/new", folder);
    return outcome(open(path, O_WRONLY | O_CREAT, 0600));
}

static int remove_outside(void)
{
    return outcome(unlink(outside));
}

static int leave_by_dots(void)
{
    char path[320];
    snprintf(path, sizeof path, "%s/../outside", inside);
    return outcome(open(path, O_RDONLY));
}

/* As the command writes and reads: under another name first. */
static int use_inside(void)
{
    char part[320], whole[320], bytes[8] = {0};
    snprintf(part, sizeof part, "%s/part", inside);
    snprintf(whole, sizeof whole, "%s/whole", inside);
    int file = open(part, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, "x", 1) != 1 || close(file) != 0 || rename(part, whole) != 0)
        return errno;
    file = open(whole, O_RDONLY);
    if (file < 0 || read(file, bytes, 8) != 1 || close(file) != 0 || unlink(whole) != 0)
        return errno;
    return bytes[0] != 'x';
}

START_TEST(only_allowed_files_are_opened)
{
    static int (*const refused[])(void) = {read_outside, write_outside, make_outside,
                                           remove_outside, leave_by_dots};
    make_folder();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const int got = in_child(refused[i], (confined){.files = true});
        ck_assert_msg(got == EACCES || got == LACKS, "try %zu: %d", i, got);
    }
    ck_assert_int_eq(in_child(use_inside, (confined){false, false}), 0);
    remove_folder();
}
END_TEST

/* ---- system calls ---- */

static int open_socket(void)
{
    return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int start_process(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    return outcome(child);
}

static int start_program(void)
{
    char *const argv[] = {(char[]){"true"}, NULL};
    return outcome(execve("/bin/true", argv, argv + 1));
}

static int signal_another(void)
{
    return outcome(kill(getppid(), 0));
}

static int make_code(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : 0;
}

static int turn_into_code(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? 0 : outcome(mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

static int raise_limit(void)
{
    const struct rlimit r = {0, 0};
    return outcome(setrlimit(RLIMIT_STACK, &r));
}

static int change_mode(void)
{
    return outcome(chmod(inside, 0));
}

static int own_signals(void)
{
    return outcome(fcntl(0, F_SETOWN, getpid()));
}

START_TEST(what_running_does_not_take_is_refused)
{
    static int (*const refused[])(void) = {open_socket,    start_process, start_program,
                                           signal_another, make_code,     turn_into_code,
                                           raise_limit,    change_mode,   own_signals};
    make_folder();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const int got = in_child(refused[i], (confined){.calls = true});
        ck_assert_msg(got == EPERM || got == LACKS, "try %zu: %d", i, got);
    }
    remove_folder();
}
END_TEST

static void *set_to_one(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static int start_threads(void)
{
    enum { N = 4 };
    pthread_t thread[N];
    int done[N] = {0}, n = 0;
    for (int i = 0; i < N; i++)
        if (pthread_create(&thread[i], NULL, set_to_one, &done[i]) != 0)
            return EAGAIN;
    for (int i = 0; i < N; i++)
        n += pthread_join(thread[i], NULL) == 0 && done[i];
    return n != N;
}

static volatile sig_atomic_t raised;

static void on_signal(int number)
{
    raised = number;
}

static int raise_own(void)
{
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    return raised != SIGUSR1;
}

START_TEST(what_running_takes_is_not)
{
    make_folder();
    ck_assert_int_eq(in_child(start_threads, (confined){false, false}), 0);
    ck_assert_int_eq(in_child(raise_own, (confined){false, false}), 0);
    remove_folder();
}
END_TEST

/* ---- limits ---- */

static int take(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : 0;
}

static int take_some(void)
{
    return take(MEMORY / 2);
}

static int take_too_much(void)
{
    return take(MEMORY + (1 << 20));
}

static int has_limits(void)
{
    static const struct {
        int resource;
        rlim_t most;
    } want[] = {{RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 64}, {RLIMIT_CPU, 101}};
    for (int i = 0; i < 3; i++) {
        struct rlimit r;
        if (getrlimit(want[i].resource, &r) != 0 || r.rlim_cur > want[i].most ||
            r.rlim_max > want[i].most + 5)
            return i + 1;
    }
    return 0;
}

/* The command removes half-written files when this signal comes. */
static int work_until_told(void)
{
    signal(SIGXCPU, on_signal);
    while (!raised)
        ;
    return raised != SIGXCPU;
}

START_TEST(past_the_time_a_signal_comes)
{
    make_folder();
    seconds = 0.5;
    ck_assert_int_eq(in_child(work_until_told, (confined){false, false}), 0);
    seconds = 100;
    remove_folder();
}
END_TEST

START_TEST(resources_are_limited)
{
    make_folder();
    ck_assert_int_eq(in_child(has_limits, (confined){false, false}), 0);
    ck_assert_int_eq(in_child(take_some, (confined){false, false}), 0);
    ck_assert_int_eq(in_child(take_too_much, (confined){false, false}), ENOMEM);
    remove_folder();
}
END_TEST

SUITE("confine", only_allowed_files_are_opened, what_running_does_not_take_is_refused,
      what_running_takes_is_not, past_the_time_a_signal_comes, resources_are_limited)
