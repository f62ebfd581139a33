/* SPDX-License-Identifier: Apache-2.0
 * adam.c - Adam: a step along the running average V of the gradients, shorter where the running
 * average H of their squares is large. */

#include "kernels/common/element.h"
#include "ops/training/optimizer.h"

#define TEMPLATE "ops/training/adam.inc"
#include "kernels/common/floats.inc"

/* Raises x to the power of n > 0, by squares. */
static double power(double x, int64_t n)
{
    double y = 1;
    for (; n > 0; n /= 2, x *= x)
        y *= n % 2 ? x : 1;
    return y;
}

OC_CALL_FN(adam_shape, oc_optimizer_shape(c, 2))

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
