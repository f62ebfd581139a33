/* SPDX-License-Identifier: Apache-2.0
 * test_asks.c - every operator asks the host at least every 100 ms whether to go on.
 *
 * costly_models.txt has models whose one costly node works for longer than that. Inputs are zeros
 * of the declared dims. The processor time between two questions counts, without the system's:
 * neither other work on the machine nor how long it takes to give a page counts. A virtual machine
 * bills a page that its host must find first to the program, so a model that seems silent runs
 * again in the same session, whose buffers have their pages by then. Each model that takes 100 ms
 * then runs once more and is told to end after a quarter, half or three quarters of its time: it
 * must, within 100 ms.
 * The suite runs a sample of the models and allows twice the time, as machines are shared.
 * OC_EACH=n runs each n-th one; 1: all, by the time itself, in five minutes. OC_ONLY=Name runs the
 * models whose title begins so, with all three parts, and tells their times. */
#define _DEFAULT_SOURCE /* getrusage */
#include "suite.h"

#include <math.h>
#include <ocellus.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_INPUTS = 8, RUNS = 5 };

/* Seconds that may pass on a machine of one's own; how much slower a shared one is, or a build with
 * sanitizers or counters. */
static const double MOST = 0.1;
#ifdef OC_SLOW
enum { SHARED = 20, SAMPLE = 61 };
#else
enum { SHARED = 2, SAMPLE = 13 };
#endif

/* Seconds of processor time. */
typedef struct moment {
    double user;  /* without the system's; the kernel guesses it by its ticks */
    double whole; /* with the system's; counted */
} moment;

typedef struct questions {
    moment last;
    double longest, sum; /* without the system's */
    double whole;        /* with the system's */
    double until;        /* the sum at which the work shall end; 0: none */
    double ending;       /* from that to the end */
    int asked;
} questions;

/* Each which model runs, or 0 for the sample of the suite. */
static int each(void)
{
    const char *n = getenv("OC_EACH");
    return n ? atoi(n) : 0;
}

static double most(void)
{
    return each() == 1 ? MOST : MOST * SHARED;
}

/* Was the host not asked for long, or its wish not heeded, or not asked at all by a node that took
 * long? */
static bool is_silent(const questions *q)
{
    enum { FEW = 6 }; /* the questions around a node, by allocations too */
    return q->longest > most() || q->ending > most() || (q->asked < FEW && q->whole > most());
}

