/* SPDX-License-Identifier: Apache-2.0
 * resize.c - Resize: a tensor of other lengths, whose elements are those of the input that are
 * nearest, or weighted sums of them.
 *
 * Where the standard leaves a choice: every version accepts the words of all versions. Empty
 * scales, sizes or roi count as missing, empty axes as all axes. Scales and sizes alone decide
 * about the output's lengths: roi does not, as in ONNX's shape inference. Mode nearest ignores
 * antialias and exclude_outside. Version 10 has no attribute for positions: o / scale, to the
 * floor where an axis grows, to the ceiling where it shrinks. */
#include "ops/vision/resize_geometry.h"

#include <math.h>

typedef struct operands {
    int roi, scales, sizes; /* numbers of inputs; -1: the version has none */
} operands;

static operands operands_of(oc_call *c)
{
    return oc_call_since(c) == 10 ? (operands){-1, 1, -1} : (operands){1, 2, 3};
}

/* The input, where it has elements. */
static const oc_value *given(oc_call *c, int i)
{
    const oc_value *v = i < 0 ? NULL : oc_in_or_null(c, i);
    return v && oc_value_n(v) > 0 ? v : NULL;
}

/* What all axes have in common. */
static oc_status read_rule(oc_call *c, oc_resize_axis *a)
{
    static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
    static const char *const coordinates[] = {
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
        "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize", NULL};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil", NULL};
    int mode, coordinate = OC_RESIZE_ASYMMETRIC, rounding = OC_RESIZE_FLOOR;
    OC_TRY(oc_attr_enum(c, "mode", modes, &mode));
    if (oc_call_since(c) > 10) {
        OC_TRY(oc_attr_enum(c, "coordinate_transformation_mode", coordinates, &coordinate));
        OC_TRY(oc_attr_enum(c, "nearest_mode", roundings, &rounding));
        a->cubic_a = (double)oc_attr_float(c, "cubic_coeff_a");
        a->exclude_outside = oc_attr_int(c, "exclude_outside") != 0;
    }
    if (oc_call_since(c) >= 18)
        a->antialias = oc_attr_int(c, "antialias") != 0;
    a->mode = (oc_resize_mode)mode;
    a->coordinates = (oc_resize_coordinates)coordinate;
    a->nearest = (oc_resize_nearest)rounding;
    if (!isfinite(a->cubic_a))
        return oc_fail(c, OC_VALUE, "cubic_coeff_a is %g, expected a finite number", a->cubic_a);
    return OC_OK;
}

static oc_status list_axes(oc_call *c, oc_resize_geometry *g)
{
    const int rank = oc_in(c, 0)->dims.rank;
    const oc_ints axes = oc_call_since(c) >= 18 ? oc_attr_ints(c, "axes") : (oc_ints){NULL, 0};
    if (axes.n == 0) {
        oc_resize_list_all(c, g);
        return OC_OK;
    }
    OC_TRY(oc_axes(c, "axes", axes, rank, g->listed));
    for (int i = 0; i < axes.n; i++) {
        int a;
        oc_dims_axis(axes.v[i], rank, &a);
        g->entry[a] = i;
    }
    g->n = axes.n;
    return OC_OK;
}

/* The ratio to which all axes are scaled so that the result fits in sizes, or holds them. */
static oc_status one_scale(oc_call *c, oc_resize_geometry *g, const int64_t *sizes, bool larger)
{
    double num = 0, den = 0;
    for (int a = 0; a < g->y.rank; a++) {
        const double size = g->listed[a] ? (double)sizes[g->entry[a]] : 0;
        const double length = (double)oc_in(c, 0)->dims.n[a];
        if (!g->listed[a])
            continue;
        if (length == 0)
            return oc_fail_dims(c, 0, "expected elements along axis %d, whose ratio is kept", a);
        if (den == 0 || (larger ? size / length > num / den : size / length < num / den)) {
            num = size;
            den = length;
        }
    }
    for (int a = 0; a < g->y.rank; a++) {
        const double length = floor(num * (double)oc_in(c, 0)->dims.n[a] / den + 0.5);
        if (!g->listed[a])
            continue;
        if (!(length < 0x1p62))
            return oc_fail(c, OC_LIMIT, "axis %d would have %g elements", a, length);
        g->axis[a].num = num;
        g->axis[a].den = den;
        g->y.n[a] = (int64_t)length;
    }
    return OC_OK;
}

