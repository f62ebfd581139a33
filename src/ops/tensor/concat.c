/* SPDX-License-Identifier: Apache-2.0
 * concat.c - Concat: joins tensors along one axis. Data movement only: no per-type code. */
#include "ops/kit/layout.h"

static oc_status concat_shape(oc_call *c)
{
    const oc_value *first = oc_in(c, 0);
    oc_dims y = first->dims;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", y.rank, &axis));

    for (int i = 1; i < oc_n_in(c); i++) {
        const oc_dims *x = &oc_in(c, i)->dims;
        char want[OC_DIMS_TEXT];
        if (!oc_dims_same_but(&first->dims, x, axis))
            return oc_fail_dims(c, i, "expected %s outside axis %d",
                                oc_dims_text(&first->dims, want), axis);
        if (!oc_i64_add(y.n[axis], x->n[axis], &y.n[axis]))
            return oc_fail(c, OC_SHAPE, "axis %d of the result is too large", axis);
    }
    return oc_set_out(c, 0, first->type, &y);
}

/* The blocks of all inputs must follow each other without a gap. */
static void concat_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out(c, 0);
    int axis;
    if (!oc_nchw16c_fits(y->type, &y->dims) ||
        oc_attr_axis(c, "axis", y->dims.rank, &axis) != OC_OK || axis != 1)
        return;
    for (int i = 0; i + 1 < oc_n_in(c); i++)
        if (oc_in(c, i)->dims.n[1] % OC_VALUE_BLOCK)
            return;
    l->out = oc_layouts_block(l, 0, oc_n_in(c));
}

/* Copies the blocks of 16 channels of one input after the other, image by image. */
typedef struct job {
    const oc_call *c;
    oc_work work;
    char *y;
    size_t size;    /* bytes of a block */
    int64_t blocks; /* blocks of channels in an image */
} job;

/* Copies the blocks of the result from number at on that one input has, at most n; returns how
 * many. */
static int64_t copy_of_input(const job *t, int64_t at, int64_t n)
{
    int64_t block = at % t->blocks, own = 0;
    int i = -1;
    do {
        block -= own;
        own = oc_div_up(oc_in(t->c, ++i)->dims.n[1], OC_VALUE_BLOCK);
    } while (block >= own);
    const int64_t from = at / t->blocks * own + block;
    n = oc_min(n, own - block);
    oc_work_copy(&t->work, t->y + (size_t)at * t->size,
                 (const char *)oc_in(t->c, i)->data + (size_t)from * t->size, (size_t)n * t->size);
    return n;
}

static void copy_blocks(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    while (first < end)
        first += copy_of_input(arg, first, end - first);
}

static oc_status concat_nchw16c(oc_call *c)
{
    const oc_value y = oc_value_in_memory(oc_out(c, 0));
    job t = {.c = c, .y = y.data, .blocks = y.dims.n[1]};
    const int64_t all = oc_value_n(&y), blocks = y.dims.n[0] * t.blocks;
    if (all == 0)
        return OC_OK;
    t.size = (size_t)(all / blocks) * oc_type_size(y.type);
    t.work =
        oc_call_work(c, (double)all * (double)oc_type_size(y.type) / sizeof(float) * OC_ELEMENT);
    oc_work_run(&t.work, blocks, copy_blocks, &t);
    return oc_check_limits(c);
}

static oc_status concat_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", y->dims.rank, &axis));
    if (oc_is_nchw16c(y))
        return concat_nchw16c(c);

    const size_t elem = oc_type_size(y->type);
    const int64_t rows = oc_dims_product(&y->dims, 0, axis);
    const size_t step = elem * (size_t)oc_dims_product(&y->dims, axis, y->dims.rank);
    char *dst = y->data;
    for (int i = 0; i < oc_n_in(c); i++) {
        const oc_value *x = oc_in(c, i);
        const size_t part = elem * (size_t)oc_dims_product(&x->dims, axis, x->dims.rank);
        oc_call_copy_rows(c, dst, step, x->data, part, part, rows);
        dst += part;
    }
    return OC_OK;
}

/* clang-format off */
#define CONCAT concat_shape, concat_run, OC_TRAITS(.layouts = concat_layouts, .moves = oc_moves_all)
#define SIG(axis, set) "Concat <int axis" axis "> (T inputs...) => (T concat_result) | T: " set
const oc_op oc_ops_concat[] = {
    {13, SIG("",     "all_ir4"),              CONCAT}, /* + bfloat16 */
    {11, SIG("",     "all"),                  CONCAT}, /* negative axis */
    { 4, SIG("",     "all"),                  CONCAT}, /* axis is required */
    { 1, SIG(" = 1", "float16 float double"), CONCAT},
    {0}
};
