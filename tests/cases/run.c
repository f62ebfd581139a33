/* SPDX-License-Identifier: Apache-2.0
 * run.c - runs text cases: a model, its inputs, and what it must give, in one file.
 *
 * usage: run_cases FILE|FOLDER... The format is in README.md beside this file. */
#define _DEFAULT_SOURCE
#include "case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int n_passed, n_failed;

/* ---- what a run gave, as bytes that another run's can be compared with ---- */

typedef struct bytes {
    char *data;
    size_t size, room;
} bytes;

static bool append(void *ctx, const void *from, size_t size)
{
    bytes *b = ctx;
    if (size > b->room - b->size) {
        const size_t room = 2 * (b->size + size);
        char *data = realloc(b->data, room);
        if (!data)
            exit(2);
        b->data = data;
        b->room = room;
    }
    if (size)
        memcpy(b->data + b->size, from, size);
    b->size += size;
    return true;
}

static void append_outputs(bytes *b, const oc_model *m, const oc_session *s, const oc_error *error)
{
    oc_error e = *error;
    for (int i = 0; e.code == OC_OK && i < oc_model_n_outputs(m); i++) {
        const oc_value *v = oc_fetch_value_at(s, i, &e);
        if (v)
            oc_value_write(v, NULL, &(oc_writer){append, b}, &e);
    }
    append(b, &e.code, sizeof e.code);
    if (e.code != OC_LIMIT) /* whose message counts the memory of threads */
        append(b, e.text, strlen(e.text));
}

/* ---- the log ---- */

static void note_line(void *log, const char *line)
{
    append(log, line, strlen(line));
    append(log, "\n", 1);
}

/* Does exactly one line of the log have the part that the case asks for? */
static bool check_log(const test_case *t, bytes *log)
{
    int n = 0;
    append(log, "", 1);
    for (const char *at = log->data; t->remark && (at = strstr(at, t->remark)); at++)
        n++;
    return !t->remark || n == 1 ||
           case_fail(t, NULL, "the log has \"%s\" %d times, expected once, in:\n%s", t->remark, n,
                     log->data);
}

/* ---- one run ---- */

/* A value is an input as long as there is one of its name without a value. */
static void tell_outputs(test_case *t, const oc_model *m)
{
    for (int i = 0; i < t->n_value; i++) {
        bool input = false;
        for (int k = 0; k < oc_model_n_inputs(m); k++)
            input |= strcmp(oc_model_input(m, k).name, t->value[i].name) == 0;
        for (int k = 0; k < i; k++)
            input &= strcmp(t->value[k].name, t->value[i].name) != 0;
        t->value[i].is_output = !input;
    }
}

static bool check_failure(const test_case *t, const oc_error *e)
{
    if (e->code == t->fails && strstr(e->text, t->part))
        return true;
    return case_fail(t, NULL, "ended with %s \"%s\", expected %s \"%s\"", oc_status_name(e->code),
                     e->text, oc_status_name(t->fails), t->part);
}

static bool check_outputs(const test_case *t, const oc_model *m, const oc_session *s)
{
    int n = 0;
    for (int i = 0; i < t->n_value; i++) {
        oc_error e = {OC_OK, ""};
        if (!t->value[i].is_output)
            continue;
        const oc_value *got = oc_fetch_value(s, t->value[i].name, &e);
        if (!got)
            return case_fail(t, t->value[i].at, "%s", e.text);
        if (!case_compare(t, &t->value[i], got))
            return false;
        n++;
    }
    return n == oc_model_n_outputs(m) ||
           case_fail(t, NULL, "%d of %d outputs have an expected value", n, oc_model_n_outputs(m));
}

/* One run, checked; what it gave is appended to b. */
static bool run_once(const test_case *t, const oc_model *m, oc_session *s, oc_error *e, bytes *b)
{
    if (e->code == OC_OK)
        oc_run(s, e);
    append_outputs(b, m, s, e);
    if (t->fails)
        return check_failure(t, e);
    return e->code ? case_fail(t, NULL, "%s: %s", oc_status_name(e->code), e->text)
                   : check_outputs(t, m, s);
}

/* ---- one case ---- */

static const struct variant {
    int threads, runs;
    bool no_reuse, no_fusion, no_folding, no_lanes;
    const char *name;
} variants[] = {
    {1, 2, .name = "one thread"},
    {1, 1, .no_reuse = true, .name = "no_reuse"},
    {1, 1, .no_fusion = true, .name = "no_fusion"},
    {1, 1, .no_folding = true, .name = "no_folding"},
    {1, 1, .no_lanes = true, .name = "no_lanes"},
    {2, 1, .name = "two threads"},
    {7, 1, .name = "seven threads"},
};

