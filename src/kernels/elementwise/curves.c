/* SPDX-License-Identifier: Apache-2.0
 * curves.c - the scalar curves, the table of variants, and the walk along a row. */
#include "kernels/elementwise/curves.h"

#include "kernels/common/precondition.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/floats.inc"

#include "kernels/elementwise/curves.inc"

#define OC_VARIANT(isa) extern const oc_curves oc_curves_##isa;
#include "kernels/elementwise/curves.def"
#undef OC_VARIANT

const oc_curves oc_curves_scalar = CURVES("scalar", OC_CPU_SCALAR);

const oc_curves *const oc_curves_variants[] = {
#define OC_VARIANT(isa) &oc_curves_##isa,
#include "kernels/elementwise/curves.def"
#undef OC_VARIANT
};

const oc_curves *oc_curves_pick(unsigned cpu)
{
    const oc_curves *v;
    OC_VARIANT_PICK(v, oc_curves_variants, exp, cpu);
    return v;
}

void oc_curve_row(void *y, const void *const x[], const int64_t step[], int64_t n,
                  const void *curve)
{
    const oc_curve *c = curve;
    (void)step;
    assert(n >= 0 && c && (y == x[0] || oc_apart(y, n * 4, x[0], n * 4)));
    c->fn(y, x[0], n, (float)c->a);
}

/* Rows go block by block; the last one is filled up. */
#define ROW(name, context, apply)                                                                  \
    void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,                   \
              const void *context_)                                                                \
    {                                                                                              \
        const context *c = context_;                                                               \
        const float *x = x_[0];                                                                    \
        float *y = y_;                                                                             \
        _Alignas(64) float block[OC_CURVE_BLOCK] = {0};                                            \
        (void)step;                                                                                \
        assert(n >= 0 && c && (y == x || oc_apart(y, n * 4, x, n * 4)));                           \
        for (int64_t i = 0; i < n; i += OC_CURVE_BLOCK) {                                          \
            const int64_t some = n - i < OC_CURVE_BLOCK ? n - i : OC_CURVE_BLOCK;                  \
            memcpy(block, x + i, (size_t)some * sizeof *block);                                    \
            apply;                                                                                 \
            memcpy(y + i, block, (size_t)some * sizeof *block);                                    \
        }                                                                                          \
    }

static inline bool is_far(float x)
{
    return !(fabsf(x) <= OC_CURVE_NEAR);
}

/* sin or cos of a block. */
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

ROW(oc_angle_row_f32, oc_angle_row, transpose_block(c, block))
ROW(oc_elu_row_f32, oc_elu_row, c->fn(block, &c->f))
