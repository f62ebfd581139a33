/* SPDX-License-Identifier: Apache-2.0
 * model_report.h - prints the results of a model's check row by row, as a table or as JSON. */
#pragma once

#include "model_check/row.h"

typedef struct axis_report {
    bool json;
    bool silent; /* true: the page goes to standard output, so nothing else does */
    json_writer j;
    struct axis_html *html; /* the page; NULL: there is none */
    /* Number of axes begun, of runs compared, and of runs that differ or fail: unexplained ones,
     * and those with a known reason. */
    int n_axes, n_runs, n_bad, n_known;
} axis_report;

/* html is the path of the page; NULL: there is none. When it cannot be made, *e is set, and
 * nothing is begun. */
axis_report axis_report_begin(const char *path, bool json, const char *html, oc_error *e);
/* Returns where a comparison draws the first difference; NULL when there is no page. */
io_bytes *axis_report_picture(const axis_report *r);
/* Ends the current axis, and begins another. */
void axis_report_axis(axis_report *r, const char *name, const char *about,
                      const value_trace *reference);
void axis_report_row(axis_report *r, const axis_row *row);
/* Ends the report, prints the error in *e, if any, and returns the exit code. */
int axis_report_end(axis_report *r, const oc_error *e);
