/* SPDX-License-Identifier: Apache-2.0
 * momentum.c - Momentum: a step along the momentum V, which old gradients leave slowly; in mode
 * nesterov, along the gradient and the momentum after it. */
#include "ops/training/optimizer.h"

#define UPDATE(name, T)                                                                            \
    static void name(void *const y[], const void *const x[], int64_t n, const oc_optimizer *o)     \
    {                                                                                              \
        const T rate = (T)o->rate, norm = (T)o->norm_coefficient;                                  \
        const T alpha = (T)o->alpha, beta = (T)o->beta;                                            \
        const T *old = x[0], *gradient = x[1], *v = x[2];                                          \
        T *to = y[0], *new_v = y[1];                                                               \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T g = norm * old[i] + gradient[i];                                               \
            new_v[i] = alpha * v[i] + beta * g;                                                    \
            to[i] = old[i] - rate * (o->nesterov ? g + alpha * new_v[i] : new_v[i]);               \
        }                                                                                          \
    }
UPDATE(update_f32, float)
UPDATE(update_f64, double)

static oc_status read_mode(oc_call *c, int *mode)
{
    static const char *const names[] = {"standard", "nesterov", NULL};
    return oc_attr_enum(c, "mode", names, mode);
}

static oc_status momentum_shape(oc_call *c)
{
    int mode;
    OC_TRY(read_mode(c, &mode));
    return oc_optimizer_shape(c, 1);
}

/* beta counts from the second update on. */
static oc_status momentum_run(oc_call *c)
{
    oc_optimizer o = {.norm_coefficient = (double)oc_attr_float(c, "norm_coefficient"),
                      .alpha = (double)oc_attr_float(c, "alpha")};
    int64_t count;
    int mode;
    OC_TRY(read_mode(c, &mode));
    OC_TRY(oc_optimizer_inputs(c, &o, &count));
    o.beta = count > 0 ? (double)oc_attr_float(c, "beta") : 1;
    o.nesterov = mode == 1;
    return oc_optimizer_run(c, 1, update_f32, update_f64, &o);
}

/* clang-format off */
const oc_op oc_ops_momentum[] = {
    {1, "ai.onnx.preview.training::Momentum <float alpha, float beta, string mode, "
        "float norm_coefficient> " OC_OPTIMIZER_PORTS, momentum_shape, momentum_run},
    {0}
};
/* clang-format on */
