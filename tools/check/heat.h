/* SPDX-License-Identifier: Apache-2.0
 * heat.h - a picture of where two tensors differ. */
#ifndef TOOLS_CHECK_HEAT_H
#define TOOLS_CHECK_HEAT_H

#include "values/compare.h"
#include "files/html.h"

enum { CHECK_HEAT_LEVELS = 8, CHECK_HEAT_CELLS = 64 };

/* Tensors of numbers of one type and shape, with an element? Others have no picture. */
bool check_heat_fits(const oc_value *got, const oc_value *want);

/* Appends an SVG of |got - want|, the elements in rows, and what its colours and cells stand for.
 * Elements that are the same stay empty; the others have one of the classes l0 to l7, on a
 * logarithmic scale from their least difference to the greatest, and lx where one of two is NaN or
 * infinite. More than 64 rows or columns share cells, which show the greatest. A ring is around
 * element first; -1: around the first that is not the same. */
void check_heat_put(io_bytes *to, const oc_value *got, const oc_value *want, int64_t first);

/* The greatest difference as a share of what the bound allows for its element. */
double check_heat_share(const oc_value *got, const oc_value *want, const compare_bound *bound);

#endif