static oc_status by_sizes(oc_call *c, oc_resize_geometry *g, int input)
{
    static const char *const policies[] = {"stretch", "not_larger", "not_smaller", NULL};
    const oc_dims *x = &oc_in(c, 0)->dims;
    oc_ints sizes;
    int policy = 0;
    OC_TRY(oc_in_ints(c, input, &sizes));
    if (oc_call_since(c) >= 18)
        OC_TRY(oc_attr_enum(c, "keep_aspect_ratio_policy", policies, &policy));
    if (sizes.n != g->n)
        return oc_fail(c, OC_SHAPE, "sizes has %d elements, expected %d", sizes.n, g->n);
    g->y = *x;
    for (int a = 0; a < x->rank; a++) {
        if (!g->listed[a])
            continue;
        const int64_t size = sizes.v[g->entry[a]];
        if (size < 0)
            return oc_fail(c, OC_VALUE, "sizes[%d] is %" PRId64 ", expected 0 or more", g->entry[a],
                           size);
        g->y.n[a] = size;
        g->axis[a].num = (double)size;
        g->axis[a].den = (double)x->n[a];
    }
    if (policy)
        OC_TRY(one_scale(c, g, sizes.v, policy == 2));
    for (int a = 0; a < x->rank; a++) {
        g->axis[a].n_in = x->n[a];
        g->axis[a].n_out = g->y.n[a];
    }
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, oc_resize_geometry *g)
{
    const operands in = operands_of(c);
    const oc_value *scales = given(c, in.scales), *sizes = given(c, in.sizes);
    oc_resize_axis rule = {.mode = OC_RESIZE_NEAREST};
    *g = (oc_resize_geometry){.n = 0};
    OC_TRY(read_rule(c, &rule));
    OC_TRY(list_axes(c, g));
    g->mode = rule.mode;
    for (int a = 0; a < oc_in(c, 0)->dims.rank; a++)
        g->axis[a] = rule;
    if (scales && sizes)
        return oc_fail(c, OC_VALUE, "both scales and sizes are given, expected one of them");
    if (!scales && !sizes && g->n > 0)
        return oc_fail(c, OC_VALUE, "neither scales nor sizes is given, expected one of them");
    if (sizes)
        OC_TRY(by_sizes(c, g, in.sizes));
    else {
        if (scales)
            OC_TRY(oc_expect_rank(c, in.scales, 1, 1));
        OC_TRY(oc_resize_by_scales(c, g, "scales", scales ? scales->data : NULL,
                                   scales ? oc_value_n(scales) : 0, 0));
    }
    for (int a = 0; a < g->y.rank && oc_call_since(c) == 10; a++)
        g->axis[a].nearest = g->axis[a].num < g->axis[a].den ? OC_RESIZE_CEIL : OC_RESIZE_FLOOR;
    return oc_resize_check(c, g);
}

static oc_status resize_shape(oc_call *c)
{
    oc_resize_geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, 0)->type, &g.y);
}

/* The part of each axis that a crop takes. */
static oc_status read_roi(oc_call *c, oc_resize_geometry *g, int input)
{
    const oc_value *v = given(c, input);
    const void *data;
    if (!v)
        return oc_fail(c, OC_VALUE, "roi is missing, which tf_crop_and_resize needs");
    OC_TRY(
        oc_expect_dims(c, input, &(oc_dims){1, {2 * g->n}}, ", a start and an end for each axis"));
    OC_TRY(oc_in_as(c, input, OC_F64, &data));
    const double *roi = data;
    for (int i = 0; i < 2 * g->n; i++)
        if (!isfinite(roi[i]))
            return oc_fail(c, OC_VALUE, "roi[%d] is %g, expected a finite number", i, roi[i]);
    for (int a = 0; a < g->y.rank; a++)
        if (g->listed[a]) {
            g->axis[a].start = roi[g->entry[a]];
            g->axis[a].end = roi[g->entry[a] + g->n];
        }
    return OC_OK;
}

static oc_status resize_run(oc_call *c)
{
    oc_resize_geometry g;
    OC_TRY(read_geometry(c, &g));
    if (g.y.rank > 0 && g.axis[0].coordinates == OC_RESIZE_TF_CROP_AND_RESIZE)
        OC_TRY(read_roi(c, &g, operands_of(c).roi));
    const bool crops = oc_call_since(c) > 10;
    return oc_resize_make(c, &g, crops ? oc_attr_float(c, "extrapolation_value") : 0);
}

/* The nearest pixel is moved; the value for outputs outside a crop is not, so only a resize
 * without a crop is a move. */
static void resize_moves(const oc_call *c, oc_moves *m)
{
    m->inputs = oc_attr_is(c, "mode", "nearest") &&
                (oc_call_since(c) < 11 ||
                 !oc_attr_is(c, "coordinate_transformation_mode", "tf_crop_and_resize"));
}

/* clang-format off */
#define WORDS "string coordinate_transformation_mode = \"half_pixel\", float cubic_coeff_a = -0.75, " \
    "int exclude_outside = 0, float extrapolation_value = 0.0, string mode = \"nearest\", "           \
    "string nearest_mode = \"round_prefer_floor\""
#define SIG18 "Resize <int antialias+ = 0, ints axes+?, "                                             \
    "string keep_aspect_ratio_policy+ = \"stretch\", " WORDS "> "                                     \
    "(T1 X, T2 roi$?, float scales!?, int64 sizes!?) => (T1 Y) | T1: all_ir4; T2: ieee"
#define RESIZE resize_shape, resize_run, OC_TRAITS(.moves = resize_moves)
const oc_op oc_ops_resize[] = {
    {19, SIG18 "; change nothing", RESIZE},
    {18, SIG18 "; change nothing", RESIZE},
    {13, "Resize <" WORDS "> (T1 X, T2 roi$?, float scales!?, int64 sizes!?) => (T1 Y) | "
         "T1: all_ir4; T2: ieee; change nothing", RESIZE},
    {11, "Resize <" WORDS "> (T1 X, T2 roi$, float scales!, int64 sizes!?) => (T1 Y) | "
         "T1: all; T2: ieee", RESIZE},
    {10, "Resize <string mode = \"nearest\"> (T X, float scales!) => (T Y) | T: all",
         RESIZE},
    {0}
};
