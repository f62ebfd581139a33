/* SPDX-License-Identifier: Apache-2.0
 * report.h - what tells of a check: a table, JSON, Markdown, a page of HTML.
 *
 * operator.c hands every report each case while its outputs are there. */
#ifndef TOOLS_CHECK_REPORT_H
#define TOOLS_CHECK_REPORT_H

#include "check/tally.h"

typedef struct check_report check_report;

/* Members may be NULL, except finish. */
struct check_report {
    void (*begin)(check_report *r, const check_plan *p); /* an operator */
    /* A case that has run; the tally is the operator's up to it, itself counted. */
    void (*run)(check_report *r, const check_run *run, const check_tally *so_far);
    /* After the last case of a group. */
    void (*group)(check_report *r, const check_plan *p, const char *name, const check_tally *t);
    /* After an operator's last case, or the error that ended it. */
    void (*end)(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e);
    /* Writes what is left and frees the report. */
    void (*finish)(check_report *r, const check_tally *all, oc_error *e);
};

check_report *check_text_new(const check_options *options);
check_report *check_json_new(const check_options *options);
check_report *check_markdown_new(const check_options *options);
/* A page that is written to path when all is done. NULL after writing the error. */
check_report *check_html_new(const char *path, const check_options *options, oc_error *e);

/* One case with its model, inputs and outputs, on standard output. */
void check_print_run(const check_run *run);

#endif
