/* SPDX-License-Identifier: Apache-2.0
 * resize_types.h - what is asked of Resize? */
#ifndef OC_KERNELS_RESIZE_RESIZE_TYPES_H
#define OC_KERNELS_RESIZE_RESIZE_TYPES_H

#include "base/work.h"
#include "kernels/resize/resize_taps.h"

enum {
    OC_RESIZE_INNER = 16,      /* elements that make a row of sums worth a call; fewer: lines */
    OC_RESIZE_STREAM = 8 << 20 /* bytes of output that no cache would keep */
};

/* resize.h says what is computed. */
typedef struct oc_resize {
    oc_type type; /* of x and y; nearest: any; else one that oc_nchw16c_of, or complex */
    bool nearest;
    int rank;
    const oc_resize_taps *taps[OC_MAX_RANK]; /* of each axis; NULL: as it is */
    int64_t n_in[OC_MAX_RANK], n_out[OC_MAX_RANK];
    const void *x;       /* row-major; no axis is empty */
    void *y;             /* likewise */
    const void *outside; /* the element of outputs whose position is outside */
    void *scratch;       /* oc_resize_scratch bytes, aligned to 64 */
    oc_work work;
    unsigned cpu;
} oc_resize;

#endif
