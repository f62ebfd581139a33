/* SPDX-License-Identifier: Apache-2.0
 * figure.h - shows one case on the HTML page: its outcome, a picture, the command. */
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