/* Loads and runs as the variant says; the first run's bytes stay in first. */
static bool run_variant(test_case *t, const struct variant *v, const oc_model_options *load,
                        bytes *first)
{
    oc_error e = {OC_OK, ""};
    bool good = true;
    bytes log = {0};
    oc_session_options o = t->options;
    o.observer.log = note_line;
    o.observer.log_ctx = &log;
    o.threads = v->threads;
    o.no_reuse = v->no_reuse;
    o.no_fusion = v->no_fusion;
    o.no_folding = v->no_folding;
    o.no_lanes = v->no_lanes;
    oc_model *m = oc_model_load_memory(t->model, t->model_size, load, &e);
    oc_session *s = oc_session_new(m, &o, &e);
    if (m)
        tell_outputs(t, m);
    for (int i = 0; i < t->n_value && s; i++)
        if (!t->value[i].is_output)
            oc_bind_value(s, t->value[i].name, &t->value[i].value, &e);
    const oc_error bound = e;
    for (int i = 0; i < v->runs && good; i++) {
        bytes now = {0};
        e = bound;
        good = run_once(t, m, s, &e, first->data ? &now : first);
        if (good && now.data)
            good =
                (now.size == first->size && memcmp(now.data, first->data, now.size) == 0) ||
                case_fail(t, NULL, "%s%s: other bits than at first", v->name, i ? ", again" : "");
        free(now.data);
    }
    good = good && check_log(t, &log);
    free(log.data);
    oc_session_free(s);
    oc_model_free(m);
    return good;
}

static bool run_case(test_case *t)
{
    char folder[4096];
    const char *slash = strrchr(t->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - t->path) : 1,
             slash ? t->path : ".");
    const oc_model_options load = {.external_dir = folder};
    bool good = true;
    for (int p = 0; p < t->n_policy && good; p++) {
        bytes first = {0};
        t->options.bodies.policy = t->policy[p];
        for (size_t i = 0; i < sizeof variants / sizeof *variants && good; i++)
            good = run_variant(t, &variants[i], &load, &first);
        free(first.data);
    }
    return good;
}

/* ---- files ---- */

/* The case whose text is [at, end), its model written there or else the one in *t, a test_case. */
static void read_and_run(void *file, const char *name, const char *at, const char *end)
{
    test_case *t = file;
    const char *section = case_find_mark(at, end, "--- ");
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_pool pool = oc_pool_new(&memory);
    test_case c = {.path = t->path, .name = name, .line = t->line, .at = at};
    c.arena = &arena;
    c.pool = &pool;
    c.n_policy = 1;
    if (case_has_text(at, section)) {
        t->model = at;
        t->model_size = (size_t)(section - at);
    }
    c.model = t->model;
    c.model_size = t->model_size;
    const bool good = c.model ? case_read(&c, section, end) && run_case(&c)
                              : case_fail(&c, NULL, "there is no model");
    case_free(&c);
    n_passed += good;
    n_failed += !good;
}

static char *read_file(const char *path, size_t *size)
{
    bytes b = {0};
    char part[4096];
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(2);
    }
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        append(&b, part, n);
    append(&b, "", 1);
    fclose(f);
    *size = b.size - 1;
    return b.data;
}

static int count_lines(const char *text, const char *end)
{
    int n = 0;
    while (text < end)
        n += *text++ == '\n';
    return n;
}

/* Runs one case of a file, or several if it has lines "--- each". The model of several is that of
 * no later case. */
static void run_text(test_case *t, const char *name, const char *at, const char *end)
{
    test_case many = *t;
    const bool each = case_find_mark(at, end, "--- each ") < end;
    case_each(name, at, end, read_and_run, each ? &many : t);
}

static void run_file(const char *path)
{
    size_t size;
    char *text = read_file(path, &size), name[256];
    const char *base = strrchr(path, '/'), *end = text + size;
    test_case t = {.path = path, .line = 1};
    const char *next = case_find_mark(text, end, "=== ");
    if (case_has_text(text, next))
        run_text(&t, base ? base + 1 : path, text, next);
    for (const char *at = next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        snprintf(name, sizeof name, "%.*s", (int)(stop - at - 4), at + 4);
        next = case_find_mark(stop, end, "=== ");
        const char *first = stop < end ? stop + 1 : end;
        t.line = 1 + count_lines(text, first);
        run_text(&t, name, first, next);
    }
    free(text);
}

static void run_path(const char *path)
{
    struct stat info;
    struct dirent **list;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "%s: no such file or folder\n", path);
        exit(2);
    }
    const char *suffix = strrchr(path, '.');
    if (!S_ISDIR(info.st_mode)) {
        if (suffix && strcmp(suffix, ".onnxtxt") == 0)
            run_file(path);
        return;
    }
    const int n = scandir(path, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char below[4096];
        snprintf(below, sizeof below, "%s/%s", path, list[i]->d_name);
        if (list[i]->d_name[0] != '.')
            run_path(below);
        free(list[i]);
    }
    free(list);
}

int main(int n_args, char **arg)
{
    for (int i = 1; i < n_args; i++)
        run_path(arg[i]);
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed != 0 || n_passed == 0;
}
