/* SPDX-License-Identifier: Apache-2.0
 * roi_axis.h - which taps do the bins of a region have along one axis? Axis 0 is x, axis 1 is y. */
#pragma once

#include "kernels/roi/roi_types.h"

/* The bins of a stretch of one axis, as lists of taps. Bin b has taps first[b] to first[b+1]-1,
 * by rising index.
 *     avg            a: weight
 *     max            a: least weight, b: greatest weight
 *     bilinear_max   a: weight of pixel index, b: of the next pixel (at the last pixel, of itself)
 */
typedef struct oc_roi_axis {
    int bins;
    int32_t *first;
    bool *outside; /* for each bin: true when a sample is outside the map */
    int32_t *index;
    void *a, *b; /* float or double */
    int64_t n;   /* pixels of the whole axis */
} oc_roi_axis;

/* Is every tap of the first `bins` bins a pixel? */
static inline bool oc_roi_axis_is_sound(const oc_roi_axis *x)
{
    bool good = x->bins >= 0 && x->first[0] == 0;
    for (int b = 0; b < x->bins && good; b++) {
        good = x->first[b] <= x->first[b + 1];
        for (int32_t k = x->first[b]; k < x->first[b + 1]; k++)
            good = good && x->index[k] >= 0 && x->index[k] < x->n;
    }
    return good;
}

/* Returns the number of samples of one bin; 0 for a region without any. */
int64_t oc_roi_grid(const oc_roi_align *g, int64_t roi, int axis);
/* Are the region's coordinates and sides finite, once scaled? */
bool oc_roi_is_finite(const oc_roi_align *g, int64_t roi);
/* Returns the most taps of one bin. */
uint64_t oc_roi_bin_taps(const oc_roi_align *g, int64_t roi, int axis);

/* Returns the bytes of an axis with room for bins and taps, a multiple of 64. */
uint64_t oc_roi_axis_size(const oc_roi_align *g, uint64_t bins, uint64_t taps);
/* Makes an axis without bins in the memory at *at, and moves *at behind it. */
oc_roi_axis oc_roi_axis_new(char **at, const oc_roi_align *g, uint64_t bins, uint64_t taps,
                            int axis);
void oc_roi_axis_clear(oc_roi_axis *x);
/* Appends a bin of a region. */
void oc_roi_axis_add(oc_roi_axis *x, const oc_roi_align *g, int64_t roi, int axis, int64_t bin);
