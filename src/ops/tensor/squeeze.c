/* SPDX-License-Identifier: Apache-2.0
 * squeeze.c - Squeeze and Unsqueeze: axes of size 1 dropped and added. */
#include "ops/kit/op.h"

/* Reads the axes: from an attribute in older versions, else from input 1. */
static oc_status read_axes(oc_call *c, oc_ints *axes, bool *given)
{
    *given = true;
    if (oc_in_or_null(c, 1))
        return oc_in_ints(c, 1, axes);
    *given = oc_attr_has(c, "axes");
    *axes = oc_attr_ints(c, "axes");
    return OC_OK;
}

static oc_status squeeze_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    bool given, drop[OC_MAX_RANK];
    oc_ints axes;
    OC_TRY(read_axes(c, &axes, &given));
    OC_TRY(oc_axes_set(c, "axes", axes, x->dims.rank, drop));
    oc_dims y = {.rank = 0};
    for (int a = 0; a < x->dims.rank; a++) {
        const bool one = x->dims.n[a] == 1;
        if (drop[a] && !one)
            return oc_fail_dims(c, 0, "expected 1 on axis %d", a);
        if (given ? !drop[a] : !one)
            y.n[y.rank++] = x->dims.n[a];
    }
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status unsqueeze_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    bool given, add[OC_MAX_RANK];
    oc_ints axes;
    OC_TRY(read_axes(c, &axes, &given));
    if (axes.n > OC_MAX_RANK - x->dims.rank)
        return oc_fail(c, OC_LIMIT, "axes adds %d axes to rank %d, the most is rank %d", axes.n,
                       x->dims.rank, OC_MAX_RANK);
    oc_dims y = {.rank = x->dims.rank + axes.n};
    OC_TRY(oc_axes(c, "axes", axes, y.rank, add));
    for (int a = 0, from = 0; a < y.rank; a++)
        y.n[a] = add[a] ? 1 : x->dims.n[from++];
    return oc_set_out(c, 0, x->type, &y);
}

/* clang-format off */
#define SQUEEZE(set)    "Squeeze (T data, int64 axes!?) => (T squeezed) | T: " set
#define SQUEEZE1        "Squeeze <ints axes?> (T data) => (T squeezed) | T: all"
#define UNSQUEEZE(set)  "Unsqueeze (T data, int64 axes!) => (T expanded) | T: " set
#define UNSQUEEZE1      "Unsqueeze <ints axes> (T data) => (T expanded) | T: all"
#define CHANGE13        "; change input 1 from axes"
#define MOVES OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_squeeze[] = {
    {25, SQUEEZE("all_ir13"),   squeeze_shape,   oc_alias, MOVES},
    {24, SQUEEZE("all_ir12"),   squeeze_shape,   oc_alias, MOVES},
    {23, SQUEEZE("all_ir11"),   squeeze_shape,   oc_alias, MOVES},
    {21, SQUEEZE("all_ir10"),   squeeze_shape,   oc_alias, MOVES},
    {13, SQUEEZE("all_ir4" CHANGE13),   squeeze_shape,   oc_alias, MOVES},
    {11, SQUEEZE1,              squeeze_shape,   oc_alias, MOVES}, /* negative axes */
    { 1, SQUEEZE1,              squeeze_shape,   oc_alias, MOVES},
    {25, UNSQUEEZE("all_ir13"), unsqueeze_shape, oc_alias, MOVES},
    {24, UNSQUEEZE("all_ir12"), unsqueeze_shape, oc_alias, MOVES},
    {23, UNSQUEEZE("all_ir11"), unsqueeze_shape, oc_alias, MOVES},
    {21, UNSQUEEZE("all_ir10"), unsqueeze_shape, oc_alias, MOVES},
    {13, UNSQUEEZE("all_ir4" CHANGE13), unsqueeze_shape, oc_alias, MOVES},
    {11, UNSQUEEZE1,            unsqueeze_shape, oc_alias, MOVES}, /* negative axes */
    { 1, UNSQUEEZE1,            unsqueeze_shape, oc_alias, MOVES},
    {0}
};
