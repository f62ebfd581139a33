/* SPDX-License-Identifier: Apache-2.0
 * cumulative.c - CumSum, CumProd: sums and products of all elements up to each one along an axis.
 *
 * Elements are taken in one after another. Integers wrap. float16 and bfloat16 are summed or
 * multiplied in float; each result is rounded once. An inclusive result begins with the first
 * element as it is, an exclusive one with 0 or 1. */
#include "kernels/common/element.h"
#include "ops/kit/op.h"

enum { WIDTH = 512 }; /* most neighbouring lines that a unit takes together */

typedef struct job job;
/* Takes w neighbours along the axis; y and x: the first of them, in the first position taken. */
typedef void line_fn(const job *t, void *y, const void *x, int64_t w);

struct job {
    const char *x;
    char *y;
    size_t size;
    int64_t outer, n, inner;
    int64_t step; /* elements from one position to the next taken; negative in reverse */
    bool exclusive;
    line_fn *line;
    int64_t blocks; /* blocks of the inner elements */
    oc_work work;
};

#define ELEMENT f32
#include "ops/math/cumulative.inc"
#define ELEMENT f64
#include "ops/math/cumulative.inc"
#define ELEMENT u32
#include "ops/math/cumulative.inc"
#define ELEMENT u64
#include "ops/math/cumulative.inc"

static void accumulate_lines(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t column = unit % t->blocks * WIDTH;
        const int64_t w = t->inner - column < WIDTH ? t->inner - column : WIDTH;
        const int64_t start = t->step < 0 ? t->n - 1 : 0;
        const size_t at =
            (size_t)(((unit / t->blocks) * t->n + start) * t->inner + column) * t->size;
        t->line(t, t->y + at, t->x + at, w);
    }
}

static oc_status read_axis(oc_call *c, int *axis)
{
    int64_t number;
    const int rank = oc_in(c, 0)->dims.rank;
    OC_TRY(oc_in_int(c, 1, &number));
    if (rank == 0)
        return oc_fail(c, OC_VALUE, "axis is %" PRId64 ", but X is a scalar", number);
    if (!oc_dims_axis(number, rank, axis))
        return oc_fail(c, OC_VALUE, "axis is %" PRId64 ", expected %d to %d", number, -rank,
                       rank - 1);
    return OC_OK;
}

static oc_status cumulate(oc_call *c, line_fn *const lines[4])
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const oc_type type = oc_type_is_half(x->type) ? OC_F32 : x->type;
    job t = {.size = oc_type_size(type), .exclusive = oc_attr_int(c, "exclusive") != 0};
    const void *from;
    void *to;
    int axis;
    OC_TRY(read_axis(c, &axis));
    if (oc_value_n(x) == 0)
        return OC_OK;
    OC_TRY(oc_in_as(c, 0, type, &from));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &to));
    t.x = from;
    t.y = to;
    t.line = lines[type == OC_F32 ? 0 : type == OC_F64 ? 1 : t.size == 4 ? 2 : 3];
    t.outer = oc_dims_product(&x->dims, 0, axis);
    t.n = x->dims.n[axis];
    t.inner = oc_dims_product(&x->dims, axis + 1, x->dims.rank);
    t.step = oc_attr_int(c, "reverse") ? -t.inner : t.inner;
    t.blocks = oc_div_up(t.inner, WIDTH);
    t.work = oc_call_work(c, (double)oc_value_n(x) * OC_ELEMENT);
    oc_work_run(&t.work, t.outer * t.blocks, accumulate_lines, &t);
    oc_out_from(c, 0, type, to);
    return OC_OK;
}

static oc_status cum_sum_run(oc_call *c)
{
    static line_fn *const lines[] = {sum_f32, sum_f64, sum_u32, sum_u64};
    return cumulate(c, lines);
}

static oc_status cum_prod_run(oc_call *c)
{
    static line_fn *const lines[] = {product_f32, product_f64, product_u32, product_u64};
    return cumulate(c, lines);
}

/* clang-format off */
#define SIG(op, set)                                                                               \
    op " <int exclusive = 0, int reverse = 0> (T x, T2 axis) => (T y) | T: " set "; T2: index"
const oc_op oc_ops_cumulative[] = {
    {26, SIG("CumProd", "high_precision_ir4"), oc_same_shape, cum_prod_run},
    {14, SIG("CumSum", "high_precision_ir4"),  oc_same_shape, cum_sum_run},
    {11, SIG("CumSum", "float double uint32 uint64 int32 int64"), oc_same_shape, cum_sum_run},
    {0}
};
