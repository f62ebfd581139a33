/* SPDX-License-Identifier: Apache-2.0
 * momentum.c - Momentum: a step along the momentum V, which old gradients leave slowly; in mode
 * nesterov, along the gradient and the momentum after it. */
#include "kernels/common/element.h"
#include "ops/training/optimizer.h"

#define TEMPLATE "ops/training/momentum.inc"
#include "kernels/common/floats.inc"

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
