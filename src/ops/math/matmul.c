/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - MatMul, with numpy's rules for vectors and batches. */
#include "ops/kit/stages.h"
#include "ops/math/matrices.h"

OC_CALL_FN(matmul_shape, oc_matrices_shape(c, 0, 1, oc_in(c, 0)->type))

/* float16 and bfloat16 are summed in float; each sum is rounded once, at the end. */
static oc_status matmul_run(oc_call *c)
{
    oc_matrices g;
    OC_TRY(oc_matrices_read(c, 0, 1, &g));
    const oc_value *y = oc_out(c, 0);
    g.packed = oc_call_prepared(c);
    g.type = y->type;
    g.y = y->data;
    g.a_data = oc_in(c, 0)->data;
    g.b_data = oc_in(c, 1)->data;
    if (oc_call_epilogue(c))
        g.after = (oc_matmul_epilogue){oc_epilogue_run_elements, oc_call_epilogue(c)};
    return oc_matrices_multiply(c, &g);
}

OC_CALL_FN(matmul_prepare, oc_matrices_prepare(c, 1, false))

static bool columns(OC_UNUSED const oc_call *c, int *axis)
{
    *axis = -1;
    return true;
}

static const oc_on_codes on_codes = {"", "QLinearMatMul", "0x0s0z1x1s1zysyz", .columns = columns};

/* clang-format off */
#define MATMUL matmul_shape, matmul_run, matmul_prepare, OC_TRAITS(.on_codes = &on_codes)
#define SIG(set) "MatMul (T A, T B=) => (T Y*) | T: " set
const oc_op oc_ops_matmul[] = {
    {13, SIG("high_precision_ir4"), MATMUL},
    { 9, SIG("high_precision"),     MATMUL},
    { 1, SIG("ieee"),               MATMUL},
    {0}
};
