/* SPDX-License-Identifier: Apache-2.0
 * shape.c - Shape and Size: the dims of a tensor, or the number of its elements, as a tensor. */
#include "ops/kit/op.h"

/* An end of the range of axes: a negative one counts from the back; the result is clamped to the
 * rank. */
static int clamped(int64_t end, int rank)
{
    if (end < 0)
        return end < -rank ? 0 : (int)(end + rank);
    return end > rank ? rank : (int)end;
}

/* Finds the axes first .. last-1 that are asked for. */
static void wanted_axes(const oc_call *c, int *first, int *last)
{
    const int rank = oc_in(c, 0)->dims.rank;
    *first = clamped(oc_attr_int(c, "start"), rank);
    *last = oc_attr_has(c, "end") ? clamped(oc_attr_int(c, "end"), rank) : rank;
    if (*last < *first)
        *last = *first;
}

static oc_status shape_shape(oc_call *c)
{
    int first, last;
    wanted_axes(c, &first, &last);
    return oc_set_out(c, 0, OC_I64, &(oc_dims){1, {last - first}});
}

static oc_status shape_run(oc_call *c)
{
    int first, last;
    wanted_axes(c, &first, &last);
    int64_t *y = oc_out(c, 0)->data;
    for (int a = first; a < last; a++)
        y[a - first] = oc_in(c, 0)->dims.n[a];
    return OC_OK;
}

static oc_status size_shape(oc_call *c)
{
    return oc_set_out(c, 0, OC_I64, &(oc_dims){.rank = 0});
}

static oc_status size_run(oc_call *c)
{
    *(int64_t *)oc_out(c, 0)->data = oc_value_n(oc_in(c, 0));
    return OC_OK;
}

/* clang-format off */
#define GIVE shape_shape, shape_run, OC_TRAITS(.gives_dims = true)
#define SHAPE(attrs, set) "Shape" attrs " (T data^) => (int64 shape) | T: " set
#define SHAPE15(set) SHAPE(" <int start+ = 0, int end+?>", set)
#define SIZE(set) "Size (T data^) => (int64 size) | T: " set
const oc_op oc_ops_shape[] = {
    {25, SHAPE15("all_ir13"),   GIVE},
    {24, SHAPE15("all_ir12"),   GIVE},
    {23, SHAPE15("all_ir11"),   GIVE},
    {21, SHAPE15("all_ir10"),   GIVE},
    {19, SHAPE15("all_ir9"),    GIVE},
    {15, SHAPE15("all_ir4"),    GIVE}, /* + start, end */
    {13, SHAPE("", "all_ir4"),  GIVE},
    { 1, SHAPE("", "all"),      GIVE},
    {25, SIZE("all_ir13"),      size_shape,  size_run},
    {24, SIZE("all_ir12"),      size_shape,  size_run},
    {23, SIZE("all_ir11"),      size_shape,  size_run},
    {21, SIZE("all_ir10"),      size_shape,  size_run},
    {19, SIZE("all_ir9"),       size_shape,  size_run},
    {13, SIZE("all_ir4"),       size_shape,  size_run},
    { 1, SIZE("all"),           size_shape,  size_run},
    {0}
};
