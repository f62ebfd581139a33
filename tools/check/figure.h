/* SPDX-License-Identifier: Apache-2.0
 * figure.h - one case on a check's page: what it came to, a picture, the command. */
#ifndef TOOLS_CHECK_FIGURE_H
#define TOOLS_CHECK_FIGURE_H

#include "check/run.h"
#include "files/html.h"

/* The output to show: where the case differs; else the one closest to its bound, and how close it
 * is, as a share of the bound. */
int check_choose_output(const check_run *run, int way, double *share);
/* The case as one of the ways ran it, with a picture of that output. */
void check_put_figure(io_bytes *to, const check_run *run, int way, int output, const char *class);

/* A count of units in the last place, short. */
void check_put_ulp(io_bytes *to, uint64_t ulp);

#endif
