/* SPDX-License-Identifier: Apache-2.0
 * report.h - what a model's check came to, as a table or as JSON, row by row. */
#ifndef TOOLS_WAYS_REPORT_H
#define TOOLS_WAYS_REPORT_H

#include "ways/trace.h"
#include "common/json.h"

typedef struct axis_report {
    bool json;
    json_writer j;
    int n_axes, n_bad, n_known; /* runs that differ or fail: not known to, and known to */
} axis_report;

/* One run, held against the axis's reference run. */
typedef struct axis_row {
    char name[96];
    int n_nodes;                       /* whose operator the row is about; 0: of none */
    const char *note;                  /* why there was no run; NULL: there was */
    const axis_comparison *comparison; /* as far as the run came */
    const oc_error *error;             /* that ended the run, or OC_OK */
    const char *only;                  /* the one operator whose body ran; NULL: not one */
    const char *known;                 /* why a difference is no disagreement; NULL: it is one */
} axis_row;

axis_report axis_report_begin(const char *path, bool json);
void axis_report_axis(axis_report *r, const char *name, const char *about,
                      const axis_trace *reference);
void axis_report_row(axis_report *r, const axis_row *row);
/* Ends the report, says what *e holds, and returns the exit code. */
int axis_report_end(axis_report *r, const oc_error *e);

#endif
