/* SPDX-License-Identifier: Apache-2.0
 * crop.c - Crop: a part of pictures [N,C,H,W], an experiment of ONNX that WinML writes. border has
 * left, top, right and bottom; scale, where it is given, the height and width of the part. */
#include "ops/kit/op.h"

typedef struct geometry {
    int64_t start[2], size[2]; /* start and size in height and width */
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_ints border = oc_attr_ints(c, "border"), scale = oc_attr_ints(c, "scale");
    const int64_t *dims = oc_in(c, 0)->dims.n;
    OC_TRY(oc_expect_rank(c, 0, 4, 4));
    if (border.n != 4)
        return oc_fail(c, OC_VALUE,
                       "attribute 'border' has %d numbers, expected left, top, right "
                       "and bottom",
                       (int)border.n);
    if (oc_attr_has(c, "scale") && scale.n != 2)
        return oc_fail(c, OC_VALUE, "attribute 'scale' has %d numbers, expected height and width",
                       (int)scale.n);
    for (int i = 0; i < 2; i++) {
        const int64_t whole = dims[2 + i], first = border.v[1 - i], last = border.v[3 - i];
        if (first < 0 || last < 0 || first > whole || last > whole - first)
            return oc_fail(c, OC_VALUE,
                           "attribute 'border' takes %" PRId64 " and %" PRId64 " off axis %d, "
                           "expected 0 to %" PRId64 " in all",
                           first, last, 2 + i, whole);
        g->start[i] = first;
        g->size[i] = scale.n ? scale.v[i] : whole - first - last;
        if (g->size[i] < 0 || g->size[i] > whole - first)
            return oc_fail(c, OC_VALUE,
                           "attribute 'scale' takes %" PRId64 " from %" PRId64 " on along axis %d, "
                           "expected 0 to %" PRId64,
                           g->size[i], first, 2 + i, whole - first);
    }
    return OC_OK;
}

static oc_status crop_shape(oc_call *c)
{
    geometry g;
    oc_dims y = oc_in(c, 0)->dims;
    OC_TRY(read_geometry(c, &g));
    y.n[2] = g.size[0];
    y.n[3] = g.size[1];
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

static oc_status crop_run(oc_call *c)
{
    geometry g;
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const size_t size = oc_type_size(x->type);
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    const int64_t width = x->dims.n[3], planes = x->dims.n[0] * x->dims.n[1];
    const size_t row = size * (size_t)g.size[1];
    OC_CALL_LOOP (c, p, planes, 64) {
        const int64_t first = (p * x->dims.n[2] + g.start[0]) * width + g.start[1];
        oc_call_copy_rows(c, (char *)y->data + row * (size_t)(p * g.size[0]), row,
                          (const char *)x->data + size * (size_t)first, size * (size_t)width, row,
                          g.size[0]);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_crop[] = {
    {1, "Crop <ints border, ints scale?> (T input) => (T output) | T: ieee", crop_shape, crop_run},
    {0}
};
