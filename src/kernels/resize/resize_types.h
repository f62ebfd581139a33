/* SPDX-License-Identifier: Apache-2.0
 * resize_types.h - the arguments of Resize. */
#pragma once

#include "kernels/resize/resize_taps.h"

enum {
    /* elements from which on a row of sums is worth a call; shorter rows are summed as lines */
    OC_RESIZE_INNER = 16,
    OC_RESIZE_STREAM = 8 << 20 /* outputs of more bytes are written past the caches */
};

/* A resize; resize.h says what it computes. */
typedef struct oc_resize {
    /* type of x and y: any for nearest; else one for which oc_nchw16c_of is not 0, or complex */
    oc_type type;
    bool nearest;
    int rank;
    const oc_resize_taps *taps[OC_MAX_RANK]; /* one for each axis; NULL: the axis does not change */
    int64_t n_in[OC_MAX_RANK], n_out[OC_MAX_RANK];
    const void *x;       /* row-major; all axes are at least 1 */
    void *y;             /* row-major; all axes are at least 1 */
    const void *outside; /* the element for outputs whose position is outside */
    void *scratch;       /* oc_resize_scratch bytes, aligned to 64 */
    oc_work work;
    unsigned cpu;
} oc_resize;
