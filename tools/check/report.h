/* SPDX-License-Identifier: Apache-2.0
 * report.h - what a report on a check is: a table, JSON, Markdown or an HTML page.
 *
 * operator.c hands each case to every report before it frees the case's outputs. */
#pragma once

#include "check/search.h"
#include "check/tally.h"

typedef struct check_report check_report;

/* Members may be NULL, except finish. */
struct check_report {
    void (*begin)(check_report *r, const check_plan *p); /* before the first case of an operator */
    /* Called after a case has run. so_far counts the operator's cases up to this one. */
    void (*run)(check_report *r, const check_run *run, const check_tally *so_far);
    /* Called after the last case of a group. */
    void (*group)(check_report *r, const check_plan *p, const char *name, const check_tally *t);
    /* Called after the operator's last case with what a search found; s->steps is above 0. */
    void (*searched)(check_report *r, const check_plan *p, const check_search *s);
    /* Called after an operator's last case; e is set when an error stopped it earlier. */
    void (*end)(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e);
    /* Writes what the report has kept, and frees the report. all counts the cases of all
     * operators. */
    void (*finish)(check_report *r, const check_tally *all, oc_error *e);
};

check_report *check_text_new(const check_options *options);
check_report *check_json_new(const check_options *options);
check_report *check_markdown_new(const check_options *options);
/* Makes a page that finish writes to path. NULL: *e is set. */
check_report *check_html_new(const char *path, const check_options *options, oc_error *e);

/* Makes a folder for each case in an empty folder: an ONNX backend test with the kernel's
 * outputs. only_bad: only for cases that disagree. NULL: *e is set. */
check_report *check_export_new(const char *folder, bool only_bad, oc_error *e);

/* Prints one case with its model, inputs and outputs. */
void check_print_run(const check_run *run);
