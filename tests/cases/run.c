/* SPDX-License-Identifier: Apache-2.0
 * run.c - runs text cases: a model, its inputs, and what it must give, in one file.
 *
 * usage: run_cases FILE|FOLDER... The format is in README.md beside this file. */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the log ---- */

static void note_line(void *log, const char *line)
{
    case_append(log, line, strlen(line));
    case_append(log, "\n", 1);
}

/* Does exactly one line of the log have the part that the case asks for? */
static bool check_log(const test_case *t, case_bytes *log)
{
    int n = 0;
    case_append(log, "", 1);
    for (const char *at = log->data; t->remark && (at = strstr(at, t->remark)); at++)
        n++;
    return !t->remark || n == 1 ||
           case_fail(t, NULL, "the log has \"%s\" %d times, expected once, in:\n%s", t->remark, n,
                     log->data);
}

/* ---- one run ---- */

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
static bool run_once(const test_case *t, const oc_model *m, oc_session *s, oc_error *e,
                     case_bytes *b)
{
    if (e->code == OC_OK)
        oc_run(s, e);
    case_append_outputs(b, m, s, e);
    if (t->fails)
        return check_failure(t, e);
    return e->code ? case_fail(t, NULL, "%s: %s", oc_status_name(e->code), e->text)
                   : check_outputs(t, m, s);
}

/* ---- one case ---- */

static const struct variant {
    int threads, runs;
    bool no_reuse, no_fusion, no_folding, no_nchw16c;
    const char *name;
} variants[] = {
    {1, 2, .name = "one thread"},
    {1, 1, .no_reuse = true, .name = "no_reuse"},
    {1, 1, .no_fusion = true, .name = "no_fusion"},
    {1, 1, .no_folding = true, .name = "no_folding"},
    {1, 1, .no_nchw16c = true, .name = "no_nchw16c"},
    {2, 1, .name = "two threads"},
    {7, 1, .name = "seven threads"},
};

/* Loads and runs as the variant says; the first run's bytes stay in first. */
static bool run_variant(test_case *t, const struct variant *v, const oc_model_options *load,
                        case_bytes *first)
{
    oc_error e = {OC_OK, ""};
    bool good = true;
    case_bytes log = {0};
    oc_session_options o = t->options;
    o.observer.log = note_line;
    o.observer.log_ctx = &log;
    o.threads = v->threads;
    o.no_reuse = v->no_reuse;
    o.no_fusion = v->no_fusion;
    o.no_folding = v->no_folding;
    o.no_nchw16c = v->no_nchw16c;
    oc_model *m = oc_model_load_memory(t->model, t->model_size, load, &e);
    oc_session *s = oc_session_new(m, &o, &e);
    if (m)
        case_tell_outputs(t, m);
    for (int i = 0; i < t->n_value && s; i++)
        if (!t->value[i].is_output)
            oc_bind_value(s, t->value[i].name, &t->value[i].value, &e);
    const oc_error bound = e;
    for (int i = 0; i < v->runs && good; i++) {
        case_bytes now = {0};
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

static bool run_case(void *ctx, test_case *t)
{
    (void)ctx;
    char folder[4096];
    const char *slash = strrchr(t->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - t->path) : 1,
             slash ? t->path : ".");
    const oc_model_options load = {.external_dir = folder};
    bool good = true;
    for (int p = 0; p < t->n_policy && good; p++) {
        case_bytes first = {0};
        t->options.bodies.policy = t->policy[p];
        for (size_t i = 0; i < sizeof variants / sizeof *variants && good; i++)
            good = run_variant(t, &variants[i], &load, &first);
        free(first.data);
    }
    return good;
}

int main(int n_args, char **arg)
{
    int n_passed = 0, n_failed = 0;
    for (int i = 1; i < n_args; i++)
        case_run_path(arg[i], run_case, NULL, &n_passed, &n_failed);
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed != 0 || n_passed == 0;
}
