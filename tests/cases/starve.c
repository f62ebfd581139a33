/* SPDX-License-Identifier: Apache-2.0
 * starve.c - runs text cases with too little memory: the k-th allocation fails, or a cap is hit.
 *
 * usage: starve_cases STRIDE FILE|FOLDER...
 *
 * Of each file the first cases that end well. Each is loaded from text and from bytes, planned,
 * bound, run twice, fetched, saved in both forms and expanded, while one allocation fails, or that
 * one and all later ones. That gives an error of memory or the right result, no crash and no leak;
 * and once there is memory again, the session goes on. With a large STRIDE, and where a case makes
 * more than MANY allocations, not every one fails: numbers 0, 1 and so on with a stride that is a
 * prime or near one. */
#include "case.h"
#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 2, MANY = 400 };

/* ---- all that is done with a model ---- */

typedef struct way {
    const char *name;
    const void *model;
    size_t size;
    int threads;
    size_t model_cap, session_cap;
    const char *folder;
} way;

/* Outputs of the second run, and the model as both forms write it. */
typedef struct gave {
    case_bytes outputs, saved, expanded;
} gave;

static void free_gave(gave *g)
{
    free(g->outputs.data);
    free(g->saved.data);
    free(g->expanded.data);
}

static void save(const oc_model *m, case_bytes *to, oc_error *e)
{
    const oc_writer out = {case_append, to};
    oc_error refused = *e; /* some models cannot be written as binary ONNX */
    to->size = 0;
    oc_model_save(m, OC_FORMAT_TEXT, &out, e);
    oc_model_save(m, OC_FORMAT_ONNX, &out, &refused);
    if (e->code == OC_OK && refused.code != OC_UNSUPPORTED)
        *e = refused;
}

static void bind_and_run(const test_case *t, const oc_model *m, oc_session *s, gave *g, oc_error *e)
{
    for (int i = 0; i < t->n_value; i++)
        if (!t->value[i].is_output)
            oc_bind_value(s, t->value[i].name, &t->value[i].value, e);
    oc_run(s, e);
    oc_run(s, e);
    g->outputs.size = 0;
    case_append_outputs(&g->outputs, m, s, e);
}

/* Loads, plans, binds, runs and saves with one allocation that fails. If there is a session after
 * an error, again has what it gives once there is memory. */
static void do_all(test_case *t, const way *w, failing *hungry, gave *g, gave *again, oc_error *e)
{
    const oc_model_options load = {.alloc = {failing_resize, hungry},
                                   .limits.memory_cap = w->model_cap,
                                   .external_dir = w->folder};
    oc_session_options o = t->options;
    o.threads = w->threads;
    o.limits.memory_cap = w->session_cap;
    again->outputs.size = 0;
    oc_model *m = oc_model_load_memory(w->model, w->size, &load, e);
    oc_session *s = oc_session_new(m, &o, e);
    if (m)
        case_tell_outputs(t, m);
    bind_and_run(t, m, s, g, e);
    if (e->code == OC_OK)
        save(m, &g->saved, e);
    oc_model *expanded = oc_model_expand(m, OC_BODY_EXPAND, NULL, e);
    if (e->code == OC_OK)
        save(expanded, &g->expanded, e);
    oc_model_free(expanded);
    if (s && e->code != OC_OK) {
        oc_error now = {OC_OK, ""};
        hungry->left = -1;
        bind_and_run(t, m, s, again, &now);
    }
    oc_session_free(s);
    oc_model_free(m);
}

