/* SPDX-License-Identifier: Apache-2.0
 * system_calls.c - which system calls may this process make? Filters them by seccomp, in the
 * kernel's filter language (BPF). */
#define _GNU_SOURCE /* declares syscall numbers */
#include "common/system_calls.h"

#if defined(TOOLS_SECCOMP) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
static const unsigned ARCHITECTURE = AUDIT_ARCH_X86_64;
#else
static const unsigned ARCHITECTURE = AUDIT_ARCH_AARCH64;
#endif

/* Calls that are allowed whatever their arguments. Landlock decides which files they reach. */
static const int plain[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_openat,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_mkdirat,
    SYS_renameat,
    SYS_unlinkat,
    SYS_ftruncate,
    SYS_fsync,
    SYS_fadvise64,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_set_robust_list,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_gettid,
    SYS_getpid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_getrandom,
    SYS_uname,
    SYS_sysinfo,
    SYS_membarrier,
    SYS_ppoll,
#ifdef SYS_open /* does not exist on every processor */
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_readlink,
    SYS_access,
    SYS_mkdir,
    SYS_rename,
    SYS_unlink,
    SYS_rmdir,
    SYS_poll,
    SYS_time,
    SYS_getrlimit,
#endif
#ifdef SYS_statx /* missing in some headers */
    SYS_statx,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
};
enum { N_PLAIN = sizeof plain / sizeof *plain, ROOM = 2 * N_PLAIN + 64 };

typedef struct filter {
    struct sock_filter step[ROOM];
    unsigned short n;
} filter;

static void put(filter *f, struct sock_filter step)
{
    f->step[f->n++] = step;
}

static void load(filter *f, size_t offset)
{
    put(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

/* Ends with the result if the word that was loaded last passes the test; otherwise continues
 * behind the end. */
static void end_if(filter *f, unsigned test, unsigned with, unsigned result)
{
    put(f, (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | test | BPF_K), with, 0, 1));
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

/* Returns where the low word of an argument is, or with half 1 the high word. Both processors
 * store the low word first. */
static size_t argument(int i, int half)
{
    return offsetof(struct seccomp_data, args) + 8 * (size_t)i + 4 * (size_t)half;
}

static const unsigned REFUSED = SECCOMP_RET_ERRNO | EPERM;

/* Allows call number if the low word of its argument passes the test; else refuses it. */
static void allow_if(filter *f, int number, int i, unsigned test, unsigned with)
{
    enum { STEPS = 4 };
    put(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, STEPS));
    load(f, argument(i, 0));
    end_if(f, test, with, SECCOMP_RET_ALLOW);
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, REFUSED));
}

/* As allow_if, but a word that passes the test is refused. */
static void allow_unless(filter *f, int number, int i, unsigned test, unsigned with)
{
    enum { STEPS = 4 };
    put(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, STEPS));
    load(f, argument(i, 0));
    end_if(f, test, with, REFUSED);
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* Limits may be read but not set: the argument with new limits must be NULL. */
static void allow_asking_for_limits(filter *f)
{
    enum { STEPS = 6, NEW_LIMITS = 2 };
    put(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, STEPS));
    load(f, argument(NEW_LIMITS, 0));
    put(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    load(f, argument(NEW_LIMITS, 1));
    end_if(f, BPF_JEQ, 0, SECCOMP_RET_ALLOW);
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, REFUSED));
}

static void make_filter(filter *f)
{
    load(f, offsetof(struct seccomp_data, arch));
    put(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, REFUSED));
    load(f, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N_PLAIN; i++)
        end_if(f, BPF_JEQ, (unsigned)plain[i], SECCOMP_RET_ALLOW);
#ifdef SYS_clone3 /* its flags are in memory, where a filter cannot look: without it clone is used \
                   */
    end_if(f, BPF_JEQ, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    allow_if(f, SYS_clone, 0, BPF_JSET, CLONE_THREAD); /* allows threads, not processes */
    allow_unless(f, SYS_mmap, 2, BPF_JSET, PROT_EXEC);
    allow_unless(f, SYS_mprotect, 2, BPF_JSET, PROT_EXEC);
    allow_if(f, SYS_ioctl, 1, BPF_JEQ, TCGETS); /* asks whether it is a terminal */
    allow_unless(f, SYS_fcntl, 1, BPF_JGT, F_GETFL);
    allow_if(f, SYS_tgkill, 0, BPF_JEQ, (unsigned)getpid()); /* for raise and abort */
    allow_asking_for_limits(f);
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, REFUSED));
}

bool system_calls_filter(void)
{
    filter f = {.n = 0};
    make_filter(&f);
    const struct sock_fprog program = {f.n, f.step};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool system_calls_filter(void)
{
    return false;
}

#endif
