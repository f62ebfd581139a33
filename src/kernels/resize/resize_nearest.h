/* SPDX-License-Identifier: Apache-2.0
 * resize_nearest.h - moves elements to the outputs that are nearest to them.
 *
 * The last axis that changes has a list of elements to pick; an element of this axis is a block of
 * all that lies within. A row of outputs comes from one row of x. Neighbouring rows of outputs
 * often come from one row, which is then picked once, in parts that stay in the first cache. */
#pragma once

#include "kernels/resize/resize_types.h"

void oc_resize_nearest_run(const oc_resize *r);
