/* SPDX-License-Identifier: Apache-2.0
 * stats.h - sums up a value in one line: type, shape, least, greatest, mean, NaN count. */
#pragma once

#include "common/json.h"

enum { STATS_SHAPE = 256 };

/* least, greatest and mean leave out elements that are NaN. */
typedef struct stats {
    bool ordered;            /* true: the type has an order, and some element is not NaN */
    int64_t least, greatest; /* indices of the first least and the first greatest element */
    double mean; /* for bool the share of true, for complex types the mean of the real parts */
    int64_t n_nan, n_inf; /* numbers of elements */
} stats;

/* Returns all zeros for a tensor of strings. After SIGINT it is OC_CANCELLED, and the result is
 * all zeros too. */
stats stats_of(const oc_value *tensor, oc_error *e);

/* Writes type and shape into text and returns text: "float[1,3,224,224]"; "seq(float)[2]" for a
 * sequence of two; "optional(none)". */
const char *stats_shape(const oc_value *value, char text[STATS_SHAPE]);
/* Writes the coordinates of element i, as in "[0,2,1]", into text and returns text. */
const char *stats_index(const oc_value *tensor, int64_t i, char text[STATS_SHAPE]);

/* What is printed for each tensor besides: behind its line, or as members of its object. tell is
 * called while *e holds no error. A stats_more of NULL adds nothing. */
typedef struct stats_more {
    void (*tell)(void *ctx, const oc_value *tensor, oc_error *e);
    void *ctx;
} stats_more;

/* Prints the line of one value on standard output; the items of a sequence follow, indented. The
 * name is padded to name_width, so that the columns of several lines are aligned. Prints nothing
 * when *e holds an error, and ends before the line that SIGINT comes in, with OC_CANCELLED. */
void stats_print(const char *name, int name_width, const oc_value *value, const stats_more *more,
                 oc_error *e);
/* Writes these facts as members of the JSON object that is open in j. After SIGINT it is
 * OC_CANCELLED, and facts that are not known are left out. */
void stats_json(json_writer *j, const oc_value *value, const stats_more *more, oc_error *e);
