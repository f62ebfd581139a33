/* SPDX-License-Identifier: Apache-2.0
 * array_feature_extractor.c - ArrayFeatureExtractor: columns of a tensor, picked by index. A vector
 * counts as one row. */
#include "ops/kit/op.h"

static oc_status extractor_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims y = x->dims;
    OC_TRY(oc_expect_rank(c, 0, 1, OC_MAX_RANK));
    if (y.rank == 1)
        y = (oc_dims){2, {1, 0}};
    y.n[y.rank - 1] = oc_value_n(oc_in(c, 1));
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status extractor_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const int64_t n = oc_value_n(oc_in(c, 1)), *index = oc_in(c, 1)->data;
    const int64_t width = x->dims.n[x->dims.rank - 1];
    const size_t size = oc_type_size(x->type);
    OC_CALL_LOOP (c, k, n, 1024)
        if (index[k] < 0 || index[k] >= width)
            return oc_fail(c, OC_VALUE, "input 1 has %lld at [%lld], expected a value in [0, %lld]",
                           (long long)index[k], (long long)k, (long long)width - 1);
    const int64_t rows = width ? oc_value_n(x) / width : 0;
    OC_CALL_LOOP (c, k, n, 1)
        oc_call_copy_rows(c, (char *)y->data + size * (size_t)k, size * (size_t)n,
                          (const char *)x->data + size * (size_t)index[k], size * (size_t)width,
                          size, rows);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_array_feature_extractor[] = {
    {1, "ai.onnx.ml::ArrayFeatureExtractor (T X, int64 Y$) => (T Z) "
        "| T: float double int64 int32 string", extractor_shape, extractor_run},
    {0}
};
