/* SPDX-License-Identifier: Apache-2.0
 * adam.c - Adam: a step along the running average V of the gradients, shorter where the running
 * average H of their squares is large. */
#include <math.h>

#include "ops/training/optimizer.h"

#define UPDATE(name, T, root)                                                                      \
    static void name(void *const y[], const void *const x[], int64_t n, const oc_optimizer *o)     \
    {                                                                                              \
        const T rate = (T)o->rate, norm = (T)o->norm_coefficient, epsilon = (T)o->epsilon;         \
        const T alpha = (T)o->alpha, beta = (T)o->beta, keep = 1 - (T)o->norm_coefficient_post;    \
        const T *old = x[0], *gradient = x[1], *v = x[2], *h = x[3];                               \
        T *to = y[0], *new_v = y[1], *new_h = y[2];                                                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T g = norm * old[i] + gradient[i];                                               \
            new_v[i] = alpha * v[i] + (1 - alpha) * g;                                             \
            new_h[i] = beta * h[i] + (1 - beta) * g * g;                                           \
            to[i] = keep * (old[i] - rate * new_v[i] / (root(new_h[i]) + epsilon));                \
        }                                                                                          \
    }
UPDATE(update_f32, float, sqrtf)
UPDATE(update_f64, double, sqrt)

/* x to the power of n > 0, by squares. */
static double power(double x, int64_t n)
{
    double y = 1;
    for (; n > 0; n /= 2, x *= x)
        y *= n % 2 ? x : 1;
    return y;
}

static oc_status adam_shape(oc_call *c)
{
    return oc_optimizer_shape(c, 2);
}

static oc_status adam_run(oc_call *c)
{
    oc_optimizer o = {
        .norm_coefficient = (double)oc_attr_float(c, "norm_coefficient"),
        .norm_coefficient_post = (double)oc_attr_float(c, "norm_coefficient_post"),
        .alpha = (double)oc_attr_float(c, "alpha"),
        .beta = (double)oc_attr_float(c, "beta"),
        .epsilon = (double)oc_attr_float(c, "epsilon"),
    };
    int64_t count;
    OC_TRY(oc_optimizer_inputs(c, &o, &count));
    if (count > 0)
        o.rate *= sqrt(1 - power(o.beta, count)) / (1 - power(o.alpha, count));
    return oc_optimizer_run(c, 2, update_f32, update_f64, &o);
}

/* clang-format off */
const oc_op oc_ops_adam[] = {
    {1, "ai.onnx.preview.training::Adam <float alpha = 0.9, float beta = 0.999, "
        "float epsilon = 0.0, float norm_coefficient = 0.0, float norm_coefficient_post = 0.0> "
        OC_OPTIMIZER_PORTS, adam_shape, adam_run},
    {0}
};
/* clang-format on */
