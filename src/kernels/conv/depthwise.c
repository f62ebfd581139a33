/* SPDX-License-Identifier: Apache-2.0
 * depthwise.c - the scalar sums under pointers, and the table of variants. */
#include "kernels/conv/depthwise.h"

#include <math.h>
#include <string.h>

#include "kernels/common/precondition.h"

enum { LANES = OC_DEPTHWISE_LANES };

/* Loops over lanes become vector instructions. */
#define SUMS(name, T, fma)                                                                         \
    static void name(const oc_depthwise *d)                                                        \
    {                                                                                              \
        assert(d->n >= 0 && d->n % LANES == 0 && d->taps >= 0);                                    \
        for (int64_t j = 0; j < d->n; j += LANES) {                                                \
            T sum[LANES] = {0};                                                                    \
            if (d->more)                                                                           \
                memcpy(sum, (const T *)d->y + j, sizeof sum);                                      \
            for (int64_t k = 0; k < d->taps; k++) {                                                \
                const T w = ((const T *)d->w)[k];                                                  \
                const T *x = (const T *)d->x[k] + j;                                               \
                for (int i = 0; i < LANES; i++)                                                    \
                    sum[i] = fma(w, x[i], sum[i]);                                                 \
            }                                                                                      \
            memcpy((T *)d->y + j, sum, sizeof sum);                                                \
        }                                                                                          \
    }
SUMS(sums_f32, float, fmaf)
SUMS(sums_f64, double, fma)

#define OC_VARIANT(isa) extern const oc_depthwise_variant oc_depthwise_##isa;
#include "kernels/conv/depthwise.def"
#undef OC_VARIANT

const oc_depthwise_variant oc_depthwise_scalar = {"scalar", OC_CPU_SCALAR, sums_f32, sums_f64};

const oc_depthwise_variant *const oc_depthwise_variants[] = {
#define OC_VARIANT(isa) &oc_depthwise_##isa,
#include "kernels/conv/depthwise.def"
#undef OC_VARIANT
};

oc_depthwise_fn *oc_depthwise_pick(oc_type type, unsigned cpu)
{
    const oc_depthwise_variant *v;
    OC_VARIANT_PICK(v, oc_depthwise_variants, f32, cpu);
    return type == OC_F64 ? v->f64 : v->f32;
}
