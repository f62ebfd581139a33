/* SPDX-License-Identifier: Apache-2.0
 * variadic.c - Max, Min, Sum and Mean of any number of tensors, folded from the first to the last.
 *
 * NaN wins over any number. float16 and bfloat16 are folded in float and rounded once, at the end.
 * Mean divides the sum by the number of tensors. */
#include "ops/kit/elementwise.h"
#include "ops/kit/layout.h"

#define FOLDS(X)                                                                                   \
    X(Max, a > b || a != a ? a : b)                                                                \
    X(Min, a < b || a != a ? a : b)                                                                \
    X(Sum, a + b)

#define X(op, expr) OC_ROW2(op##_f64, double, double, expr)
FOLDS(X)
#undef X

/* The context is the divisor, an int. */
OC_FLOAT_ROWS1(Share, x / (float)*(const int *)ctx, x / *(const int *)ctx)
static const oc_rows Share_rows = {OC_FLOAT_ENTRIES(Share)};

/* Copies the first operand to y, with broadcasting. The other operands are then folded in, in
 * place. */
static void broadcast(oc_call *c, oc_value *y, const oc_value *x)
{
    int64_t to[OC_MAX_RANK], own[OC_MAX_RANK], from[OC_MAX_RANK];
    oc_dims_strides(&y->dims, to);
    oc_dims_strides(&x->dims, own);
    for (int a = y->dims.rank - 1, b = x->dims.rank - 1; a >= 0; a--, b--)
        from[a] = b < 0 || x->dims.n[b] == 1 ? 0 : own[b];
    oc_call_move(c, y->data, to, x->data, from, &y->dims, oc_type_size(y->type));
}

/* The one operand is the result. */
static oc_status copy(oc_call *c, const oc_value *y, const oc_value *operand)
{
    oc_value x, to = *y;
    OC_TRY(oc_in_form(c, y, operand, &x));
    if (y->nchw16c)
        to = oc_value_in_memory(y);
    broadcast(c, &to, &x);
    return OC_OK;
}

/* finish, if not NULL, is applied to the result; its context is the number of operands. */
static oc_status fold(oc_call *c, const oc_rows rows, const oc_rows finish, bool reverse)
{
    oc_value *y = oc_out(c, 0);
    const int n = oc_n_in(c);
    if (n == 1)
        return copy(c, y, oc_in(c, 0));
    if (n == 2 && !finish)
        return oc_run_stage(c);
    const oc_type type = oc_type_is_half(y->type) ? OC_F32 : y->type;
    const oc_order order = oc_order_of_type(type, reverse);
    const oc_value to = y->nchw16c ? oc_value_in_memory(y) : *y;
    void *result;
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(&to), &result));
    oc_value acc = oc_value_borrow(type, to.dims, result);
    for (int i = 0; i < n; i++) {
        const void *data;
        oc_value x;
        OC_TRY(oc_in_form(c, y, oc_in(c, i), &x));
        OC_TRY(oc_as_type(c, type, x.data, x.type, oc_value_n(&x), &data));
        x = oc_value_borrow(type, x.dims, data);
        const oc_value *pair[] = {&acc, &x};
        if (i == 0)
            broadcast(c, &acc, &x);
        else
            oc_call_map(c, &acc, pair, 2, rows[type], &order);
    }
    if (finish) {
        const oc_value *x = &acc;
        oc_call_map(c, &acc, &x, 1, finish[type], &n);
    }
    if (type != y->type)
        oc_call_convert(c, y->data, y->type, result, type, oc_value_n(&to));
    return OC_OK;
}

#define RUN(op, finish, reverse, ...)                                                              \
    static oc_status op##_run(oc_call *c)                                                          \
    {                                                                                              \
        const oc_rows rows = {__VA_ARGS__};                                                        \
        return fold(c, rows, finish, reverse);                                                     \
    }
#define STAGE(op, reverse, ...)                                                                    \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        const oc_rows rows = {__VA_ARGS__};                                                        \
        return oc_n_in(c) == 2 ? oc_stage_order(c, s, rows, reverse) : OC_OK;                      \
    }
#define BOTH(op, reverse, ...) RUN(op, NULL, reverse, __VA_ARGS__) STAGE(op, reverse, __VA_ARGS__)
#define LAST                   OC_SIZE_ENTRIES(oc_integers_pick(oc_call_cpu(c))->last)
BOTH(Max, false, OC_PLAIN_ENTRIES(c, max, Max), LAST)
BOTH(Min, true, OC_PLAIN_ENTRIES(c, min, Min), LAST)
RUN(Mean, Share_rows, false, OC_PLAIN_ENTRIES(c, add, Sum))
BOTH(Sum, false, OC_PLAIN_ENTRIES(c, add, Sum))

OC_CALL_FN(variadic_shape, oc_broadcast_shape(c, oc_in(c, 0)->type))

/* Before opset 8 nothing is broadcast. */
static oc_status alike_shape(oc_call *c)
{
    for (int i = 1; i < oc_n_in(c); i++)
        OC_TRY(oc_expect_dims(c, i, &oc_in(c, 0)->dims, " as input 0"));
    return oc_same_shape(c);
}

/* clang-format off */
#define SIG(op, attrs, out, set) #op attrs " (T data_0*...) => (T " out ") | T: " set
#define MAX  Max_run, OC_TRAITS(.stage = Max_stage)
#define MEAN Mean_run, OC_TRAITS(.layouts = oc_elementwise_layouts)
#define MIN  Min_run, OC_TRAITS(.stage = Min_stage)
#define SUM  Sum_run, OC_TRAITS(.stage = Sum_stage)
#define ROW(since, op, by, out, set) {since, SIG(op, "", out, set), variadic_shape, by}
#define ALIKE(since, op, by, attrs, out) {since, SIG(op, attrs, out, "ieee"), alike_shape, by}
#define LEGACY " <ints consumed_inputs?>"
const oc_op oc_ops_variadic[] = {
    ROW(13, Max, MAX, "max", "numeric_ir4"),
    ROW(12, Max, MAX, "max", "numeric"),
    ROW( 8, Max, MAX, "max", "ieee; change nothing"),
    ALIKE(6, Max, MAX, "",     "max"),
    ALIKE(1, Max, MAX, LEGACY, "max"),
    ROW(13, Mean, MEAN, "mean", "float_ir4"),
    ROW( 8, Mean, MEAN, "mean", "ieee; change nothing"),
    ALIKE(6, Mean, MEAN, "",     "mean"),
    ALIKE(1, Mean, MEAN, LEGACY, "mean"),
    ROW(13, Min, MIN, "min", "numeric_ir4"),
    ROW(12, Min, MIN, "min", "numeric"),
    ROW( 8, Min, MIN, "min", "ieee; change nothing"),
    ALIKE(6, Min, MIN, "",     "min"),
    ALIKE(1, Min, MIN, LEGACY, "min"),
    ROW(13, Sum, SUM, "sum", "float_ir4"),
    ROW( 8, Sum, SUM, "sum", "ieee; change nothing"),
    ALIKE(6, Sum, SUM, "",     "sum"),
    ALIKE(1, Sum, SUM, LEGACY, "sum"),
    {0}
};