static moment now(void)
{
    struct rusage use;
    struct timespec t;
    getrusage(RUSAGE_SELF, &use);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (moment){(double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec,
                    (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

/* Seconds without the system's: never more than with them, whatever the kernel guesses. */
static double between(moment begin, moment end)
{
    return fmin(end.user - begin.user, end.whole - begin.whole);
}

static void note(questions *q)
{
    const moment t = now();
    const double gap = between(q->last, t);
    q->longest = gap > q->longest ? gap : q->longest;
    q->sum += gap;
    q->last = t;
}

static bool ask(void *ctx)
{
    questions *q = ctx;
    note(q);
    q->asked++;
    return q->until > 0 && q->sum >= q->until;
}

static void bind_zeros(oc_session *s, const oc_model *m, void *data[MOST_INPUTS], oc_error *e)
{
    ck_assert_int_le(oc_model_n_inputs(m), MOST_INPUTS);
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port p = oc_model_input(m, i);
        size_t n = 1;
        for (int a = 0; a < p.rank; a++)
            n *= (size_t)p.dim[a];
        data[i] = calloc(n ? n : 1, oc_type_size(p.type));
        ck_assert_ptr_nonnull(data[i]);
        oc_bind(s, p.name, p.type, p.rank, p.dim, data[i], e);
    }
}

static questions run_once(oc_session *s, questions *q, oc_error *e)
{
    const moment begin = now();
    *q = (questions){.last = begin};
    oc_run(s, e);
    note(q);
    q->whole = q->last.whole - begin.whole;
    return *q;
}

/* Tells the session's run to end after this number of seconds, or half of them if it is done by
 * then, and so on. Returns the seconds from the wish to the end. */
static double end_early(oc_session *s, questions *q, double until, const char *title)
{
    oc_error e = {OC_OK, ""};
    for (; e.code == OC_OK && until > 1e-6; until /= 2) {
        *q = (questions){.last = now(), .until = until};
        oc_run(s, &e);
    }
    ck_assert_msg(e.code == OC_CANCELLED, "%s: ended with %d when told to end: %s", title,
                  (int)e.code, e.text);
    return between(q->last, now());
}

/* As above, of the first run that ended in time, or of the last of some runs. */
static double least_ending(oc_session *s, questions *q, double until, const char *title)
{
    double ending = end_early(s, q, until, title);
    for (int i = 1; i < RUNS && ending > most(); i++)
        ending = end_early(s, q, until, title);
    return ending;
}

/* The questions of the first run that was not silent, or of the last of some runs; the parts are
 * the quarters of its time after which the session is told to end. */
static questions run(const char *title, const char *text, int first_part, int last_part)
{
    questions q = {0};
    const oc_model_options loading = {.limits.memory_cap = SIZE_MAX};
    const oc_session_options options = {
        .threads = 1, .no_folding = true, .limits.cancel = ask, .limits.cancel_ctx = &q};
    void *data[MOST_INPUTS] = {NULL};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), &loading, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    if (e.code == OC_OK)
        bind_zeros(s, m, data, &e);
    questions told = run_once(s, &q, &e);
    for (int i = 1; i < RUNS && e.code == OC_OK && is_silent(&told); i++)
        told = run_once(s, &q, &e);
    ck_assert_msg(e.code == OC_OK, "%s: %s", title, e.text);
    for (int part = first_part; part <= last_part && told.sum > MOST; part++)
        told.ending = fmax(told.ending, least_ending(s, &q, told.sum * part / 4, title));
    oc_session_free(s);
    oc_model_free(m);
    for (int i = 0; i < MOST_INPUTS; i++)
        free(data[i]);
    return told;
}

/* Cuts the block that begins at *at, "=== title", a line end and a model, off the text. */
static bool next_block(char **at, const char **title, const char **text)
{
    char *begin = *at, *line = begin ? strchr(begin, '\n') : NULL;
    if (!line || strncmp(begin, "=== ", 4) != 0)
        return false;
    *line = 0;
    *title = begin + 4;
    *text = line + 1;
    char *end = strstr(line + 1, "\n=== ");
    *at = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return true;
}

static char *read_file(const char *path)
{
    enum { ROOM = 1 << 18 };
    FILE *f = fopen(path, "rb");
    char *text = calloc(ROOM, 1);
    ck_assert_msg(f && text, "%s cannot be read", path);
    ck_assert_uint_lt(fread(text, 1, ROOM - 1, f), ROOM - 1);
    fclose(f);
    return text;
}

START_TEST(no_operator_is_silent_for_long)
{
    const char *only = getenv("OC_ONLY"), *title, *text;
    char *all = read_file(OC_COSTLY_MODELS), *at = strstr(all, "\n=== ") + 1;
    const int step = each() > 0 ? each() : SAMPLE;
    int models = 0, silent = 0, n = 0;
    while (next_block(&at, &title, &text)) {
        if (only ? strncmp(title, only, strlen(only)) != 0 : n++ % step != 0)
            continue;
        const int part = 1 + models % 3;
        const questions q = run(title, text, only ? 1 : part, only ? 3 : part);
        models++;
        silent += is_silent(&q);
        if (only || is_silent(&q))
            printf("%s: asked %d times in %.3f s, longest %.3f s, ended in %.3f s\n", title,
                   q.asked, q.sum, q.longest, q.ending);
    }
    free(all);
    printf("%d models; OC_EACH=1 runs all\n", models);
    ck_assert_int_gt(models, 0);
    ck_assert_msg(silent == 0, "%d of %d models did not ask, or end, for longer than %g s", silent,
                  models, most());
}
END_TEST

SUITE("asks", no_operator_is_silent_for_long)
