/* SPDX-License-Identifier: Apache-2.0
 * adagrad.c - Adagrad: a step along the gradient, shorter where the sum H of squares is large. */
#include <math.h>

#include "ops/training/optimizer.h"

#define UPDATE(name, T, root)                                                                      \
    static void name(void *const y[], const void *const x[], int64_t n, const oc_optimizer *o)     \
    {                                                                                              \
        const T rate = (T)o->rate, norm = (T)o->norm_coefficient, epsilon = (T)o->epsilon;         \
        const T *old = x[0], *gradient = x[1], *h = x[2];                                          \
        T *to = y[0], *new_h = y[1];                                                               \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T g = norm * old[i] + gradient[i];                                               \
            new_h[i] = h[i] + g * g;                                                               \
            to[i] = old[i] - rate * g / (root(new_h[i]) + epsilon);                                \
        }                                                                                          \
    }
UPDATE(update_f32, float, sqrtf)
UPDATE(update_f64, double, sqrt)

static oc_status adagrad_shape(oc_call *c)
{
    return oc_optimizer_shape(c, 1);
}

static oc_status adagrad_run(oc_call *c)
{
    oc_optimizer o = {.norm_coefficient = (double)oc_attr_float(c, "norm_coefficient"),
                      .epsilon = (double)oc_attr_float(c, "epsilon")};
    int64_t count;
    OC_TRY(oc_optimizer_inputs(c, &o, &count));
    o.rate /= 1 + (double)count * (double)oc_attr_float(c, "decay_factor");
    return oc_optimizer_run(c, 1, update_f32, update_f64, &o);
}

/* clang-format off */
const oc_op oc_ops_adagrad[] = {
    {1, "ai.onnx.preview.training::Adagrad <float decay_factor = 0.0, float epsilon = 0.0, "
        "float norm_coefficient = 0.0> " OC_OPTIMIZER_PORTS, adagrad_shape, adagrad_run},
    {0}
};
/* clang-format on */
