/* SPDX-License-Identifier: Apache-2.0
 * files.c - finds the cases of files and folders. */
#define _DEFAULT_SOURCE
#include "case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file on the way, and what is done with its cases. */
typedef struct walk {
    const char *path, *model; /* model: of the last case that had one; NULL: none yet */
    size_t model_size;
    int line, passed, failed;
    case_run_fn *run;
    void *ctx;
} walk;

/* The case whose text is [at, end), its model written there or else the last one. */
static void read_and_run(void *ctx, const char *name, const char *at, const char *end)
{
    walk *w = ctx;
    const char *section = case_find_mark(at, end, "--- ");
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_pool pool = oc_pool_new(&memory);
    test_case c = {.path = w->path, .name = name, .line = w->line, .at = at};
    c.arena = &arena;
    c.pool = &pool;
    c.n_policy = 1;
    if (case_has_text(at, section)) {
        w->model = at;
        w->model_size = (size_t)(section - at);
    }
    c.model_size = w->model_size;
    char *model = w->model ? case_with_functions(w->path, w->model, &c.model_size) : NULL;
    c.model = model;
    const bool good = !c.model ? case_fail(&c, NULL, "there is no model")
                      : case_is_too_wide(section, end)
                          ? case_is_refused(&c, section, end)
                          : case_read(&c, section, end) && w->run(w->ctx, &c);
    case_free(&c);
    free(model);
    w->passed += good;
    w->failed += !good;
}

static char *read_file(const char *path, size_t *size)
{
    case_bytes b = {0};
    char part[4096];
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(2);
    }
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        case_append(&b, part, n);
    case_append(&b, "", 1);
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
static void run_text(walk *w, const char *name, const char *at, const char *end)
{
    const walk before = *w;
    case_each(name, at, end, read_and_run, w);
    if (case_find_mark(at, end, "--- each ") < end) {
        w->model = before.model;
        w->model_size = before.model_size;
    }
}

static void run_file(walk *w, const char *path)
{
    size_t size;
    char *text = read_file(path, &size), name[256];
    const char *base = strrchr(path, '/'), *end = text + size;
    w->path = path;
    w->line = 1;
    w->model = NULL;
    const char *next = case_find_mark(text, end, "=== ");
    if (case_has_text(text, next))
        run_text(w, base ? base + 1 : path, text, next);
    for (const char *at = next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        snprintf(name, sizeof name, "%.*s", (int)(stop - at - 4), at + 4);
        next = case_find_mark(stop, end, "=== ");
        const char *first = stop < end ? stop + 1 : end;
        w->line = 1 + count_lines(text, first);
        run_text(w, name, first, next);
    }
    free(text);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void *grown(void *block, size_t size)
{
    void *p = realloc(block, size);
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return p;
}

static void run_path(walk *w, const char *path);

/* What the folder has, in the order of names; hidden files are left out. */
static void run_folder(walk *w, const char *path)
{
    char **name = NULL;
    size_t n = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        name = grown(name, (n + 1) * sizeof *name);
        name[n] = grown(NULL, strlen(entry->d_name) + 1);
        strcpy(name[n++], entry->d_name);
    }
    if (folder)
        closedir(folder);
    if (n)
        qsort(name, n, sizeof *name, by_name);
    for (size_t i = 0; i < n; i++) {
        char below[4096];
        snprintf(below, sizeof below, "%s/%s", path, name[i]);
        run_path(w, below);
        free(name[i]);
    }
    free(name);
}

static void run_path(walk *w, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "%s: no such file or folder\n", path);
        exit(2);
    }
    const char *suffix = strrchr(path, '.');
    if (S_ISDIR(info.st_mode))
        run_folder(w, path);
    else if (suffix && strcmp(suffix, ".onnxtxt") == 0)
        run_file(w, path);
}

void case_run_path(const char *path, case_run_fn *run, void *ctx, int *n_passed, int *n_failed)
{
    walk w = {.run = run, .ctx = ctx};
    run_path(&w, path);
    *n_passed += w.passed;
    *n_failed += w.failed;
}
