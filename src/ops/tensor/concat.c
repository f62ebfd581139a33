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

static void concat_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out(c, 0);
    int axis;
    if (oc_nchw16c_fits(y->type, &y->dims) &&
        oc_attr_axis(c, "axis", y->dims.rank, &axis) == OC_OK && axis == 1)
        l->out = oc_layouts_block(l, 0, oc_n_in(c));
}

typedef struct job {
    const oc_call *c;
    oc_work work;
    char *y;
    size_t elem;            /* bytes of an element */
    int64_t blocks, pixels; /* blocks of channels in an image; pixels of a block */
} job;

/* Copies `bytes` bytes of each pixel, whose channels lie `line` bytes behind those of the pixel
 * before. unit divides bytes. */
OC_INLINE void copy_units(char *y, const char *x, int64_t pixels, size_t line, size_t bytes,
                          const size_t unit)
{
    for (int64_t p = 0; p < pixels; p++, y += line, x += line)
        for (size_t k = 0; k < bytes; k += unit)
            memcpy(y + k, x + k, unit);
}

/* Copies n of the 16 channels of a block, of all pixels; n is 1 to 16. */
static void copy_channels(const job *t, char *y, const char *x, int64_t n)
{
    enum { PIXELS = 1024, REGISTER = 16, WORD = 4 };
    const size_t line = OC_VALUE_BLOCK * t->elem, bytes = (size_t)n * t->elem;
    if (bytes == line) {
        oc_work_copy(&t->work, y, x, (size_t)t->pixels * line);
        return;
    }
    OC_BLOCKS (&t->work, at, t->pixels, PIXELS) {
        const int64_t some = oc_min(t->pixels - at, PIXELS);
        const size_t from = (size_t)at * line;
        if (bytes % REGISTER == 0)
            copy_units(y + from, x + from, some, line, bytes, REGISTER);
        else if (bytes % WORD == 0)
            copy_units(y + from, x + from, some, line, bytes, WORD);
        else
            copy_units(y + from, x + from, some, line, bytes, 1);
    }
}

/* Copies what one input has in a block of the result. The input's first channel is channel `at` of
 * that block, which is below 0 where earlier blocks have some of the input's channels. */
static void copy_of_input(const job *t, char *y, const oc_value *x, int64_t image, int64_t at)
{
    const int64_t channels = x->dims.n[1], blocks = oc_div_up(channels, OC_VALUE_BLOCK);
    const size_t size = (size_t)t->pixels * OC_VALUE_BLOCK * t->elem;
    int64_t k = at < 0 ? -at : 0; /* of the input's channels */
    while (k < channels && at + k < OC_VALUE_BLOCK) {
        const int64_t own = k % OC_VALUE_BLOCK;
        const int64_t n =
            oc_min(oc_min(channels - k, OC_VALUE_BLOCK - own), OC_VALUE_BLOCK - (at + k));
        copy_channels(t, y + (size_t)(at + k) * t->elem,
                      (const char *)x->data + (size_t)(image * blocks + k / OC_VALUE_BLOCK) * size +
                          (size_t)own * t->elem,
                      n);
        k += n;
    }
}

static void copy_blocks(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const size_t size = (size_t)t->pixels * OC_VALUE_BLOCK * t->elem;
    for (; first < end; first++) {
        int64_t at = -(first % t->blocks * OC_VALUE_BLOCK);
        for (int i = 0; i < oc_n_in(t->c) && at < OC_VALUE_BLOCK; i++) {
            const oc_value *x = oc_in(t->c, i);
            copy_of_input(t, t->y + (size_t)first * size, x, first / t->blocks, at);
            at += x->dims.n[1];
        }
    }
}

static oc_status concat_nchw16c(oc_call *c)
{
    const oc_value y = oc_value_in_memory(oc_out(c, 0));
    job t = {.c = c, .y = y.data, .elem = oc_type_size(y.type), .blocks = y.dims.n[1]};
    const int64_t all = oc_value_n(&y), blocks = y.dims.n[0] * t.blocks;
    if (all == 0)
        return OC_OK;
    t.pixels = all / blocks / OC_VALUE_BLOCK;
    t.work = oc_call_work(c, (double)all * (double)t.elem / sizeof(float) * OC_ELEMENT);
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
