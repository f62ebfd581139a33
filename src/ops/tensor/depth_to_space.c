/* SPDX-License-Identifier: Apache-2.0
 * depth_to_space.c - DepthToSpace and SpaceToDepth: channels become squares of pixels, and back. */
#include "ops/kit/op.h"

/* The deep tensor is [images, channels * block * block, height, width], the wide one [images,
 * channels, height * block, width * block]. */
typedef struct geometry {
    int64_t images, channels, height, width, block;
    bool by_channel; /* mode CRD: in the deep tensor the square of a channel lies together */
} geometry;

static oc_status read_block(oc_call *c, geometry *g)
{
    OC_TRY(oc_expect_rank(c, 0, 4, 4));
    g->block = oc_attr_int(c, "blocksize");
    if (g->block < 1 || g->block > INT32_MAX)
        return oc_fail(c, OC_VALUE, "attribute 'blocksize' is %lld, expected 1 to %d",
                       (long long)g->block, INT32_MAX);
    return OC_OK;
}

static oc_status read_deep(oc_call *c, geometry *g)
{
    static const char *const modes[] = {"DCR", "CRD", NULL};
    const int64_t *x = oc_in(c, 0)->dims.n;
    int mode = 0;
    OC_TRY(read_block(c, g));
    if (oc_attr_has(c, "mode"))
        OC_TRY(oc_attr_enum(c, "mode", modes, &mode));
    const int64_t square = g->block * g->block;
    if (x[1] % square)
        return oc_fail_dims(c, 0, "expected a multiple of %lld channels", (long long)square);
    *g = (geometry){x[0], x[1] / square, x[2], x[3], g->block, mode == 1};
    return OC_OK;
}

static oc_status read_wide(oc_call *c, geometry *g)
{
    const int64_t *x = oc_in(c, 0)->dims.n;
    OC_TRY(read_block(c, g));
    if (x[2] % g->block || x[3] % g->block)
        return oc_fail_dims(c, 0, "expected a height and a width that are multiples of %lld",
                            (long long)g->block);
    *g = (geometry){x[0], x[1], x[2] / g->block, x[3] / g->block, g->block, false};
    return OC_OK;
}

static oc_status depth_to_space_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_deep(c, &g));
    oc_dims y = {4, {g.images, g.channels}};
    if (!oc_i64_mul(g.height, g.block, &y.n[2]) || !oc_i64_mul(g.width, g.block, &y.n[3]))
        return oc_fail(c, OC_LIMIT, "the output is too large");
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

static oc_status space_to_depth_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_wide(c, &g));
    oc_dims y = {4, {g.images, 0, g.height, g.width}};
    if (!oc_i64_mul(g.channels, g.block * g.block, &y.n[1]))
        return oc_fail(c, OC_LIMIT, "the output is too large");
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

/* The box of all elements as [images, channels, row in square, column in square, height, width],
 * and its steps in both tensors. */
static oc_dims box_of(const geometry *g, int64_t deep[], int64_t wide[])
{
    const oc_dims box = {6, {g->images, g->channels, g->block, g->block, g->height, g->width}};
    const int64_t plane = g->height * g->width, square = g->block * g->block;
    const int64_t width = g->width * g->block;
    deep[0] = wide[0] = g->channels * square * plane;
    deep[1] = g->by_channel ? square * plane : plane;
    deep[2] = g->block * (g->by_channel ? plane : g->channels * plane);
    deep[3] = g->by_channel ? plane : g->channels * plane;
    deep[4] = g->width;
    deep[5] = 1;
    wide[1] = square * plane;
    wide[2] = width;
    wide[3] = 1;
    wide[4] = width * g->block;
    wide[5] = g->block;
    return box;
}

static oc_status move(oc_call *c, const geometry *g, bool to_deep)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    int64_t deep[6], wide[6];
    if (oc_value_n(y) == 0)
        return OC_OK;
    const oc_dims box = box_of(g, deep, wide);
    oc_call_move(c, y->data, to_deep ? deep : wide, x->data, to_deep ? wide : deep, &box,
                 oc_type_size(y->type));
    return OC_OK;
}

static oc_status depth_to_space_run(oc_call *c)
{
    geometry g;
    OC_TRY(read_deep(c, &g));
    return move(c, &g, false);
}

static oc_status space_to_depth_run(oc_call *c)
{
    geometry g;
    OC_TRY(read_wide(c, &g));
    return move(c, &g, true);
}

/* clang-format off */
#define DEPTH(attrs, set) "DepthToSpace <int blocksize" attrs "> (T input) => (T output) | T: " set
#define SPACE(set)        "SpaceToDepth <int blocksize> (T input) => (T output) | T: " set
#define MODE              ", string mode+ = \"DCR\""
#define MOVES OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_depth_to_space[] = {
    {13, DEPTH(MODE, "all_ir4"), depth_to_space_shape, depth_to_space_run, MOVES},
    {11, DEPTH(MODE, "all"),     depth_to_space_shape, depth_to_space_run, MOVES},
    { 1, DEPTH("", "all"),       depth_to_space_shape, depth_to_space_run, MOVES},
    {13, SPACE("all_ir4"),       space_to_depth_shape, space_to_depth_run, MOVES},
    { 1, SPACE("all"),           space_to_depth_shape, space_to_depth_run, MOVES},
    {0}
};
