/* SPDX-License-Identifier: Apache-2.0
 * pool.h - in which order is each window of an image folded to one value?
 *
 * The taps of a window that lie in the image are folded column by column: those of one column of
 * the last axis in row-major order of the other axes, then the columns from first to last. The
 * fold of a maximum keeps its first operand if the second is equal, and is NaN once a tap is. So
 * the bits depend neither on blocks nor on threads. Without a tap in the image the maximum is -Inf
 * (the least integer) and the sum 0. */
#pragma once

#include "base/work.h"
#include "kernels/common/sliding_window.h"
#include "kernels/pool/pool_loops.h"
#include "kernels/pool/pool_rows.h"

typedef enum oc_pooling_kind { OC_POOL_MAX, OC_POOL_SUM, OC_POOL_AVERAGE } oc_pooling_kind;

typedef struct oc_pooling {
    oc_pooling_kind kind;
    oc_type type; /* OC_F32 or OC_F64; for a maximum also OC_I8 or OC_U8 */
    /* true: an average divides by the taps in image and padding; false: by those in the image */
    bool count_pad;
    const oc_pool_loops *loops;
    const oc_pool_rows_variant *rows; /* NULL: rows are folded tap by tap */
    const void *x;
    void *y;
    int64_t *index; /* for a maximum, its first place in x, or -1 without a tap; NULL: not wanted */
    int64_t planes;
    oc_window window; /* has one axis or more */
    oc_work work;
} oc_pooling;

/* Computes the bytes of scratch memory, aligned to 64, for this number of threads. Returns false
 * when they are too many. */
bool oc_pooling_scratch(const oc_pooling *g, int threads, uint64_t *bytes);

/* The window's in, out * stride, kernel * dilation and pad must be at most 2^62 in magnitude. */
void oc_pooling_run(const oc_pooling *g, void *scratch);
