/* SPDX-License-Identifier: Apache-2.0
 * multinomial.c - Multinomial: classes drawn at random, each with a probability in proportion to e
 * to the power of its input.
 *
 * Sample j of row i is made from random number i * sample_size + j of the node's key: it is the
 * first class at which the sum of the classes' weights passes that number, times the sum of all. */
#include "base/counter_random.h"
#include "kernels/elementwise/elementary.h"
#include "ops/kit/op.h"

#include <math.h>

static oc_status multinomial_shape(oc_call *c)
{
    const int64_t samples = oc_attr_int(c, "sample_size"), type = oc_attr_int(c, "dtype");
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 2, 2));
    if (samples < 0)
        return oc_fail(c, OC_VALUE, "attribute 'sample_size' is %" PRId64 ", expected 0 or more",
                       samples);
    if (x->n[0] > 0 && samples > 0 && x->n[1] < 1)
        return oc_fail_dims(c, 0, "expected one class or more");
    if (type != OC_I32 && type != OC_I64)
        return oc_fail(c, OC_VALUE,
                       "attribute 'dtype' is %" PRId64 ", expected %d (int32) or %d (int64)", type,
                       OC_I32, OC_I64);
    if (type == OC_I32 && x->n[1] > INT32_MAX)
        return oc_fail_dims(c, 0, "expected at most %d classes for int32", INT32_MAX);
    return oc_set_out(c, 0, (oc_type)type, &(oc_dims){2, {x->n[0], samples}});
}

/* sum[k], which holds the input of class k, becomes the sum of the weights of classes 0 .. k. The
 * largest weight is 1. */
static oc_status sum_weights(oc_call *c, int64_t row, double *sum, int64_t n)
{
    double most = -(double)INFINITY, all = 0;
    bool is_number = true;
    OC_CALL_LOOP (c, k, n, 1024) {
        most = sum[k] > most ? sum[k] : most;
        is_number = is_number && sum[k] == sum[k];
    }
    if (!is_number || !isfinite(most))
        return oc_fail(c, OC_VALUE,
                       "row %" PRId64
                       " of input 0 has %s, expected finite numbers or -Inf, and one "
                       "of them finite",
                       row,
                       !is_number ? "NaN"
                       : most > 0 ? "Inf"
                                  : "-Inf alone");
    oc_elementary_fn *const fn = oc_elementary_pick(oc_call_cpu(c))->exp;
    OC_CALL_PIECES (c, q, n, 256) {
        for (int64_t k = q.first; k < q.end; k++)
            sum[k] -= most;
        oc_elementary_apply(fn, sum + q.first, q.end - q.first);
        for (int64_t k = q.first; k < q.end; k++)
            sum[k] = all += sum[k];
    }
    return OC_OK;
}

/* The first class whose sum is above `at`; at is below the last sum. */
static int64_t find_class(const double *sum, int64_t n, double at)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sum[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static oc_status draw_row(oc_call *c, int64_t row, const double *sum, int64_t n)
{
    const oc_value *y = oc_out(c, 0);
    const int64_t samples = y->dims.n[1];
    const uint64_t key = oc_call_key(c);
    OC_CALL_LOOP (c, k, samples, 256) {
        const int64_t i = row * samples + k;
        const int64_t drawn = find_class(sum, n, oc_random_unit(key, (uint64_t)i, 53) * sum[n - 1]);
        if (y->type == OC_I64)
            ((int64_t *)y->data)[i] = drawn;
        else
            ((int32_t *)y->data)[i] = (int32_t)drawn;
    }
    return OC_OK;
}

static oc_status multinomial_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t n = x->dims.n[1];
    double *sum;
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, sum, n));
    OC_CALL_LOOP (c, row, x->dims.n[0], 1) {
        oc_call_convert(c, sum, OC_F64,
                        (const char *)x->data + (size_t)(row * n) * oc_type_size(x->type), x->type,
                        n);
        OC_TRY(sum_weights(c, row, sum, n));
        OC_TRY(draw_row(c, row, sum, n));
    }
    return OC_OK;
}

/* clang-format off */
#define SIG(set) \
    "Multinomial <int dtype@T2 = 6, int sample_size = 1, float seed?> (T1 input) => (T2 output) "  \
    "| T1: " set "; T2: int32 int64; random", multinomial_shape, multinomial_run
const oc_op oc_ops_multinomial[] = {
    {22, SIG("float_ir4")},
    { 7, SIG("ieee")},
    {0}
};
