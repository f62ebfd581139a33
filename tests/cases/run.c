/* SPDX-License-Identifier: Apache-2.0
 * run.c - runs text cases: a model, its inputs, and what it must give, in one file.
 *
 * usage: run_cases FILE|FOLDER... The format is in README.md beside this file. Each case runs with
 * one thread and again with two threads and no reuse of buffers; both must give the same bits. */
#define _DEFAULT_SOURCE
#include "loader/loader.h"
#include "tensor/convert.h"
#include "tensor/literal.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_VALUES = 32, MAX_FILES = 4096, LONGEST_FILE = 1 << 22 };

typedef struct named_value {
    char name[128];
    oc_value value;
} named_value;

/* One case as written. */
typedef struct test_case {
    const char *file, *title;
    const char *model;
    size_t model_size;
    named_value value[MAX_VALUES];
    int n_values;
    oc_status fails; /* OC_OK: it must not */
    char part[256];  /* of the error's message */
    double rtol, atol;
    bool tolerant;
    oc_session_options options;
    oc_arena *arena;
    oc_pool *pool;
    oc_error e;
} test_case;

static int n_passed, n_failed;

static bool fail(const test_case *t, const char *what)
{
    fprintf(stderr, "%s (%s): %s\n", t->file, t->title, what);
    return false;
}

/* ---- reading ---- */

static bool parse_status(const char *text, oc_status *status)
{
    for (int s = 0; s < OC_N_STATUS; s++)
        if (strcmp(text, oc_status_name((oc_status)s)) == 0) {
            *status = (oc_status)s;
            return true;
        }
    return false;
}

static bool parse_value(test_case *t, const char *line, const char *equals, const char *end)
{
    if (t->n_values == MAX_VALUES)
        return fail(t, "too many values");
    named_value *v = &t->value[t->n_values++];
    const char *stop = equals;
    while (stop > line && stop[-1] == ' ')
        stop--;
    snprintf(v->name, sizeof v->name, "%.*s", (int)(stop - line), line);
    const char *after;
    const char *text = equals + 1;
    if (oc_load_text_tensor(t->pool, t->arena, text, (size_t)(end - text), &v->value, &after,
                            &t->e))
        return fail(t, t->e.text);
    while (after < end && (*after == ' ' || *after == '\n' || *after == '\r'))
        after++;
    return after == end || fail(t, "text behind a value");
}

/* The text behind "--- ", up to the next mark. */
static bool parse_section(test_case *t, const char *line, const char *end)
{
    char word[32], policy[16];
    const char *equals = memchr(line, '=', (size_t)(end - line));
    if (sscanf(line, "fails %31s \"%255[^\"]\"", word, t->part) == 2)
        return parse_status(word, &t->fails) || fail(t, "unknown status");
    if (sscanf(line, "tolerance rtol %lf atol %lf", &t->rtol, &t->atol) == 2)
        return t->tolerant = true;
    if (sscanf(line, "body %15s", policy) == 1) {
        t->options.body = strcmp(policy, "expand") == 0 ? OC_BODY_EXPAND : OC_BODY_STANDARD;
        return true;
    }
    if (strncmp(line, "option roi_align_bilinear_max", 29) == 0)
        return t->options.roi_align_bilinear_max = true;
    return equals ? parse_value(t, line, equals, end) : fail(t, "unknown section");
}

/* The next line in [text, end) that starts with mark; end when there is none. */
static const char *find_mark(const char *text, const char *end, const char *mark)
{
    const size_t size = strlen(mark);
    for (const char *line = text; line < end;) {
        if ((size_t)(end - line) >= size && memcmp(line, mark, size) == 0)
            return line;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        line = newline ? newline + 1 : end;
    }
    return end;
}

static bool parse_case(test_case *t, const char *text, const char *end)
{
    const char *section = find_mark(text, end, "--- ");
    t->model = text;
    t->model_size = (size_t)(section - text);
    while (section < end) {
        const char *body = section + 4;
        section = find_mark(body, end, "--- ");
        if (!parse_section(t, body, section))
            return false;
    }
    return true;
}

/* ---- comparing ---- */

static bool same_element(const test_case *t, const oc_value *a, const oc_value *b, int64_t i)
{
    const size_t size = oc_type_size(a->type);
    const char *p = (const char *)a->data + (size_t)i * size;
    const char *q = (const char *)b->data + (size_t)i * size;
    if (a->type == OC_STRING) {
        const oc_string *s = (const void *)p, *r = (const void *)q;
        return s->size == r->size && memcmp(s->data, r->data, s->size) == 0;
    }
    if (memcmp(p, q, size) == 0)
        return true;
    if (oc_type_in(a->type, OC_SET_COMPLEX))
        return false;
    const double x = oc_element_f64(a->type, a->data, i), y = oc_element_f64(b->type, b->data, i);
    return (isnan(x) && isnan(y)) || (t->tolerant && fabs(x - y) <= t->atol + t->rtol * fabs(y));
}

