/* SPDX-License-Identifier: Apache-2.0
 * elementwise.c - the stages of the element-by-element families. */
#include "ops/kit/elementwise.h"

static void set_context(oc_stage *s, const void *ctx, size_t size)
{
    if (size)
        oc_stage_context(s, ctx, size);
    else
        s->ctx = ctx;
}

oc_status oc_stage_rows(oc_call *c, oc_stage *s, const oc_rows rows, const oc_value *const x[],
                        int n_x, const void *ctx, size_t size)
{
    const oc_type type = x[0]->type;
    s->type = oc_type_is_half(type) ? OC_F32 : type;
    s->row = rows[s->type];
    if (!s->row)
        return oc_fail(c, OC_UNSUPPORTED, "there is no kernel for %s", oc_type_name(type));
    for (int i = 0; i < n_x; i++)
        s->x[i] = x[i];
    s->n_x = n_x;
    set_context(s, ctx, size);
    return OC_OK;
}

oc_status oc_stage_unary(oc_call *c, oc_stage *s, const oc_rows rows, const void *ctx, size_t size)
{
    const oc_value *x = oc_in(c, 0);
    return oc_stage_rows(c, s, rows, &x, 1, ctx, size);
}

void oc_stage_wide(oc_call *c, oc_stage *s, oc_type type, oc_row_fn *row, const void *ctx,
                   size_t size)
{
    s->type = type;
    s->row = row;
    s->x[0] = oc_in(c, 0);
    s->n_x = 1;
    set_context(s, ctx, size);
}

oc_status oc_stage_curve(oc_call *c, oc_stage *s, oc_curve_fn *fn, double a)
{
    static const oc_rows rows = {[OC_F32] = oc_curve_row};
    const oc_curve curve = {fn, a};
    return oc_stage_unary(c, s, rows, &curve, sizeof curve);
}

oc_status oc_stage_elementary(oc_call *c, oc_stage *s, oc_elementary_fn *fn)
{
    static const oc_rows rows = {
        [OC_F32] = oc_elementary_row_f32, [OC_F64] = oc_elementary_row_f64};
    return oc_stage_unary(c, s, rows, &fn, sizeof fn);
}

oc_status oc_stage_binary(oc_call *c, oc_stage *s, const oc_rows rows)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    return oc_stage_rows(c, s, rows, x, 2, NULL, 0);
}

oc_order oc_order_of_type(oc_type type, bool reverse)
{
    return oc_order_of(oc_type_size(type), oc_type_in(type, OC_SET_SIGNED), reverse);
}

oc_status oc_stage_order(oc_call *c, oc_stage *s, const oc_rows rows, bool reverse)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    const oc_order order = oc_order_of_type(x[0]->type, reverse);
    return oc_stage_rows(c, s, rows, x, 2, &order, sizeof order);
}

oc_status oc_stage_binary_legacy(oc_call *c, oc_stage *s, const oc_rows rows)
{
    oc_value *b = &s->own[0];
    OC_TRY(oc_legacy_b(c, b));
    const bool as_it_is = oc_dims_equal(&b->dims, &oc_in(c, 1)->dims);
    const oc_value *x[] = {oc_in(c, 0), as_it_is ? oc_in(c, 1) : b};
    return oc_stage_rows(c, s, rows, x, 2, NULL, 0);
}

oc_status oc_legacy_b(oc_call *c, oc_value *b)
{
    const oc_dims *a = &oc_in(c, 0)->dims;
    char want[OC_DIMS_TEXT];
    *b = *oc_in(c, 1);
    const oc_dims from = b->dims;
    if (oc_dims_equal(a, &from))
        return OC_OK;
    if (!oc_attr_int(c, "broadcast"))
        return oc_expect_dims(c, 1, a, " as attribute 'broadcast' is 0");
    int64_t axis = oc_attr_has(c, "axis") ? oc_attr_int(c, "axis") : a->rank - from.rank;
    if (axis < 0)
        axis += a->rank;
    if (axis < 0 || axis > a->rank - from.rank)
        return oc_fail_dims(c, 1, "which does not fit %s at axis %" PRId64, oc_dims_text(a, want),
                            axis);
    b->dims = (oc_dims){.rank = a->rank};
    for (int i = 0; i < a->rank; i++) {
        const int64_t k = i - axis;
        b->dims.n[i] = k >= 0 && k < from.rank ? from.n[k] : 1;
        if (b->dims.n[i] != 1 && b->dims.n[i] != a->n[i])
            return oc_fail_dims(c, 1, "which does not repeat to %s", oc_dims_text(a, want));
    }
    return OC_OK;
}

oc_status oc_legacy_shape(oc_call *c)
{
    oc_value b;
    OC_TRY(oc_legacy_b(c, &b));
    return oc_same_shape(c);
}