static bool same(const case_bytes *a, const case_bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static bool check(const test_case *t, const way *w, const char *what, long k, const gave *want,
                  const gave *got, const gave *again, const oc_error *e)
{
    const bool by_cap = w->model_cap || w->session_cap;
    if (e->code == OC_OK)
        return (same(&got->outputs, &want->outputs) && same(&got->saved, &want->saved) &&
                same(&got->expanded, &want->expanded)) ||
               case_fail(t, NULL, "%s, %s %ld: another result", w->name, what, k);
    if (e->code != (by_cap ? OC_LIMIT : OC_NOMEM) || !strstr(e->text, "memory"))
        return case_fail(t, NULL, "%s, %s %ld: %s: %s", w->name, what, k, oc_status_name(e->code),
                         e->text);
    return by_cap || !again->outputs.size || same(&again->outputs, &want->outputs) ||
           case_fail(t, NULL, "%s, %s %ld: the session does not go on", w->name, what, k);
}

/* ---- one case ---- */

typedef struct test {
    long stride;
    char path[4096]; /* of the file at hand, and how many of its cases have run */
    int of_file;
    long runs, cases;
} test;

/* The step from one allocation that fails to the next. */
static long step_of(const test *x, long all)
{
    return all > MANY * x->stride ? (all / MANY) | 1 : x->stride;
}

/* The k-th allocation fails, for every k. */
static bool starve(test *x, test_case *t, const way *w)
{
    gave want = {0}, got = {0}, again = {0};
    oc_error e = {OC_OK, ""};
    failing s = {.left = -1};
    do_all(t, w, &s, &want, &again, &e);
    bool good = e.code == OC_OK || case_fail(t, NULL, "%s: %s", w->name, e.text);
    const long step = step_of(x, s.asked);
    for (int forever = 0; forever < 2 && good; forever++)
        for (long k = 0; good; k += step, x->runs++) {
            e = (oc_error){OC_OK, ""};
            s = (failing){.left = k, .forever = forever};
            do_all(t, w, &s, &got, &again, &e);
            good = check(t, w, forever ? "from allocation" : "allocation", k, &want, &got, &again,
                         &e) &&
                   (s.blocks == 0 || case_fail(t, NULL, "%s, allocation %ld: %ld blocks leak",
                                               w->name, k, s.blocks));
            if (!s.failed)
                break;
        }
    free_gave(&want);
    free_gave(&got);
    free_gave(&again);
    return good;
}

/* Caps of the model, then of the session, from nothing to what is enough. */
static bool cap(test *x, test_case *t, way w)
{
    gave want = {0}, got = {0}, again = {0};
    oc_error e = {OC_OK, ""};
    failing s = {.left = -1};
    do_all(t, &w, &s, &want, &again, &e);
    bool good = e.code == OC_OK;
    for (int of_session = 0; of_session < 2 && good; of_session++) {
        e.code = OC_LIMIT;
        for (size_t size = 300; good && e.code != OC_OK && size < (size_t)64 << 20;
             size += size / 8 * (size_t)(x->stride > 1 ? 4 : 1), x->runs++) {
            e = (oc_error){OC_OK, ""};
            w.model_cap = of_session ? 0 : size;
            w.session_cap = of_session ? size : 0;
            s = (failing){.left = -1};
            do_all(t, &w, &s, &got, &again, &e);
            good = check(t, &w, of_session ? "cap of the session" : "cap", (long)size, &want, &got,
                         &again, &e);
        }
        good = good && (e.code == OC_OK || case_fail(t, NULL, "%s: no cap is enough", w.name));
    }
    free_gave(&want);
    free_gave(&got);
    free_gave(&again);
    return good;
}

static case_bytes as_binary(const test_case *t, const char *folder)
{
    case_bytes b = {0};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(t->model, t->model_size,
                                       &(oc_model_options){.external_dir = folder}, &e);
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){case_append, &b}, &e);
    oc_model_free(m);
    if (e.code != OC_OK)
        b.size = 0;
    return b;
}

static bool run_case(void *ctx, test_case *t)
{
    test *x = ctx;
    char folder[4096];
    const char *slash = strrchr(t->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - t->path) : 1,
             slash ? t->path : ".");
    if (strcmp(x->path, t->path) != 0)
        x->of_file = 0;
    snprintf(x->path, sizeof x->path, "%s", t->path);
    if (t->fails || t->options.limits.memory_cap || ++x->of_file > CASES)
        return true;
    x->cases++;
    bool good = true;
    for (int p = 0; p < t->n_policy && good; p++) {
        case_bytes binary = as_binary(t, folder);
        const way text = {"text", t->model, t->model_size, 1, 0, 0, folder};
        const way bytes = {"binary", binary.data, binary.size, 2, 0, 0, folder};
        t->options.bodies.policy = t->policy[p];
        good = starve(x, t, &text) && (!binary.size || (starve(x, t, &bytes) && cap(x, t, bytes)));
        free(binary.data);
    }
    return good;
}

int main(int n_args, char **arg)
{
    int n_passed = 0, n_failed = 0;
    test x = {.stride = n_args > 1 ? atol(arg[1]) : 0};
    if (x.stride < 1) {
        fprintf(stderr, "usage: starve_cases STRIDE FILE|FOLDER...\n");
        return 2;
    }
    for (int i = 2; i < n_args; i++)
        case_run_path(arg[i], run_case, &x, &n_passed, &n_failed);
    printf("%ld cases, %ld runs, %d failed\n", x.cases, x.runs, n_failed);
    return n_failed != 0 || x.cases == 0;
}