static bool compare(const test_case *t, const named_value *want, const oc_value *got)
{
    char text[2 * OC_VALUE_TEXT + 512], have[OC_VALUE_TEXT], need[OC_VALUE_TEXT];
    char actual[OC_ELEMENT_TEXT] = "", expected[OC_ELEMENT_TEXT] = "";
    if (got->kind != OC_TENSOR || got->type != want->value.type ||
        !oc_dims_equal(&got->dims, &want->value.dims)) {
        snprintf(text, sizeof text, "'%s' is %s, expected %s", want->name, oc_value_text(got, have),
                 oc_value_text(&want->value, need));
        return fail(t, text);
    }
    for (int64_t i = 0; i < oc_value_n(got); i++) {
        if (same_element(t, got, &want->value, i))
            continue;
        if (got->type != OC_STRING) {
            oc_element_text(got->type, got->data, i, actual);
            oc_element_text(got->type, want->value.data, i, expected);
        }
        snprintf(text, sizeof text, "'%s' element %lld is %s, expected %s", want->name,
                 (long long)i, actual, expected);
        return fail(t, text);
    }
    return true;
}

/* ---- running ---- */

static bool is_input(const oc_model *m, const char *name)
{
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        if (strcmp(oc_model_input(m, i).name, name) == 0)
            return true;
    return false;
}

static bool check_failure(const test_case *t, const oc_error *e)
{
    char text[1400];
    if (e->code == t->fails && strstr(e->text, t->part))
        return true;
    snprintf(text, sizeof text, "expected %s with \"%s\", got %s: %s", oc_status_name(t->fails),
             t->part, oc_status_name(e->code), e->text);
    return fail(t, text);
}

static bool check_outputs(const test_case *t, const oc_model *m, const oc_session *s)
{
    int n_checked = 0;
    for (int i = 0; i < t->n_values; i++) {
        oc_error e = {OC_OK, ""};
        if (is_input(m, t->value[i].name))
            continue;
        const oc_value *got = oc_fetch_value(s, t->value[i].name, &e);
        if (!got)
            return fail(t, e.text);
        if (!compare(t, &t->value[i], got))
            return false;
        n_checked++;
    }
    return n_checked == oc_model_n_outputs(m) || fail(t, "not every output has an expected value");
}

static bool run_once(test_case *t, int threads, bool no_reuse)
{
    oc_error e = {OC_OK, ""};
    oc_session_options o = t->options;
    o.threads = threads;
    o.no_reuse = no_reuse;
    oc_model *m = oc_model_load_memory(t->model, t->model_size, NULL, &e);
    oc_session *s = oc_session_new(m, &o, &e);
    for (int i = 0; i < t->n_values && s; i++)
        if (is_input(m, t->value[i].name))
            oc_bind_value(s, t->value[i].name, &t->value[i].value, &e);
    if (e.code == OC_OK)
        oc_run(s, &e);
    bool good;
    if (t->fails)
        good = check_failure(t, &e);
    else if (e.code)
        good = fail(t, e.text);
    else
        good = check_outputs(t, m, s);
    oc_session_free(s);
    oc_model_free(m);
    return good;
}

static void run_case(const char *file, const char *title, const char *text, const char *end)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_pool pool = oc_pool_new(&memory);
    test_case *t = calloc(1, sizeof *t);
    if (!t)
        exit(2);
    t->file = file;
    t->title = title;
    t->arena = &arena;
    t->pool = &pool;
    const bool good = parse_case(t, text, end) && run_once(t, 1, false) && run_once(t, 2, true);
    n_passed += good;
    n_failed += !good;
    for (int i = 0; i < t->n_values; i++)
        oc_value_unref(&t->value[i].value);
    free(t);
    oc_pool_trim(&pool);
    oc_arena_free(&arena);
}

/* ---- files ---- */

static void run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc(LONGEST_FILE), title[128] = "first case";
    if (!f || !text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    const char *end = text + fread(text, 1, LONGEST_FILE, f);
    fclose(f);
    for (const char *at = text; at < end;) {
        const char *next = find_mark(at, end, "=== ");
        if (next > at)
            run_case(path, title, at, next);
        at = next;
        if (at < end) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            const char *stop = newline ? newline : end;
            snprintf(title, sizeof title, "%.*s", (int)(stop - at - 4), at + 4);
            at = newline ? newline + 1 : end;
        }
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
