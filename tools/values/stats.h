/* SPDX-License-Identifier: Apache-2.0
 * stats.h - what a value looks like in one line: type, shape, least, greatest, mean, NaN count. */
#ifndef TOOLS_VALUES_STATS_H
#define TOOLS_VALUES_STATS_H

#include "common/json.h"

enum { STATS_SHAPE = 256 };

typedef struct stats {
    bool ordered;            /* the type has an order and there is an element that is no NaN */
    int64_t least, greatest; /* indices of the first such elements */
    double mean;             /* of the elements that are no NaN; of bool, the share of true */
    int64_t n_nan, n_inf;
} stats;

stats stats_of(const oc_value *tensor);

/* "float[1,3,224,224]"; "seq(float)[2]" for a sequence of two; "optional(none)". */
const char *stats_shape(const oc_value *value, char text[STATS_SHAPE]);
/* Where element i of a tensor stands, as "[0,2,1]". */
const char *stats_index(const oc_value *tensor, int64_t i, char text[STATS_SHAPE]);

/* The line of one output on standard output; items of a sequence follow, indented. name_width
 * aligns the columns of several lines. */
void stats_print(const char *name, int name_width, const oc_value *value);
/* The same facts as members of the JSON object that is open. */
void stats_json(json_writer *j, const oc_value *value);

#endif
