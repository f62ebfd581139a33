/* SPDX-License-Identifier: Apache-2.0
 * model_html.h - writes the results of a model's check as one HTML page, which needs no network
 * and no script. */
#pragma once

#include "files/html.h"
#include "model_check/row.h"

/* What the head of the page shows. */
typedef struct axis_totals {
    int n_axes, n_runs, n_bad, n_known;
} axis_totals;

typedef struct axis_html {
    io_file file;
    const char *model;
    io_bytes sections;
    io_bytes first;   /* the first difference of each run of the current axis */
    io_bytes picture; /* a picture of the next row's first difference, which a comparison draws */
} axis_html;

/* Begins the page, which is written to path. Free with axis_html_end. */
axis_html *axis_html_new(const char *path, const char *model, oc_error *e);
void axis_html_axis(axis_html *h, const char *name, const char *about,
                    const value_trace *reference);
/* differs: the run differs or fails, for a known reason or not. */
void axis_html_row(axis_html *h, const axis_row *row, bool differs);
/* *failed is the error that ended the check, if any. *e becomes the error of writing. */
void axis_html_end(axis_html *h, const axis_totals *totals, const oc_error *failed, oc_error *e);
