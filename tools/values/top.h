/* SPDX-License-Identifier: Apache-2.0
 * top.h - ranks the largest values of each row of a tensor.
 *
 * A row lies along the last axis whose size is not 1, or along the last axis when all have size
 * 1. */
#pragma once

#include "common/json.h"
#include "values/labels.h"

enum {
    TOP_MOST = 1000, /* most values of a row */
    TOP_ROWS = 1000, /* most rows that are written in JSON */
    TOP_LINES = 20   /* most rows that are printed */
};

/* Is it a tensor with elements that are numbers with an order? */
bool top_has_rows(const oc_value *v);
/* Returns the number of elements of a row, for a tensor that has rows. */
int64_t top_row_size(const oc_value *v);
/* Writes the indices, within row number `row`, of its n largest values, the largest first, and
 * returns how many there are. Of equal values the first comes first; a NaN comes after all numbers.
 * n is at most TOP_MOST; after SIGINT it is OC_CANCELLED. */
int top_of_row(const oc_value *v, int64_t row, int n, int64_t index[TOP_MOST], oc_error *e);

/* Prints the n largest values of each row with their indices, and with labels if a row has as
 * many elements as there are labels; at most TOP_LINES rows, and then how many more there are. */
void top_print(const oc_value *v, int n, const labels *l, oc_error *e);
/* Writes the n largest values of at most TOP_ROWS rows as the member "top" of the object that is
 * open in j; "rows" is the number of all rows, "axis" the axis along which they lie. */
void top_json(json_writer *j, const oc_value *v, int n, const labels *l, oc_error *e);
