/* SPDX-License-Identifier: Apache-2.0
 * resize_nearest.h - how are elements moved to where they are nearest?
 *
 * The last axis that changes has a list of elements to pick; an element of it is a block of all
 * that lies within. A row of outputs comes from one row of x; neighbouring rows of outputs often
 * come from the same one, which is then picked once, in parts that stay in the first cache. */
#ifndef OC_KERNELS_RESIZE_RESIZE_NEAREST_H
#define OC_KERNELS_RESIZE_RESIZE_NEAREST_H

#include "kernels/resize/resize_types.h"

void oc_resize_nearest_run(const oc_resize *r);

#endif
