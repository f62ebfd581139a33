/* SPDX-License-Identifier: Apache-2.0
 * guard.c - runs text cases in memory that ends where no page is, filled with one pattern, then
 * with another.
 *
 * usage: guard_cases FILE|FOLDER...
 *
 * A kernel that touches what lies behind an input or a block crashes; one that writes beside a
 * block breaks a mark there; one that reads what nobody wrote gives other results with the other
 * pattern. Sanitizers do not see what instructions with masks do; this holds for every instruction
 * set that the machine has. Each case runs on the best of them, and on AVX2 where that is not the
 * best. */
#define _DEFAULT_SOURCE /* mmap, sysconf */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARK = 0x6d, SCALAR = 16 /* bytes of the largest element, whose multiple a block is */ };

/* Pages that were given back, by their number, each followed by the one that is not there: to ask
 * the system for new ones takes most of the time. */
enum { IDLE_PAGES = 16, IDLE_EACH = 64 };
static struct {
    int n;
    char *all[IDLE_EACH];
} idle[IDLE_PAGES + 1];

typedef struct guarded {
    size_t page;
    int pattern; /* a byte of fresh memory */
    long blocks, broken;
} guarded;

static size_t up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* size bytes of pages, and a page that is not there. */
static char *take_pages(const guarded *g, size_t size)
{
    const size_t n = size / g->page;
    if (n <= IDLE_PAGES && idle[n].n > 0)
        return idle[n].all[--idle[n].n];
    char *all =
        mmap(NULL, size + g->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + size, g->page, PROT_NONE) != 0) {
        fprintf(stderr, "guard_cases: the system gives no more pages\n");
        exit(2);
    }
    return all;
}

static void give_pages(const guarded *g, char *all, size_t size)
{
    const size_t n = size / g->page;
    if (n <= IDLE_PAGES && idle[n].n < IDLE_EACH)
        idle[n].all[idle[n].n++] = all;
    else
        munmap(all, size + g->page);
}

/* size bytes, `behind` bytes and a page that is not there. What is left of the first page, and what
 * lies behind, is marked. */
static char *take(guarded *g, size_t size, size_t behind)
{
    const size_t pages = up(size + behind + 1, g->page);
    char *all = take_pages(g, pages);
    char *block = all + pages - behind - size;
    memset(all, MARK, (size_t)(block - all));
    memset(block, g->pattern, size);
    memset(block + size, MARK, behind);
    g->blocks++;
    return block;
}

static bool has_marks(const char *at, const char *end)
{
    while (at < end && *at == MARK)
        at++;
    return at == end;
}

static void give(guarded *g, char *block, size_t size, size_t behind)
{
    const size_t pages = up(size + behind + 1, g->page);
    char *all = block + size + behind - pages;
    g->broken += !has_marks(all, block) || !has_marks(block + size, block + size + behind);
    g->blocks--;
    give_pages(g, all, pages);
}

static size_t slack(size_t size)
{
    return up(size, SCALAR) - size;
}

static void *resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    guarded *g = ctx;
    char *to = new_size ? take(g, new_size, slack(new_size)) : NULL;
    if (to && block)
        memcpy(to, block, old_size < new_size ? old_size : new_size);
    if (block)
        give(g, block, old_size, slack(old_size));
    return to;
}

/* ---- one run ---- */

typedef struct copy {
    oc_value value;
    char *data; /* NULL: the case's own */
    size_t size;
} copy;

static copy copy_of(guarded *g, const oc_value *v)
{
    copy c = {.value = *v};
    if (v->kind != OC_TENSOR)
        return c;
    c.size = oc_value_bytes(v);
    c.data = take(g, c.size, 0);
    if (c.size)
        memcpy(c.data, v->data, c.size);
    c.value.data = c.data;
    return c;
}

static void run_guarded(test_case *t, const oc_session_options *o, guarded *g, case_bytes *gave)
{
    enum { MOST = 64 };
    copy of[MOST];
    int n = 0;
    oc_error e = {OC_OK, ""};
    const oc_model_options load = {.alloc = {resize, g}, .external_dir = "."};
    oc_model *m = oc_model_load_memory(t->model, t->model_size, &load, &e);
    oc_session *s = oc_session_new(m, o, &e);
    if (m)
        case_tell_outputs(t, m);
    for (int i = 0; i < t->n_value && n < MOST && s; i++)
        if (!t->value[i].is_output) {
            of[n] = copy_of(g, &t->value[i].value);
            oc_bind_value(s, t->value[i].name, &of[n++].value, &e);
        }
    if (e.code == OC_OK)
        oc_run(s, &e);
    case_append_outputs(gave, m, s, &e);
    oc_session_free(s);
    oc_model_free(m);
    for (int i = 0; i < n; i++)
        if (of[i].data)
            give(g, of[i].data, of[i].size, 0);
}

/* Both patterns, on one instruction set. */
static bool run_twice(test_case *t, const char *cpu)
{
    case_bytes gave[2] = {{0}, {0}};
    oc_session_options o = t->options;
    bool good = true;
    o.threads = 1;
    o.cpu = cpu ? cpu : o.cpu;
    for (int i = 0; i < 2 && good; i++) {
        guarded g = {.page = (size_t)sysconf(_SC_PAGESIZE), .pattern = i ? 0xff : 0};
        run_guarded(t, &o, &g, &gave[i]);
        good = g.broken == 0 || case_fail(t, NULL, "marks beside %ld blocks are broken", g.broken);
    }
    const bool same =
        gave[0].size == gave[1].size && memcmp(gave[0].data, gave[1].data, gave[0].size) == 0;
    good = good && (same || case_fail(t, NULL, "what fresh memory holds changes the result"));
    free(gave[0].data);
    free(gave[1].data);
    return good;
}

static bool run_case(void *ctx, test_case *t)
{
    bool good = true;
    const bool *two = ctx;
    for (int p = 0; p < t->n_policy && good; p++) {
        t->options.bodies.policy = t->policy[p];
        good = run_twice(t, NULL) && (!*two || run_twice(t, "avx2"));
    }
    return good;
}

int main(int n_args, char **arg)
{
    int n_passed = 0, n_failed = 0;
    bool two = false;
#ifdef __x86_64__
    two = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
    for (int i = 1; i < n_args; i++)
        case_run_path(arg[i], run_case, &two, &n_passed, &n_failed);
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed != 0 || n_passed == 0;
}
