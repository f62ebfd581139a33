/* SPDX-License-Identifier: Apache-2.0
 * adagrad.c - Adagrad: a step along the gradient, shorter where the sum H of squares is large. */

#include "kernels/common/element.h"
#include "ops/training/optimizer.h"

#define TEMPLATE "ops/training/adagrad.inc"
#include "kernels/common/floats.inc"

OC_CALL_FN(adagrad_shape, oc_optimizer_shape(c, 1))

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
