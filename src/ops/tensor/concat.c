/* SPDX-License-Identifier: Apache-2.0
 * concat.c - Concat: joins tensors along one axis. Data movement only: no per-type code. */
#include "base/share.h"
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

/* What threads share: of each block of 16 channels each has the same part of the pixels, as of
 * those of a convolution. */
typedef struct job {
    const oc_call *c;
    oc_work work;
    int parts;
    char *y;
    int64_t images;
    size_t lines; /* of a block */
    size_t line;  /* bytes of a pixel in it */
    size_t step;  /* of an image of y */
} job;

/* A part of image `image` of an input. */
static void copy_blocks(const job *t, char *dst, const oc_value *x, int64_t image, oc_span lines)
{
    const size_t block = t->lines * t->line, first = (size_t)lines.first * t->line;
    const int64_t blocks = oc_div_up(x->dims.n[1], OC_VALUE_BLOCK);
    const char *src = (const char *)x->data + (size_t)(image * blocks) * block;
    OC_LOOP (&t->work, i, blocks, 1)
        oc_work_copy(&t->work, dst + (size_t)i * block + first, src + (size_t)i * block + first,
                     (size_t)(lines.end - lines.first) * t->line);
}

static void copy_parts(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    (void)task;
    for (int64_t part = first; part < end; part++) {
        const oc_span lines = oc_share((int64_t)t->lines, t->parts, (int)part);
        for (int64_t image = 0; image < t->images; image++) {
            char *dst = t->y + (size_t)image * t->step;
            for (int i = 0; i < oc_n_in(t->c); i++) {
                const oc_value *x = oc_in(t->c, i);
                copy_blocks(t, dst, x, image, lines);
                dst += (size_t)oc_div_up(x->dims.n[1], OC_VALUE_BLOCK) * t->lines * t->line;
            }
        }
    }
}

/* By several threads; false: it is not worth them. */
static bool share_blocks(oc_call *c, const oc_value *y, size_t line, size_t step)
{
    job t = {.c = c, .y = y->data, .images = y->dims.n[0], .line = line, .step = step};
    t.lines = (size_t)oc_dims_product(&y->dims, 2, y->dims.rank - 1);
    t.work = oc_call_work(c, (double)t.images * (double)step / sizeof(float) * OC_ELEMENT);
    t.parts = oc_work_tasks(&t.work, (int64_t)t.lines);
    if (t.parts < 2 || t.images % t.parts == 0) /* whole images are as good */
        return false;
    oc_work_run(&t.work, t.parts, copy_parts, &t);
    return true;
}

/* Blocks of 16 channels of one input after the other, image by image. */
static oc_status concat_nchw16c(oc_call *c)
{
    const oc_value y = oc_value_in_memory(oc_out(c, 0));
    const size_t elem = oc_type_size(y.type);
    const size_t step = elem * (size_t)oc_dims_product(&y.dims, 1, y.dims.rank);
    char *dst = y.data;
    if (share_blocks(c, &y, elem * OC_VALUE_BLOCK, step))
        return oc_check_limits(c);
    for (int i = 0; i < oc_n_in(c); i++) {
        const oc_value x = oc_value_in_memory(oc_in(c, i));
        const size_t part = elem * (size_t)oc_dims_product(&x.dims, 1, x.dims.rank);
        oc_call_copy_rows(c, dst, step, x.data, part, part, x.dims.n[0]);
        dst += part;
    }
    return OC_OK;
}

static oc_status concat_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", y->dims.rank, &axis));
    if (y->nchw16c)
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
/* clang-format on */
