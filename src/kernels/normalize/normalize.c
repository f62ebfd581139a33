/* SPDX-License-Identifier: Apache-2.0
 * normalize.c - the scalar softmax, its table of variants, the sums of rows, and Hardmax. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/simd/simd.h"

#include <math.h>
#include <string.h>

#include "kernels/normalize/exp.inc"

#define ELEMENT f32
#include "kernels/normalize/softmax.inc"
#define ELEMENT f32
#include "kernels/normalize/normalize.inc"

#define ELEMENT f64
#include "kernels/normalize/softmax.inc"
#define ELEMENT f64
#include "kernels/normalize/normalize.inc"

OC_ISA_VARIANT(oc_softmax_variant, oc_softmax_variants, softmax_f32, softmax_f64, &rows_f32,
               &rows_f64)
OC_VARIANTS(oc_softmax_variant, oc_softmax_variants)

oc_softmax_fn *oc_softmax_pick(oc_type type, unsigned cpu)
{
    const oc_softmax_variant *f32, *f64;
    OC_VARIANT_PICK(f32, oc_softmax_variants, f32, cpu);
    OC_VARIANT_PICK(f64, oc_softmax_variants, f64, cpu);
    return type == OC_F64 ? f64->f64 : f32->f32;
}

const oc_row_fns *oc_row_fns_pick(oc_type type, unsigned cpu)
{
    const oc_softmax_variant *f32, *f64;
    OC_VARIANT_PICK(f32, oc_softmax_variants, rows_f32, cpu);
    OC_VARIANT_PICK(f64, oc_softmax_variants, rows_f64, cpu);
    return type == OC_F64 ? f64->rows_f64 : f32->rows_f32;
}

#define HARDMAX(name, T)                                                                           \
    void name(void *y_, const void *x_, int64_t n, int64_t stride, int64_t width, bool as_log,     \
              const oc_work *w)                                                                    \
    {                                                                                              \
        (void)as_log;                                                                              \
        T *y = y_;                                                                                 \
        const T *x = x_;                                                                           \
        assert(n >= 0 && width >= 0 && stride >= width && (y != x || n == 0));                     \
        for (int64_t j = 0; j < width; j++) {                                                      \
            int64_t first = 0;                                                                     \
            OC_BLOCKS (w, i, n, 1) {                                                               \
                const T v = x[i * stride + j], most = x[first * stride + j];                       \
                first = v > most || (v != v && most == most) ? i : first;                          \
                y[i * stride + j] = 0;                                                             \
            }                                                                                      \
            if (n > 0)                                                                             \
                y[first * stride + j] = 1;                                                         \
        }                                                                                          \
    }
HARDMAX(oc_hardmax_f32, float)
HARDMAX(oc_hardmax_f64, double)
