/* SPDX-License-Identifier: Apache-2.0
 * roi_align.c - RoiAlign: pools regions of a feature map to one size. */
#include "kernels/roi/roi_align.h"
#include "ops/kit/op.h"

static const char *const modes[] = {"avg", "max", NULL};

enum { BIN = 4 * OC_ELEMENT }; /* products that take as long as a bin, at least */

static oc_status read_mode(oc_call *c, oc_roi_align *g)
{
    static const char *const coordinates[] = {"half_pixel", "output_half_pixel", NULL};
    static const char *const maxima[] = {"corners", "bilinear", NULL};
    int mode, maximum, coordinate = 1; /* version 10 has no attribute and no shift */
    OC_TRY(oc_attr_enum_any_case(c, "mode", modes, &mode));
    OC_TRY(oc_attr_enum(c, "max", maxima, &maximum));
    if (oc_call_since(c) >= 16)
        OC_TRY(oc_attr_enum(c, "coordinate_transformation_mode", coordinates, &coordinate));
    g->mode = mode == 0 ? OC_ROI_AVG : maximum ? OC_ROI_BILINEAR_MAX : OC_ROI_MAX;
    g->half_pixel = coordinate == 0;
    return OC_OK;
}

/* Sets everything but the data. */
static oc_status read_geometry(oc_call *c, oc_roi_align *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *rois = &oc_in(c, 1)->dims;
    OC_TRY(oc_expect_rank(c, 0, 4, 4));
    OC_TRY(oc_expect_dims(c, 1, &(oc_dims){2, {-1, 4}}, NULL));
    OC_TRY(oc_expect_dims(c, 2, &(oc_dims){1, {rois->n[0]}}, ", one for each roi"));
    *g = (oc_roi_align){.type = oc_in(c, 0)->type,
                        .channels = x->n[1],
                        .height = x->n[2],
                        .width = x->n[3],
                        .n_rois = rois->n[0],
                        .out_h = oc_attr_int(c, "output_height"),
                        .out_w = oc_attr_int(c, "output_width"),
                        .sampling_ratio = oc_attr_int(c, "sampling_ratio"),
                        .scale = oc_attr_float(c, "spatial_scale"),
                        .cpu = oc_call_cpu(c)};
    if (g->out_h < 1 || g->out_w < 1)
        return oc_fail(c, OC_VALUE, "the output is %lld x %lld, expected at least 1 x 1",
                       (long long)g->out_h, (long long)g->out_w);
    if (g->sampling_ratio < 0)
        return oc_fail(c, OC_VALUE, "sampling_ratio is %lld, expected 0 or more",
                       (long long)g->sampling_ratio);
    if (g->height > OC_ROI_SIDE_MAX || g->width > OC_ROI_SIDE_MAX)
        return oc_fail(c, OC_LIMIT, "X is %lld x %lld, expected at most %lld in height and width",
                       (long long)g->height, (long long)g->width, (long long)OC_ROI_SIDE_MAX);
    return read_mode(c, g);
}

static oc_status roi_align_shape(oc_call *c)
{
    oc_roi_align g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, g.type, &(oc_dims){4, {g.n_rois, g.channels, g.out_h, g.out_w}});
}

static oc_status check_rois(oc_call *c, const oc_roi_align *g, int64_t images)
{
    OC_CALL_LOOP (c, i, g->n_rois, 1024)
        if (g->image[i] < 0 || g->image[i] >= images)
            return oc_fail(c, OC_VALUE, "roi %lld has batch index %lld, expected 0 to %lld",
                           (long long)i, (long long)g->image[i], (long long)images - 1);
    const int64_t bad = oc_roi_align_bad(g);
    if (bad < 0)
        return OC_OK;
    double r[4];
    for (int i = 0; i < 4; i++)
        r[i] = g->type == OC_F64 ? ((const double *)g->rois)[bad * 4 + i]
                                 : (double)((const float *)g->rois)[bad * 4 + i];
    return oc_fail(c, OC_VALUE,
                   "roi %lld is (%g, %g, %g, %g) with scale %g, expected finite coordinates and "
                   "sides",
                   (long long)bad, r[0], r[1], r[2], r[3], (double)g->scale);
}

static void remark_on_mode(const oc_call *c, const oc_roi_align *g)
{
    const char *name = modes[g->mode != OC_ROI_AVG];
    if (!oc_attr_is(c, "mode", name))
        oc_remark(c, "attribute 'mode' is '%s' in another case than the standard's", name);
}

static oc_status roi_align_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    oc_roi_align g;
    OC_TRY(read_geometry(c, &g));
    remark_on_mode(c, &g);
    g.x = x->data;
    g.y = y->data;
    g.work = oc_call_work(c, (double)oc_value_n(y) * BIN);
    g.image = oc_in(c, 2)->data;
    OC_TRY(oc_in_as(c, 1, oc_type_real(g.type), &g.rois));
    OC_TRY(check_rois(c, &g, x->dims.n[0]));
    if (oc_value_n(y) == 0)
        return OC_OK;
    if (g.height == 0 || g.width == 0) { /* every sample is outside the map */
        oc_call_zero(c, y->data, oc_value_bytes(y));
        return OC_OK;
    }
    oc_roi_align_measure(&g);
    OC_TRY(OC_SCRATCH_OF(c, g.scratch, oc_roi_align_scratch(&g), 1));
    oc_roi_align_run(&g);
    return OC_OK;
}

/* clang-format off */
/* The option: is the maximum that of the weighted corners, as ONNX's test has it, or of samples? */
#define SIG(coordinates, set)                                                                      \
    "RoiAlign <option string max = \"corners\", " coordinates "string mode = \"avg\", int output_height = 1, "                      \
    "int output_width = 1, int sampling_ratio = 0, float spatial_scale = 1.0> "                    \
    "(T X, T rois$, int64 batch_indices$) => (T Y) | T: " set
#define COORDINATES "string coordinate_transformation_mode = \"half_pixel\", "
const oc_op oc_ops_roi_align[] = {
    {22, SIG(COORDINATES, "float_ir4"), roi_align_shape, roi_align_run},
    {16, SIG(COORDINATES, "ieee; change default coordinate_transformation_mode output_half_pixel"),
         roi_align_shape, roi_align_run},
    {10, SIG("",          "ieee"),      roi_align_shape, roi_align_run},
    {0}
};
