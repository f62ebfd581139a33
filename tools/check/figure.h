/* SPDX-License-Identifier: Apache-2.0
 * figure.h - parts of the HTML page: one case with its outcome, a picture and the command; and the
 * frame. */
#pragma once

#include "check/run.h"
#include "files/html.h"

/* Returns the output to show: the first that differs too much; if there is none, the output
 * whose difference is the largest share of its bound. *share is that share, 0 for an output that
 * differs too much. */
int check_choose_output(const check_run *run, int way, double *share);
/* Appends the case as one of the ways ran it, with a picture of that output. */
void check_put_figure(io_bytes *to, const check_run *run, int way, int output, const char *class);

/* Appends a count of units in the last place, in few characters. */
void check_put_ulp(io_bytes *to, uint64_t ulp);

/* ---- the frame of the page (report_page.c) ---- */

/* Appends the page's head, from the doctype to <body>, with all styles. */
void check_page_head(io_bytes *to, const char *title);
/* Appends the legend of the pictures that heat.h draws. */
void check_page_legend(io_bytes *to);
