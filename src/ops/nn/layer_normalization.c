/* SPDX-License-Identifier: Apache-2.0
 * layer_normalization.c - LayerNormalization and RMSNormalization: over all axes from one on.
 *
 * The first stage is computed in the type stash_type, but float16 and bfloat16 in float. Scale and
 * bias are applied in double if x is double, else in float. Each result is rounded once. */
#include "ops/nn/normalize.h"

/* Sets the axes of a row, which are x's axes from `axis` on, and the type of the first of the two
 * stages. */
static oc_status read_geometry(oc_call *c, bool rms, oc_norm *m)
{
    const int rank = oc_in(c, 0)->dims.rank;
    const int64_t stash = oc_attr_int(c, "stash_type");
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", rank, &axis));
    for (int a = axis; a < rank; a++)
        m->axes[a] = true;
    const bool known = stash == OC_F32 || stash == OC_BF16;
    if (!known && !(rms && (stash == OC_F16 || stash == OC_F64)))
        return oc_fail(c, OC_VALUE, "attribute 'stash_type' is %" PRId64 ", expected %s", stash,
                       rms ? "1, 10, 11 or 16" : "1 or 16");
    m->kind = rms ? OC_NORM_RMS : OC_NORM_VARIANCE;
    m->epsilon = (double)oc_attr_float(c, "epsilon");
    oc_norm_types(c, (oc_type)stash, m);
    m->piece = 1;
    return OC_OK;
}

/* *list becomes the factors in input i, for one row or for several; *count becomes their number. */
static oc_status factors(oc_call *c, int i, const oc_norm *m, const void **list, int64_t *count)
{
    const oc_value *v = oc_in_or_null(c, i);
    const oc_dims *x = &oc_in(c, 0)->dims;
    oc_value flat = *v;
    int first = x->rank, lead = 0;
    while (lead < v->dims.rank && v->dims.n[lead] == 1)
        lead++;
    flat.dims.rank = v->dims.rank - lead; /* dims without leading ones */
    for (int a = 0; a < flat.dims.rank; a++)
        flat.dims.n[a] = v->dims.n[a + lead];
    while (first > 0 && (m->axes[first - 1] || x->rank - first < flat.dims.rank))
        first--;
    oc_dims all = {.rank = x->rank - first};
    for (int a = 0; a < all.rank; a++)
        all.n[a] = x->n[a + first];
    *count = oc_dims_count(&all);
    return oc_norm_widen(c, m, &flat, &all, list);
}

static oc_status layer_shape(oc_call *c)
{
    oc_norm m = {0};
    const oc_value *x = oc_in(c, 0);
    oc_dims rows = x->dims;
    OC_TRY(read_geometry(c, false, &m));
    OC_TRY(oc_expect_repeats(c, 1, &x->dims));
    OC_TRY(oc_expect_repeats(c, 2, &x->dims));
    for (int a = 0; a < rows.rank; a++)
        rows.n[a] = m.axes[a] ? 1 : rows.n[a];
    const oc_type stash = (oc_type)oc_attr_int(c, "stash_type");
    OC_TRY(oc_set_out(c, 0, x->type, &x->dims));
    OC_TRY(oc_set_out(c, 1, stash, &rows));
    return oc_set_out(c, 2, stash, &rows);
}

static oc_status layer_run(oc_call *c)
{
    oc_norm m = {.mean = oc_out_or_null(c, 1), .inverse = oc_out_or_null(c, 2)};
    OC_TRY(read_geometry(c, false, &m));
    OC_TRY(factors(c, 1, &m, &m.scale, &m.scales));
    if (oc_in_or_null(c, 2))
        OC_TRY(factors(c, 2, &m, &m.bias, &m.biases));
    return oc_norm_run(c, oc_in(c, 0), &m);
}

static oc_status rms_shape(oc_call *c)
{
    oc_norm m = {0};
    OC_TRY(read_geometry(c, true, &m));
    OC_TRY(oc_expect_repeats(c, 1, &oc_in(c, 0)->dims));
    return oc_set_out(c, 0, oc_in(c, 1)->type, &oc_in(c, 0)->dims);
}

static oc_status rms_run(oc_call *c)
{
    oc_norm m = {0};
    OC_TRY(read_geometry(c, true, &m));
    if (oc_in(c, 1)->type == OC_F64)
        m.last = OC_F64;
    OC_TRY(factors(c, 1, &m, &m.scale, &m.scales));
    return oc_norm_run(c, oc_in(c, 0), &m);
}

/* clang-format off */
#define ATTRS " <int axis = -1, float epsilon = 1e-05, int stash_type = 1> "
const oc_op oc_ops_layer_normalization[] = {
    {17, "LayerNormalization" ATTRS "(T X, T Scale, T B?) => (T Y, U Mean?, U InvStdDev?)"
         " | T: float_ir4; U: float bfloat16", layer_shape, layer_run},
    {23, "RMSNormalization" ATTRS "(T X, V scale) => (V Y) | T: float_ir4; V: float_ir4",
         rms_shape, rms_run},
    {0}
};
