/* SPDX-License-Identifier: Apache-2.0
 * max_unpool.c - MaxUnpool: puts maxima back to where they were, and 0 everywhere else.
 *
 * An index counts the elements of the image that kernel_shape, strides and pads give. Where
 * output_shape is larger, the image is its corner at index 0. Of several maxima with one index the
 * last one stays. */
#include "kernels/common/element.h"
#include "ops/nn/window_attrs.h"

enum { X, INDEX, OUTPUT_SHAPE }; /* inputs */
enum { PIECE = 1 << 16 };        /* most elements between two questions to the watch */

typedef struct geometry {
    oc_dims image, out; /* the image in which indices count; the output */
    int64_t n;          /* elements of the image */
} geometry;

/* Computes the dims of the image, whose elements may be too many to count. */
static oc_status read_image(oc_call *c, oc_dims *image)
{
    int64_t kernel[OC_WINDOW_AXES], stride[OC_WINDOW_AXES], pads[2 * OC_WINDOW_AXES];
    OC_TRY(oc_expect_rank(c, X, 3, OC_MAX_RANK));
    OC_TRY(oc_expect_dims(c, INDEX, &oc_in(c, X)->dims, " as input 0"));
    *image = oc_in(c, X)->dims;
    const int axes = image->rank - 2;
    OC_TRY(oc_attr_per_axis(c, "kernel_shape", axes, 1, 1, kernel));
    OC_TRY(oc_attr_per_axis(c, "strides", axes, 1, 1, stride));
    OC_TRY(oc_attr_per_axis(c, "pads", 2 * axes, 0, 0, pads));
    for (int a = 0; a < axes; a++) {
        int64_t *n = &image->n[a + 2];
        if (!oc_i64_mul(*n - 1, stride[a], n) ||
            !oc_i64_add(*n, kernel[a] - pads[a] - pads[axes + a], n))
            return oc_fail(c, OC_LIMIT, "axis %d of the output is too long", a + 2);
        if (*n < 0)
            return oc_fail(c, OC_SHAPE, "axis %d of the output would have %" PRId64 " entries",
                           a + 2, *n);
    }
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    OC_TRY(read_image(c, &g->image));
    size_t bytes;
    if (!oc_dims_bytes(&g->image, sizeof(int64_t), &g->n, &bytes))
        return oc_fail(c, OC_LIMIT, "the output is too large");
    g->out = g->image;
    if (!oc_in_or_null(c, OUTPUT_SHAPE))
        return OC_OK;
    OC_TRY(oc_in_dims(c, OUTPUT_SHAPE, &g->out));
    bool fits = g->out.rank == g->image.rank;
    for (int a = 0; a < g->image.rank && fits; a++)
        fits = a < 2 ? g->out.n[a] == g->image.n[a] : g->out.n[a] >= g->image.n[a];
    char out[OC_DIMS_TEXT], image[OC_DIMS_TEXT];
    return fits ? OC_OK
                : oc_fail(c, OC_SHAPE,
                          "output_shape is %s, expected %s, or more along the axes from 2 on",
                          oc_dims_text(&g->out, out), oc_dims_text(&g->image, image));
}

static oc_status unpool_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, X)->type, &g.out);
}

/* Returns the place in the output of an element of the image. */
static int64_t place_of(const geometry *g, const int64_t step[], int64_t index)
{
    int64_t place = 0;
    for (int a = g->image.rank - 1; a >= 0; a--) {
        place += index % g->image.n[a] * step[a];
        index /= g->image.n[a];
    }
    return place;
}

#define ELEMENT u16
#include "ops/nn/max_unpool.inc"
#define ELEMENT u32
#include "ops/nn/max_unpool.inc"
#define ELEMENT u64
#include "ops/nn/max_unpool.inc"

static oc_status unpool_run(oc_call *c)
{
    const oc_value *x = oc_in(c, X), *y = oc_out(c, 0);
    const int64_t *index = oc_in(c, INDEX)->data, n = oc_value_n(x);
    const size_t elem = oc_type_size(x->type);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_call_fill(c, y->data, oc_value_n(y), &(uint64_t){0}, elem);
    OC_CALL_PIECES (c, p, n, PIECE) {
        const void *from = (const char *)x->data + (size_t)p.first * elem;
        const int64_t part = p.end - p.first, *at = index + p.first;
        const int64_t done = elem == 2   ? scatter_u16(&g, y->data, from, at, part)
                             : elem == 4 ? scatter_u32(&g, y->data, from, at, part)
                                         : scatter_u64(&g, y->data, from, at, part);
        if (done < part)
            return oc_fail(c, OC_VALUE,
                           "input %d 'I' has %" PRId64 " as element %" PRId64
                           ", expected a value in [0, %" PRId64 "]",
                           INDEX, at[done], p.first + done, g.n - 1);
    }
    return OC_OK;
}

/* clang-format off */
#define SIG(set) \
    "MaxUnpool <ints kernel_shape, ints pads?, ints strides?> " \
    "(T1 X, int64 I, int64 output_shape!?) => (T1 output) | T1: " set
const oc_op oc_ops_max_unpool[] = {
    {22, SIG("float_ir4"), unpool_shape, unpool_run},
    {11, SIG("ieee"),      unpool_shape, unpool_run},
    { 9, SIG("ieee"),      unpool_shape, unpool_run},
    {0}
};
