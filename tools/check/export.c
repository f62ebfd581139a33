/* SPDX-License-Identifier: Apache-2.0
 * export.c - writes a check's cases as ONNX backend tests, so that any engine can run them. */
#include "check/report.h"
#include "check/written.h"
#include "session/save_test.h"

typedef struct export_report {
    check_report report;
    const char *folder;
    bool only_bad;
    int n, of_operator; /* number of tests written, and of the operator's cases seen */
    oc_error error;
} export_report;

static export_report *of(check_report *r)
{
    return (export_report *)r;
}

static void begin(check_report *r, OC_UNUSED const check_plan *p)
{
    of(r)->of_operator = 0;
}

static bool is_wanted(const export_report *x, const check_run *run)
{
    bool bad = false;
    for (int i = 0; i < run->plan->n; i++)
        bad = bad || check_is_bad(&run->result[i]);
    return !run->c->refused && (bad || !x->only_bad);
}

/* A case that the kernel does not run has no outputs, and is not written. */
static void write_case(check_report *r, const check_run *run, OC_UNUSED const check_tally *so_far)
{
    export_report *x = of(r);
    const int number = x->of_operator++;
    if (!is_wanted(x, run) || !check_expected(run, 0) || x->error.code != OC_OK)
        return;
    free(check_write_test(x->folder, number, run, &x->error));
    x->n += x->error.code == OC_OK;
}

static void finish(check_report *r, OC_UNUSED const check_tally *all, oc_error *e)
{
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
