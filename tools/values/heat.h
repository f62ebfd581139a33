/* SPDX-License-Identifier: Apache-2.0
 * heat.h - draws where two tensors differ. */
#pragma once

#include "values/compare.h"
#include "files/html.h"

enum { HEAT_LEVELS = 8, HEAT_CELLS = 64 };

/* Can a picture be drawn? Both are tensors of numbers of one type and shape, and not empty. */
bool heat_fits(const oc_value *got, const oc_value *want);

/* Appends an SVG of |got - want|, with the elements in rows, and a legend of its colours and
 * cells. Equal elements stay empty. The others have one of the classes l0 to l7, on a
 * logarithmic scale from the least difference to the greatest, or lx if one of two is NaN or
 * infinite. With more than 64 rows or columns several elements share a cell, which shows the
 * greatest difference. A ring marks element first; -1: the first that differs. */
void heat_put(io_bytes *to, const oc_value *got, const oc_value *want, int64_t first);
