/* SPDX-License-Identifier: Apache-2.0
 * grid_sample.c - GridSample: an image of any rank, sampled at the positions that a grid gives.
 *
 * Where the standard leaves a choice: every version accepts the mode names of all versions, and any
 * number of spatial axes, as long as a position has no more taps than a tile holds (linear 11 axes,
 * cubic 6). Positions are double if the grid or the weights are double, else float. bool and string
 * have no weighted sum, so they allow mode nearest only; a missing string is empty. An image
 * without pixels can fill only an empty output. */
#include "kernels/sample/gather.h"
#include "kernels/sample/grid_sample.h"

#include "ops/kit/stages.h"

/* Products that take as long as the taps of a position, or a sum of them. */
enum { SUM = 4 * OC_ELEMENT };

static oc_status read_sampler(oc_call *c, oc_sampler *s)
{
    static const char *const modes[] = {"linear", "nearest", "cubic", "bilinear", "bicubic", NULL};
    static const oc_grid_mode mode_of[] = {OC_GRID_LINEAR, OC_GRID_NEAREST, OC_GRID_CUBIC,
                                           OC_GRID_LINEAR, OC_GRID_CUBIC};
    static const char *const paddings[] = {"zeros", "border", "reflection", NULL};
    const oc_dims *x = &oc_in(c, 0)->dims;
    int mode, padding;
    OC_TRY(oc_attr_enum(c, "mode", modes, &mode));
    OC_TRY(oc_attr_enum(c, "padding_mode", paddings, &padding));
    *s = (oc_sampler){.rank = x->rank - 2,
                      .mode = mode_of[mode],
                      .padding = (oc_grid_padding)padding,
                      .align = oc_attr_int(c, "align_corners") != 0};
    for (int a = 0; a < s->rank; a++)
        s->n[a] = x->n[2 + a] <= OC_PLANE_MAX ? (int32_t)x->n[2 + a] : -1;
    return OC_OK;
}

/* Refuses calls that have a shape but no kernel. */
static oc_status check_supported(oc_call *c, const oc_sampler *s)
{
    const oc_value *x = oc_in(c, 0);
    if (s->mode != OC_GRID_NEAREST && !oc_gather_has(x->type))
        return oc_fail(c, OC_UNSUPPORTED,
                       "elements of type %s cannot be averaged, expected mode %s",
                       oc_type_name(x->type), "nearest");
    if (!oc_sampler_taps(s))
        return oc_fail(c, OC_UNSUPPORTED, "%d spatial axes are too many for this mode", s->rank);
    if (oc_dims_product(&x->dims, 2, x->dims.rank) > OC_PLANE_MAX)
        return oc_fail(c, OC_LIMIT, "one channel of X has more than %lld elements",
                       (long long)OC_PLANE_MAX);
    return OC_OK;
}

/* Reads how to sample; operands and attributes that do not fit together are errors. */
static oc_status read_geometry(oc_call *c, oc_sampler *s)
{
    const oc_value *x = oc_in(c, 0);
    const int rank = x->dims.rank - 2;
    OC_TRY(oc_expect_rank(c, 0, 3, OC_MAX_RANK));
    oc_dims want = {rank + 2, {x->dims.n[0]}};
    for (int i = 1; i <= rank; i++)
        want.n[i] = -1;
    want.n[rank + 1] = rank;
    OC_TRY(oc_expect_dims(c, 1, &want, NULL));
    OC_TRY(read_sampler(c, s));
    return check_supported(c, s);
}

static oc_status grid_sample_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_sampler s;
    OC_TRY(read_geometry(c, &s));
    oc_dims y = {s.rank + 2, {x->dims.n[0], x->dims.n[1]}};
    for (int i = 0; i < s.rank; i++)
        y.n[2 + i] = oc_in(c, 1)->dims.n[1 + i];
    if (oc_dims_product(&x->dims, 2, x->dims.rank) == 0 && oc_dims_count(&y) > 0)
        return oc_fail_dims(c, 0, "expected pixels to sample");
    return oc_set_out(c, 0, x->type, &y);
}

/* The elements for "no pixel", which is zero, and for "position is NaN", which is NaN if the type
 * has one. */
typedef union outside {
    float f32[2], c64[2][2];
    double f64[2], c128[2][2];
    uint16_t half[2];
    uint64_t zero[4];
    oc_string string[2];
} outside;

static outside get_outside(oc_type type)
{
    outside o = {.zero = {0}};
    if (type == OC_F32)
        o.f32[1] = NAN;
    else if (type == OC_F64)
        o.f64[1] = (double)NAN;
    else if (type == OC_F16)
        o.half[1] = 0x7e00;
    else if (type == OC_BF16)
        o.half[1] = 0x7fc0;
    else if (type == OC_C64)
        o.c64[1][0] = o.c64[1][1] = NAN;
    else if (type == OC_C128)
        o.c128[1][0] = o.c128[1][1] = (double)NAN;
    else if (type == OC_STRING)
        o.string[0] = o.string[1] = (oc_string){"", 0};
    return o;
}

/* Samples at the given positions. Of the grid input, only type and dims are used. */
static oc_status sample_at(oc_call *c, oc_positions_fn *positions, const void *source)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    if (oc_value_n(y) == 0)
        return OC_OK;
    const outside o = get_outside(x->type);
    oc_grid_sample g = {.type = x->type,
                        .x = x->data,
                        .y = y->data,
                        .batch = y->dims.n[0],
                        .channels = y->dims.n[1],
                        .width = y->dims.n[y->dims.rank - 1],
                        .points = oc_dims_product(&y->dims, 2, y->dims.rank),
                        .outside = &o,
                        .positions = positions,
                        .source = source,
                        .f64 = oc_in(c, 1)->type == OC_F64,
                        .cpu = oc_call_cpu(c)};
    OC_TRY(read_geometry(c, &g.sampler));
    const double sums = (double)(g.batch * g.points) * (double)(1 + g.channels);
    g.work = oc_call_work(c, sums * SUM);
    const size_t scratch = oc_grid_sample_scratch(&g, g.work.threads);
    if (scratch)
        OC_TRY(OC_SCRATCH_OF(c, g.scratch, scratch, 1));
    oc_grid_sample_run(&g);
    return OC_OK;
}

static oc_status grid_sample_run(oc_call *c)
{
    const oc_stage *stage = oc_call_source(c);
    const oc_value *grid = oc_in(c, 1);
    if (stage)
        return sample_at(c, stage->positions, stage->ctx);
    const oc_position_array positions = {.data = grid->data,
                                         .type = grid->type,
                                         .points =
                                             oc_dims_product(&grid->dims, 1, grid->dims.rank - 1),
                                         .rank = grid->dims.rank - 2,
                                         .cpu = oc_call_cpu(c)};
    return sample_at(c, oc_positions_from_array, &positions);
}

/* clang-format off */
#define SIG(mode, set, grid_set)                                                                   \
    "GridSample <string mode = \"" mode "\", string padding_mode = \"zeros\", "                    \
    "int align_corners = 0> (T1 X, T2 grid*) => (T1 Y) | T1: " set "; T2: " grid_set
#define CHANGE20 "; change word mode bilinear linear; change word mode bicubic cubic"
const oc_op oc_ops_grid_sample[] = {
    {22, SIG("linear",   "all_ir4", "float_ir4"), grid_sample_shape, grid_sample_run},
    {20, SIG("linear",   "all",     "ieee" CHANGE20), grid_sample_shape, grid_sample_run},
    {16, SIG("bilinear", "all",     "ieee"),      grid_sample_shape, grid_sample_run},
    {0}
};
