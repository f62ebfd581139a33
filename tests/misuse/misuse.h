/* SPDX-License-Identifier: Apache-2.0
 * misuse.h - mistakes of a host, one a line, each made in a child process of its own, so that one
 * that crashes or hangs is a finding with its name and the others go on.
 *
 * In the child there are a model m, a session s of it whose input is bound, and a clear error e.
 * The macros tell what the mistake must come to; what is left is freed after it. */
#pragma once

#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <ocellus_op.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MISUSE(want, name, ...)                                                                    \
    do {                                                                                           \
        if (misuse_begin(name)) {                                                                  \
            __VA_ARGS__;                                                                           \
            misuse_end(want);                                                                      \
        }                                                                                          \
    } while (0)
/* The mistake must set an error with this code and a text. */
#define REFUSED(want, ...) MISUSE(OC_##want, #__VA_ARGS__, __VA_ARGS__)
/* The size must be refused, as narrow where addresses have 32 bits. */
#define REFUSED_SIZE(narrow, want, ...)                                                            \
    MISUSE(SUITE_NARROW ? OC_##narrow : OC_##want, #__VA_ARGS__, __VA_ARGS__)
/* The call must set no error. */
#define HARMLESS(...) MISUSE(OC_OK, #__VA_ARGS__, __VA_ARGS__)
/* The expression must be true, and set no error. */
#define GIVES(...)    MISUSE(OC_OK, #__VA_ARGS__, misuse_check(__VA_ARGS__))

static const char misuse_model[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                   "g (float[N] x) => (float[N] y, float[N] z)\n"
                                   "{ a = Neg (x)  y = Abs (a)  z = Add (y, x) }";
static const float x[4] = {1, -2, 3, -4};
static const int64_t dim[17] = {4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static oc_error *e;
static oc_model *m;
static oc_session *s;
static oc_error misuse_error;
static int misuse_n, misuse_findings;

static inline oc_model *load(const char *text)
{
    return oc_model_load_memory(text, strlen(text), NULL, e);
}

/* A session with one thread, so that no mistake depends on timing. */
static inline oc_session *start(oc_session_options o)
{
    if (!o.threads)
        o.threads = 1;
    return oc_session_new(m, &o, e);
}

/* In place of the model and session of the child: those of the text, with operators of the host. */
static inline void begin_rows(const char *text, const oc_op *rows)
{
    oc_session_free(s);
    oc_model_free(m);
    m = load(text);
    s = start((oc_session_options){.ops = rows});
}

static inline void bind_x(oc_session *session)
{
    oc_bind(session, "x", OC_F32, 1, dim, x, e);
}

/* Is the outcome of these calls as it should be? Ends the child if not. */
static inline void misuse_check(bool right)
{
    if (right)
        return;
    printf("  not as expected; error %s: %s\n", oc_status_name(e->code), e->text);
    exit(2);
}

static inline void misuse_fail(const char *name, int status)
{
    if (WIFSIGNALED(status))
        printf("FAILED, signal %d: %s\n", WTERMSIG(status), name);
    else
        printf("FAILED, exit %d: %s\n", WEXITSTATUS(status), name);
    misuse_findings++;
}

/* In the child: true. In the parent, after the child's end: false. */
static inline bool misuse_begin(const char *name)
{
    int status = 0;
    misuse_n++;
    fflush(stdout);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child) {
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        if (status)
            misuse_fail(name, status);
        return false;
    }
    signal(SIGALRM, SIG_DFL); /* what Check does then would end the parent too */
    alarm(30);
    e = &misuse_error;
    m = load(misuse_model);
    s = start((oc_session_options){.threads = 1});
    bind_x(s);
    misuse_check(e->code == OC_OK);
    return true;
}

/* Compares the error, frees what is left, and ends the child. */
static inline void misuse_end(oc_status want)
{
    if (misuse_error.code != want || (want != OC_OK && !misuse_error.text[0])) {
        printf("  %s '%s', expected %s\n", oc_status_name(misuse_error.code), misuse_error.text,
               oc_status_name(want));
        exit(3);
    }
    oc_session_free(s);
    oc_model_free(m);
    exit(0);
}

/* Ends a test: tells how many mistakes there were, and fails if there were findings. */
static inline void misuse_report(void)
{
    printf("%d of %d mistakes are findings\n", misuse_findings, misuse_n);
    const int findings = misuse_findings;
    misuse_n = misuse_findings = 0;
    ck_assert_int_eq(findings, 0);
}
