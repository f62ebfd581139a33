/* SPDX-License-Identifier: Apache-2.0
 * qgemm.c - QGemm, Gemm of 8-bit codes, which the plan makes (plan/quantise/quantise.c) and no
 * model can name: y is the code of (A - a_zero) (B - b_zero) + C, as QLinearMatMul makes it of the
 * sum.
 *
 * C is in units of a_scale * b_scale. B has one scale and one zero point, or one for each column of
 * the product. */
#include "ops/math/int8_operands.h"
#include "ops/math/qgemm.h"

enum { A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, Y_SCALE, Y_ZERO, C };

static bool is_transposed(const oc_call *c)
{
    return oc_attr_int(c, "transB") != 0;
}

static oc_status expect_columns(oc_call *c, int i, int64_t n)
{
    const oc_value *v = oc_in_or_null(c, i);
    if (!v || (v->dims.rank <= 1 && oc_value_n(v) == 1))
        return OC_OK;
    return oc_expect_dims(c, i, &(oc_dims){1, {n}}, ", one for each column, or one element");
}

static oc_status qgemm_shape(oc_call *c)
{
    const bool transposed = is_transposed(c);
    const int one[] = {A_SCALE, A_ZERO, Y_SCALE, Y_ZERO}, columns[] = {B_SCALE, B_ZERO};
    OC_TRY(oc_expect_rank(c, A, 2, 2));
    OC_TRY(oc_expect_rank(c, B, 2, 2));
    const oc_dims *a = &oc_in(c, A)->dims, *b = &oc_in(c, B)->dims;
    const int64_t n = b->n[!transposed];
    if (b->n[transposed] != a->n[1])
        return oc_fail_dims(c, B, "expected axis %d as long as axis 1 of A", (int)transposed);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        OC_TRY(oc_expect_one(c, one[i]));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        OC_TRY(expect_columns(c, columns[i], n));
    const oc_dims y = {2, {a->n[0], n}}, row = {2, {1, n}};
    OC_TRY(oc_expect_repeats(c, C, &row));
    return oc_set_out(c, 0, oc_in(c, Y_ZERO)->type, &y);
}

/* ---- B, packed */

OC_CALL_FN(qgemm_prepare, oc_int8_prepare(c, oc_in(c, B), is_transposed(c), true))

static oc_status find_packed(oc_call *c, int64_t k, int64_t n, oc_int8_right *p)
{
    const oc_int8_right *kept = oc_call_prepared(c);
    int8_t *to;
    int32_t *sum;
    if (kept) {
        *p = *kept;
        return OC_OK;
    }
    OC_TRY(OC_SCRATCH(c, to, oc_matmul_int8_packed(k, n)));
    OC_TRY(OC_SCRATCH(c, sum, oc_int8_columns(n)));
    oc_int8_pack(c, oc_in(c, B), is_transposed(c), to, sum);
    *p = (oc_int8_right){to, sum};
    return OC_OK;
}

/* ---- what belongs to columns and rows */

/* Return the zero point of column j, as it is packed, and its scale. */
static int zero_at(const oc_call *c, int64_t j)
{
    const oc_value *v = oc_in(c, B_ZERO);
    const int64_t at = oc_value_n(v) == 1 ? 0 : j;
    const int zero =
        v->type == OC_U8 ? ((const uint8_t *)v->data)[at] : ((const int8_t *)v->data)[at];
    return zero - oc_int8_right_flip(oc_in(c, B));
}

static float scale_at(const oc_call *c, int i, int64_t j)
{
    const oc_value *v = oc_in(c, i);
    return ((const float *)v->data)[oc_value_n(v) == 1 ? 0 : j];
}

/* Sets zero points of B, factors, and the numbers with which sums begin. *any tells whether a zero
 * point of B is not 0. */
static void fill_columns(oc_call *c, const oc_int8_right *p, int64_t n, int32_t *z, int32_t *first,
                         float *factor, bool *any)
{
    const oc_value *bias = oc_in_or_null(c, C);
    const int32_t zero = (int32_t)oc_in_zero(c, A_ZERO) + oc_int8_left_flip(oc_in(c, A));
    *any = false;
    OC_CALL_LOOP (c, j, oc_int8_columns(n), 1024) {
        z[j] = j < n ? zero_at(c, j) : 0;
        *any = *any || z[j] != 0;
        const int32_t b =
            bias && j < n ? ((const int32_t *)bias->data)[oc_value_n(bias) == 1 ? 0 : j] : 0;
        first[j] = j < n ? (int32_t)((uint32_t)b - (uint32_t)zero * (uint32_t)p->sum[j]) : 0;
        factor[j] = j < n ? oc_rescale_factor(scale_at(c, A_SCALE, 0) * scale_at(c, B_SCALE, j) /
                                              scale_at(c, Y_SCALE, 0))
                          : 0;
    }
}

/* Sums the rows of A less its zero point: a zero point of B takes its multiple of that sum off. */
static oc_status sum_rows(oc_call *c, int64_t m, int64_t k, int32_t **less)
{
    const int32_t zero = (int32_t)oc_in_zero(c, A_ZERO) + oc_int8_left_flip(oc_in(c, A));
    const oc_work by = oc_call_work(c, 0);
    OC_TRY(OC_SCRATCH(c, *less, m));
    oc_matmul_int8_sums(*less, oc_in(c, A)->data, m, k, oc_int8_left_flip(oc_in(c, A)),
                        (int32_t)k * zero, &by);
    return OC_OK;
}

static oc_status qgemm_run(oc_call *c)
{
    oc_value *y = oc_out(c, 0);
    const int64_t m = y->dims.n[0], n = y->dims.n[1], k = oc_in(c, A)->dims.n[1];
    oc_matmul_int8 g = {.cpu = oc_call_cpu(c), .y = y->data, .m = m, .n = n};
    int32_t *z, *first, *less;
    float *factor, low, high;
    oc_int8_right p;
    bool any;
    if (oc_value_n(y) == 0)
        return OC_OK;
    OC_TRY(find_packed(c, k, n, &p));
    OC_TRY(OC_SCRATCH(c, z, oc_int8_columns(n)));
    OC_TRY(OC_SCRATCH(c, first, oc_int8_columns(n)));
    OC_TRY(OC_SCRATCH(c, factor, oc_int8_columns(n)));
    fill_columns(c, &p, n, z, first, factor, &any);
    OC_TRY(oc_int8_left(c, oc_in(c, A), m, k, &g.a));
    if (any) {
        OC_TRY(sum_rows(c, m, k, &less));
        g.less = less;
    }
    oc_call_code_limits(c, y->type, &low, &high);
    const oc_rescale rescale = {factor, (int32_t)oc_in_zero(c, Y_ZERO), (int32_t)low,
                                (int32_t)high};
    g.b = p.packed;
    g.first = first;
    g.z = z;
    g.rescale = &rescale;
    g.k = oc_matmul_int8_depth(k);
    g.work = oc_call_work(c, oc_matmul_int8_work(m, g.k, n));
    oc_matmul_int8_run(&g);
    return oc_check_limits(c);
}

const oc_op oc_qgemm[] = {
    {1,
     "ocellus::QGemm <int transB = 0> (T1 A, float a_scale, T1 a_zero_point, T2 B=, "
     "float b_scale, T2 b_zero_point, float y_scale, T3 y_zero_point, int32 C?) => (T3 Y) "
     "| T1: int8 uint8; T2: int8 uint8; T3: int8 uint8",
     qgemm_shape, qgemm_run, qgemm_prepare}};
