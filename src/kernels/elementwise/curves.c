/* SPDX-License-Identifier: Apache-2.0
 * curves.c - the table of variants, and the walk along a row. */
#include "kernels/elementwise/curves.h"

#include "base/int.h"
#include "kernels/common/precondition.h"

#include <string.h>

OC_VARIANTS(oc_curves, oc_curves_variants)
OC_PICKER(oc_curves, oc_curves_pick, oc_curves_variants, exp)
OC_PICKER(oc_curves, oc_curves_pick_wide, oc_curves_variants, elu)

void oc_curve_row(void *y, const void *const x[], const int64_t step[], int64_t n,
                  const void *curve)
{
    const oc_curve *c = curve;
    (void)step;
    assert(n >= 0 && c && (y == x[0] || oc_apart(y, n * 4, x[0], n * 4)));
    c->fn(y, x[0], n, (float)c->a);
}

static inline bool is_far(float x)
{
    return !(fabsf(x) <= OC_CURVE_NEAR);
}

/* Computes sin or cos of a block. */
static void transpose_block(const oc_angle_row *a, float block[OC_CURVE_BLOCK])
{
    float x[OC_CURVE_BLOCK];
    int32_t any = 0;
    memcpy(x, block, sizeof x);
    a->near(block);
    for (int i = 0; i < OC_CURVE_BLOCK; i++)
        any |= is_far(x[i]);
    if (!any)
        return;
    double far[OC_CURVE_BLOCK], y[OC_CURVE_BLOCK];
    for (int i = 0; i < OC_CURVE_BLOCK; i++)
        far[i] = (double)x[i];
    a->far(y, far);
    for (int i = 0; i < OC_CURVE_BLOCK; i++)
        block[i] = is_far(x[i]) ? (float)y[i] : block[i];
}

typedef void block_fn(const void *context, float block[OC_CURVE_BLOCK]);

/* Walks along a row block by block; the last block is filled up. */
static inline void each_block(void *y_, const void *x_, int64_t n, const void *context,
                              block_fn *apply)
{
    const float *x = x_;
    float *y = y_;
    _Alignas(64) float block[OC_CURVE_BLOCK] = {0};
    assert(n >= 0 && context && (y == x || oc_apart(y, n * 4, x, n * 4)));
    for (int64_t i = 0; i < n; i += OC_CURVE_BLOCK) {
        const int64_t some = oc_min(n - i, OC_CURVE_BLOCK);
        memcpy(block, x + i, (size_t)some * sizeof *block);
        apply(context, block);
        memcpy(y + i, block, (size_t)some * sizeof *block);
    }
}

static void angle_block(const void *angle, float block[OC_CURVE_BLOCK])
{
    transpose_block(angle, block);
}

static void elu_block(const void *elu, float block[OC_CURVE_BLOCK])
{
    const oc_elu_row *row = elu;
    row->fn(block, &row->f);
}

void oc_angle_row_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                      const void *angle)
{
    (void)step;
    each_block(y, x[0], n, angle, angle_block);
}

void oc_elu_row_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                    const void *elu)
{
    (void)step;
    each_block(y, x[0], n, elu, elu_block);
}
