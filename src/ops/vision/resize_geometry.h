/* SPDX-License-Identifier: Apache-2.0
 * resize_geometry.h - of Resize and Upsample: how long is each axis of the output, and by which
 * scale do its positions become positions of the input? */
#pragma once

#include "kernels/resize/resize.h"
#include "ops/kit/op.h"

typedef struct oc_resize_geometry {
    oc_dims y;
    oc_resize_mode mode;
    /* Of each axis of X: `listed` says whether an attribute, or the rank, gives it an entry of
     * roi, scales and sizes; its number there is `entry`. An axis that is not listed stays as it
     * is. */
    bool listed[OC_MAX_RANK];
    int entry[OC_MAX_RANK];
    int n; /* axes listed */
    oc_resize_axis axis[OC_MAX_RANK];
} oc_resize_geometry;

/* Lists all axes of X. */
void oc_resize_list_all(oc_call *c, oc_resize_geometry *g);
/* Sets the lengths of y and the scales of the axes from one float for each axis listed. what names
 * the floats in errors; none is less than `smallest`. */
oc_status oc_resize_by_scales(oc_call *c, oc_resize_geometry *g, const char *what,
                              const float *scales, int64_t n, float smallest);
/* Does the type have the mode's result, and has X elements where y has some? */
oc_status oc_resize_check(oc_call *c, const oc_resize_geometry *g);
/* Makes output 0. outside: the value of outputs whose position is outside X. */
oc_status oc_resize_make(oc_call *c, const oc_resize_geometry *g, float outside);
