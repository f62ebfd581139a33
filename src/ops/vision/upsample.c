/* SPDX-License-Identifier: Apache-2.0
 * upsample.c - Upsample: Resize as it was before version 10, with scales of at least 1 and the
 * position o / scale. Nearest takes the floor of it.
 *
 * From version 10 on the operator is deprecated; models that use it there mean version 9. */
#include "ops/vision/resize_geometry.h"

static oc_status read_scales(oc_call *c, oc_resize_geometry *g)
{
    const oc_attr *list;
    switch (oc_call_since(c)) {
    case 1:
        OC_TRY(oc_expect_rank(c, 0, 4, 4));
        return oc_resize_by_scales(
            c, g, "the list 1, 1, height_scale, width_scale",
            (float[]){1, 1, oc_attr_float(c, "height_scale"), oc_attr_float(c, "width_scale")}, 4,
            1);
    case 7:
        list = oc_attr_get(c, "scales");
        return oc_resize_by_scales(c, g, "scales", list->u.f, list->n, 1);
    default:
        OC_TRY(oc_expect_rank(c, 1, 1, 1));
        return oc_resize_by_scales(c, g, "scales", oc_in(c, 1)->data, oc_value_n(oc_in(c, 1)), 1);
    }
}

static oc_status read_geometry(oc_call *c, oc_resize_geometry *g)
{
    static const char *const modes[] = {"nearest", "linear", "bilinear", NULL};
    int mode;
    OC_TRY(oc_attr_enum(c, "mode", modes, &mode));
    *g = (oc_resize_geometry){.mode = mode == 0 ? OC_RESIZE_NEAREST : OC_RESIZE_LINEAR};
    oc_resize_list_all(c, g);
    for (int a = 0; a < g->n; a++)
        g->axis[a] = (oc_resize_axis){
            .mode = g->mode, .coordinates = OC_RESIZE_ASYMMETRIC, .nearest = OC_RESIZE_FLOOR};
    OC_TRY(read_scales(c, g));
    return oc_resize_check(c, g);
}

static oc_status upsample_shape(oc_call *c)
{
    oc_resize_geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, 0)->type, &g.y);
}

static oc_status upsample_run(oc_call *c)
{
    oc_resize_geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_resize_make(c, &g, 0);
}

const oc_op oc_ops_upsample[] = {
    {9, "Upsample <string mode = \"nearest\"> (T X, float scales!) => (T Y) | T: all",
     upsample_shape, upsample_run},
    {7, "Upsample <string mode = \"nearest\", floats scales> (T X) => (T Y) | T: all",
     upsample_shape, upsample_run},
    {1,
     "Upsample <float height_scale, string mode = \"nearest\", float width_scale> (T X) => (T Y) | "
     "T: bool int32 int64 ieee",
     upsample_shape, upsample_run},
    {0}};
