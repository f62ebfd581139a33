/* SPDX-License-Identifier: Apache-2.0
 * test_random_nodes.c - random nodes of every version of every operator, some of whose outputs and
 * inputs are left out. A node gives a result or an error that names it, by its kernel and by its
 * body, in bounded time and memory; it ends at any question that the host answers so; its result
 * has the same bits for any number of threads and any instruction set. Arguments: how many nodes of
 * each version; the operator's name, if only one is to be tried, else "all"; the name of a test, if
 * only one is to run. A failure prints the model, and so does one that a sanitizer finds. */
#include "random_node.h"

#include "same_value.h"

#include <ocellus_op.h>
#include <time.h>

static int nodes = 12;
static const char *only = "all";
static const char *current = ""; /* the model that is tried */
static int models, runs, results;

/* A sanitizer's, which calls the function before it ends the process. */
void __sanitizer_set_death_callback(void (*fn)(void)) __attribute__((weak));

static void show_current(void)
{
    fprintf(stderr, "%.4000s\n", current);
}

/* Bytes, steps and seconds that one run may take, where any node must end well. */
static const oc_limits limits = {.memory_cap = 64 << 20, .max_steps = 10000, .deadline = 0.5};

/* Calls try for each node of each version. */
static void for_each_node(random_node *n, const uint32_t wild[4],
                          void try(random_node *n, const char *text))
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)); i++) {
        const oc_sig *sig = NULL;
        oc_error e = {.code = OC_OK};
        ck_assert_int_eq(oc_sig_parse(row->signature, &arena, &sig, &e), OC_OK);
        for (int k = 0; k < nodes && (strcmp(only, "all") == 0 || strcmp(only, sig->name) == 0);
             k++) {
            n->wild = wild[k % 4];
            char *text = random_node_text(n, sig, row->since);
            current = text;
            try(n, text);
            current = "";
            models++;
            free(text);
        }
    }
    oc_arena_free(&arena);
}

/* ---- any node ends well ---- */

/* Of the processor, so that a busy machine fails no test. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Errors that name a node, a line of an operator's function body, or an input of the model that has
 * no value. Limits of a session belong to no node. */
static bool names_its_place(const oc_error *e)
{
    return e->code == OC_LIMIT || e->code == OC_DEADLINE || strstr(e->text, "node '") ||
           strstr(e->text, "node of '") || strstr(e->text, "body of ") ||
           strstr(e->text, "is not bound");
}

/* Every picture has four pixels, and no bytes are none. */
static uint8_t *decode(void *ctx, const void *bytes, size_t size, size_t cap, int64_t *height,
                       int64_t *width)
{
    static uint8_t pixels[12] = {1, 2, 3};
    (void)ctx, (void)bytes, (void)cap;
    *height = *width = 2;
    return size ? pixels : NULL;
}

static void survive_run(random_node *n, const oc_model *m, oc_body_policy policy, const char *text)
{
    suite_random *r = &n->random;
    const oc_session_options options = {.limits = limits,
                                        .threads = suite_below(r, 20) ? 1 : 3,
                                        .cpu = suite_below(r, 2) ? "native" : "scalar",
                                        .bodies.policy = policy,
                                        .image_decoder = {.decode = decode},
                                        .no_folding = suite_below(r, 2),
                                        .no_nchw16c = suite_below(r, 2)};
    oc_error e = {.code = OC_OK};
    const double begin = seconds();
    oc_session *s = oc_session_new(m, &options, &e);
    oc_run(s, &e);
    const double took = seconds() - begin;
    suite_assert(took < 2, "%g seconds\n%.4000s", took, text);
    suite_assert(e.code == OC_OK || names_its_place(&e), "%s\n%.4000s", e.text, text);
    suite_assert(!strstr(e.text, "the operator asked for"), "an operator's mistake: %s\n%.4000s",
                 e.text, text);
    oc_session_free(s);
    runs++;
    results += e.code == OC_OK;
}

static void survive(random_node *n, const char *text)
{
    const oc_model_options loading = {.limits = limits};
    oc_error e = {.code = OC_OK};
    oc_model *m = oc_model_load_memory(text, strlen(text), &loading, &e);
    suite_assert(e.code == OC_OK || *e.text, "an error without text\n%.4000s", text);
    for (int policy = OC_BODY_NATIVE; m && policy <= OC_BODY_STANDARD; policy++)
        survive_run(n, m, (oc_body_policy)policy, text);
    oc_model_free(m);
}

