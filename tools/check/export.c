/* SPDX-License-Identifier: Apache-2.0
 * export.c - a check's cases as ONNX backend tests, so that any engine can be run over them. */
#include "check/report.h"
#include "common/json.h"
#include "session/save_test.h"

#include <stdlib.h>

typedef struct export_report {
    check_report report;
    const char *folder;
    bool only_bad;
    int n, of_operator; /* tests written; cases of the operator that were seen */
    oc_error error;
} export_report;

static export_report *of(check_report *r)
{
    return (export_report *)r;
}

static void begin(check_report *r, const check_plan *p)
{
    (void)p;
    of(r)->of_operator = 0;
}

/* The tolerances of the case, and what it is called here. */
static void write_data(const char *dir, const check_case *c, oc_error *e)
{
    char *path = tool_format("%s/data.json", dir);
    io_file f;
    io_create(&f, path, e);
    if (f.stream) {
        json_writer j = json_begin(f.stream);
        json_object(&j, NULL);
        json_text(&j, "case", c->name);
        json_number(&j, "rtol", c->bound.rtol);
        json_number(&j, "atol", c->bound.atol);
        json_close(&j);
        json_end(&j);
    }
    io_commit(&f, e);
    free(path);
}

static bool is_wanted(const export_report *x, const check_run *run)
{
    bool bad = false;
    for (int i = 0; i < run->plan->n; i++)
        bad = bad || check_is_bad(&run->result[i]);
    return !run->c->refused && (bad || !x->only_bad);
}

/* A case that the kernel does not run has no outputs to write. */
static void write_case(check_report *r, const check_run *run, const check_tally *so_far)
{
    (void)so_far;
    export_report *x = of(r);
    const int number = x->of_operator++;
    oc_error none = {0};
    if (!is_wanted(x, run) || !run->reference || !oc_fetch_value_at(run->reference, 0, &none))
        return;
    char *op = io_safe_name(run->plan->family->op);
    char *dir = tool_format("%s/test_%s_%04d", x->folder, op, number);
    const inputs in = {
        .model = run->model, .n = run->c->n_in, .value = (oc_value **)run->c->in, .open = -1};
    if (x->error.code == OC_OK) {
        save_test_write(dir, run->model, &in, run->reference, &x->error);
        write_data(dir, run->c, &x->error);
        x->n += x->error.code == OC_OK;
    }
    free(op);
    free(dir);
}

static void finish(check_report *r, const check_tally *all, oc_error *e)
{
    (void)all;
    export_report *x = of(r);
    if (e->code == OC_OK)
        *e = x->error;
    if (e->code == OC_OK)
        tool_say("%s: %d tests; 'ocellus test %s' runs them", x->folder, x->n, x->folder);
    free(r);
}

check_report *check_export_new(const char *folder, bool only_bad, oc_error *e)
{
    save_test_check("--export", folder, e);
    io_make_dir(folder, e);
    if (e->code != OC_OK)
        return NULL;
    export_report *x = tool_alloc(1, sizeof *x);
    x->report = (check_report){.begin = begin, .run = write_case, .finish = finish};
    x->folder = folder;
    x->only_bad = only_bad;
    return &x->report;
}
