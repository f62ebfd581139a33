/* SPDX-License-Identifier: Apache-2.0
 * group_normalization.c - GroupNormalization, InstanceNormalization, MeanVarianceNormalization and
 * LpNormalization.
 *
 * Groups and instances are computed in the type stash_type, but float16 and bfloat16 in float.
 * Their scale and bias are applied in double if x is double, else in float.
 * MeanVarianceNormalization is computed in double, so that rounding does not hide its epsilon of
 * 1e-9. LpNormalization is computed in double if x is double, else in float. Each result is rounded
 * once. */
#include "ops/nn/normalize.h"

/* ---- groups of channels ---- */

typedef struct geometry {
    oc_dims dims; /* dims of X as [N, groups, the rest of a group's elements] */
    oc_norm norm; /* the norm, without scale and bias */
} geometry;

static oc_status read_geometry(oc_call *c, bool instance, geometry *g)
{
    oc_norm *m = &g->norm;
    *g = (geometry){0};
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    const int64_t groups = instance ? x->n[1] : oc_attr_int(c, "num_groups");
    if (!instance && (groups < 1 || x->n[1] % groups != 0))
        return oc_fail(c, OC_VALUE,
                       "attribute 'num_groups' is %" PRId64 ", expected a divisor of %" PRId64
                       " channels",
                       groups, x->n[1]);
    const int64_t stash =
        oc_attr_has(c, "stash_type") ? oc_attr_int(c, "stash_type") : oc_in(c, 0)->type;
    if (!oc_type_is_listed(stash) || !oc_type_in((oc_type)stash, OC_SET_FLOAT))
        return oc_fail(c, OC_VALUE,
                       "attribute 'stash_type' is %" PRId64 ", expected 1, 10, 11 or 16", stash);
    const bool each_group = !instance && oc_call_since(c) == 18;
    m->scales = m->biases = each_group ? groups : x->n[1];
    for (int i = 1; i < 3; i++)
        OC_TRY(oc_expect_dims(c, i, &(oc_dims){1, {m->scales}},
                              each_group ? ", one for each group" : ", one for each channel"));
    const int64_t plane = oc_dims_product(x, 2, x->rank);
    const int64_t rest = groups ? x->n[1] / groups * plane : plane;
    g->dims = (oc_dims){3, {x->n[0], groups, rest}};
    m->piece = each_group ? rest : plane;
    m->kind = OC_NORM_VARIANCE;
    m->epsilon = (double)oc_attr_float(c, "epsilon");
    oc_norm_types(c, (oc_type)stash, m);
    m->axes[2] = true;
    return OC_OK;
}

static oc_status shape(oc_call *c, bool instance)
{
    geometry g;
    OC_TRY(read_geometry(c, instance, &g));
    return oc_same_shape(c);
}

static oc_status normalize_groups(oc_call *c, bool instance)
{
    geometry g;
    oc_value x = *oc_in(c, 0);
    OC_TRY(read_geometry(c, instance, &g));
    if (oc_value_n(&x) == 0) /* X without elements may have any number of groups */
        return OC_OK;
    x.dims = g.dims;
    OC_TRY(oc_norm_widen(c, &g.norm, oc_in(c, 1), NULL, &g.norm.scale));
    OC_TRY(oc_norm_widen(c, &g.norm, oc_in(c, 2), NULL, &g.norm.bias));
    return oc_norm_run(c, &x, &g.norm);
}

OC_CALL_FN(group_shape, shape(c, false))
OC_CALL_FN(group_run, normalize_groups(c, false))
OC_CALL_FN(instance_shape, shape(c, true))
OC_CALL_FN(instance_run, normalize_groups(c, true))

/* ---- MeanVarianceNormalization ---- */

static oc_status mvn_axes(oc_call *c, bool axes[OC_MAX_RANK])
{
    return oc_axes_set(c, "attribute 'axes'", oc_attr_ints(c, "axes"), oc_in(c, 0)->dims.rank,
                       axes);
}

static oc_status mvn_shape(oc_call *c)
{
    bool axes[OC_MAX_RANK];
    OC_TRY(mvn_axes(c, axes));
    return oc_same_shape(c);
}

static oc_status mvn_run(oc_call *c)
{
    oc_norm m = {.kind = OC_NORM_VARIANCE, .extra = 1e-9, .real = OC_F64, .last = OC_F64};
    OC_TRY(mvn_axes(c, m.axes));
    if (oc_attr_ints(c, "axes").n == 0) /* an empty list means all, as for reductions */
        for (int a = 0; a < OC_MAX_RANK; a++)
            m.axes[a] = true;
    return oc_norm_run(c, oc_in(c, 0), &m);
}

/* ---- LpNormalization ---- */

static oc_status lp_shape(oc_call *c)
{
    const int64_t p = oc_attr_int(c, "p");
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", oc_in(c, 0)->dims.rank, &axis));
    if (p != 1 && p != 2)
        return oc_fail(c, OC_VALUE, "attribute 'p' is %" PRId64 ", expected 1 or 2", p);
    return oc_same_shape(c);
}

static oc_status lp_run(oc_call *c)
{
    oc_norm m = {.kind = oc_attr_int(c, "p") == 1 ? OC_NORM_L1 : OC_NORM_L2};
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", oc_in(c, 0)->dims.rank, &axis));
    m.axes[axis] = true;
    oc_norm_types(c, oc_in(c, 0)->type, &m);
    return oc_norm_run(c, oc_in(c, 0), &m);
}

/* clang-format off */
#define EPSILON "float epsilon = 1e-05"
#define GROUP(since, attrs) {since, "GroupNormalization <" EPSILON ", int num_groups" attrs ">"    \
    " (T X, T scale, T bias) => (T Y) | T: float_ir4", group_shape, group_run}
#define INSTANCE(since, attrs, set) {since, "InstanceNormalization <" attrs EPSILON ">"            \
    " (T input, T scale, T B) => (T output) | T: " set, instance_shape, instance_run}
#define MVN(since, set) {since, "MeanVarianceNormalization <ints axes = [0, 2, 3]>"                \
    " (T X) => (T Y) | T: " set, mvn_shape, mvn_run}
#define LP(since, set) {since, "LpNormalization <int axis = -1, int p = 2>"                        \
    " (T input) => (T output) | T: " set, lp_shape, lp_run}
const oc_op oc_ops_group_normalization[] = {
    GROUP(21, ", int stash_type = 1"),
    GROUP(18, ""),
    INSTANCE(22, "", "float_ir4"),
    INSTANCE( 6, "", "ieee"),
    INSTANCE( 1, "ints consumed_inputs?, ", "ieee"),
    MVN(13, "float_ir4"),
    MVN( 9, "ieee"),
    LP(22, "float_ir4"),
    LP( 1, "ieee"),
    {0}
};