START_TEST(every_node_ends_well)
{
    random_node n = {.random = suite_random_new(7), .most = 5};
    models = 0;
    for_each_node(&n, (const uint32_t[4]){0, 3, 10, 30}, survive);
    printf("%d models, %d runs, %d results\n", models, runs, results);
}
END_TEST

/* ---- a no ends it ---- */

typedef struct questions {
    int64_t asked, no_at; /* the question that is answered by no; 0: none */
} questions;

static bool answer(void *ctx)
{
    questions *q = ctx;
    q->asked++;
    return q->no_at && q->asked >= q->no_at;
}

/* Runs the session until its question no_at. Where that is asked, it ends there. */
static void end_at(oc_session *s, questions *q, int64_t no_at, oc_status alone, const char *text)
{
    oc_error e = {.code = OC_OK};
    *q = (questions){.no_at = no_at};
    oc_run(s, &e);
    suite_assert(e.code == OC_CANCELLED || e.code == alone, "question %lld of a run: %s\n%.4000s",
                 (long long)no_at, e.text, text);
    suite_assert(e.code != OC_OK || q->asked < no_at, "no to question %lld, but it ran on\n%.4000s",
                 (long long)no_at, text);
}

static void cancel(random_node *n, const char *text)
{
    enum { TIMES = 6 };
    suite_random *r = &n->random;
    questions q = {0};
    const oc_limits told = {.memory_cap = limits.memory_cap,
                            .max_steps = limits.max_steps,
                            .cancel = answer,
                            .cancel_ctx = &q};
    const oc_session_options options = {.limits = told,
                                        .threads = suite_below(r, 4) ? 1 : 3,
                                        .cpu = suite_below(r, 2) ? "native" : "scalar",
                                        .no_folding = true,
                                        .no_nchw16c = suite_below(r, 2)};
    const oc_model_options loading = {.limits = limits};
    oc_error e = {.code = OC_OK};
    oc_model *m = oc_model_load_memory(text, strlen(text), &loading, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    q = (questions){0};
    oc_run(s, &e);
    const uint32_t all = (uint32_t)q.asked;
    for (int i = 0; s && i < TIMES && all > 0; i++) /* the last ones are asked as it ends */
        end_at(s, &q, i < 2 ? all - (uint32_t)i % all : 1 + suite_below(r, all), e.code, text);
    oc_session_free(s);
    oc_model_free(m);
}

START_TEST(any_question_ends_it)
{
    random_node n = {.random = suite_random_new(9), .most = 9};
    for_each_node(&n, (const uint32_t[4]){0, 0, 1, 3}, cancel);
}
END_TEST

/* ---- the same bits ---- */

static oc_session *run(const oc_model *m, const char *cpu, int threads, oc_error *e)
{
    const oc_session_options options = {
        .limits = {.memory_cap = limits.memory_cap, .max_steps = limits.max_steps},
        .cpu = cpu,
        .threads = threads};
    oc_session *s = oc_session_new(m, &options, e);
    oc_run(s, e);
    return s;
}

static void compare(random_node *n, const char *text)
{
    static const struct {
        const char *cpu;
        int threads;
    } other[] = {{"scalar", 7}, {"v128", 1}, {"avx2", 1},
                 {"avx512", 1}, {"neon", 2}, {"native", 7}};
    oc_error e = {.code = OC_OK};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *first = run(m, "scalar", 1, &e);
    for (size_t i = 0; e.code == OC_OK && i < sizeof other / sizeof *other; i++) {
        oc_session *s = run(m, other[i].cpu, other[i].threads, &e);
        suite_assert(e.code == OC_OK, "%s, with %s and %d threads\n%.4000s", e.text, other[i].cpu,
                     other[i].threads, text);
        for (int k = 0; k < n->n_out; k++)
            suite_assert(same_value(oc_fetch_value_at(s, k, &e), oc_fetch_value_at(first, k, &e)),
                         "output %d has other bits with %s and %d threads\n%.4000s", k,
                         other[i].cpu, other[i].threads, text);
        oc_session_free(s);
    }
    oc_session_free(first);
    oc_model_free(m);
}

START_TEST(bits_are_the_same)
{
    random_node n = {.random = suite_random_new(8), .most = 11};
    for_each_node(&n, (const uint32_t[4]){0, 0, 1, 3}, compare);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {every_node_ends_well, any_question_ends_it, bits_are_the_same};
    if (argc > 1)
        nodes = atoi(argv[1]);
    only = argc > 2 ? argv[2] : only;
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(show_current);
    for (size_t i = 0; argc > 3 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i]->name, argv[3]) == 0)
            return suite_run("random_nodes", &tests[i], 1);
    return suite_run("random_nodes", tests, sizeof tests / sizeof *tests);
}
