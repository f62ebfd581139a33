/* SPDX-License-Identifier: Apache-2.0
 * elementwise.c - runs row kernels over operands, for the element-by-element families. */
#include "ops/kit/elementwise.h"
#include "ops/kit/layout.h"
#include "ops/kit/epilogue.h"

#include <inttypes.h>

oc_status oc_in_form(oc_call *c, const oc_value *y, const oc_value *v, oc_value *x)
{
    if (!y->nchw16c)
        return oc_in_nchw(c, v, x);
    oc_value all = *v; /* with all axes of y */
    if (v->nchw16c && (v->dims.rank != y->dims.rank || v->dims.n[1] != y->dims.n[1]))
        OC_TRY(oc_in_nchw(c, v, &all));
    all.dims = y->dims;
    for (int a = 0; a < y->dims.rank; a++) {
        const int k = a - (y->dims.rank - v->dims.rank);
        all.dims.n[a] = k >= 0 ? v->dims.n[k] : 1;
    }
    *x = all;
    if (!all.nchw16c && all.dims.n[1] == 1) { /* one channel for all */
        x->dims.n[x->dims.rank++] = 1;
        return OC_OK;
    }
    OC_TRY(oc_in_nchw16c(c, &all, x));
    *x = oc_value_in_memory(x);
    return OC_OK;
}

/* Gives all operands the form of y, and the dims in memory of that form to y and operands. */
static oc_status one_form(oc_call *c, oc_value *y, const oc_value *const from[], int n_x,
                          oc_value x[OC_MAP_OPERANDS])
{
    for (int i = 0; i < n_x; i++)
        OC_TRY(oc_in_form(c, y, from[i], &x[i]));
    if (y->nchw16c)
        *y = oc_value_in_memory(y);
    return OC_OK;
}

oc_status oc_run_rows(oc_call *c, const oc_rows rows, oc_value *out, const oc_value *const from[],
                      int n_x, const void *ctx)
{
    if (oc_epilogue_gathers(c) && rows[OC_F32])
        return oc_epilogue_add_rows(c, rows[OC_F32], ctx, from, n_x);
    if (out->nchw16c && n_x > 1 && rows[OC_F32] && out == oc_out(c, 0)) {
        bool done; /* as an epilogue of this operator alone */
        OC_TRY(oc_epilogue_run_alone(c, rows[OC_F32], ctx, from, n_x, &done));
        if (done)
            return OC_OK;
    }
    oc_value y = *out, formed[OC_MAP_OPERANDS];
    const oc_value *x[OC_MAP_OPERANDS];
    OC_TRY(one_form(c, &y, from, n_x, formed));
    for (int i = 0; i < n_x; i++)
        x[i] = &formed[i];
    const oc_type type = x[0]->type;
    const bool half = oc_type_is_half(type);
    oc_row_fn *row = rows[half ? OC_F32 : type];
    if (!row)
        return oc_fail(c, OC_UNSUPPORTED, "there is no kernel for %s", oc_type_name(type));
    const oc_wide wide = {OC_F32, oc_convert_fast, oc_call_cpu(c)};
    if (half)
        oc_call_map_wide(c, &y, x, n_x, row, ctx, &wide);
    else
        oc_call_map(c, &y, x, n_x, row, ctx);
    return OC_OK;
}

oc_status oc_run_unary(oc_call *c, const oc_rows rows, const void *ctx)
{
    const oc_value *x = oc_in(c, 0);
    return oc_run_rows(c, rows, oc_out(c, 0), &x, 1, ctx);
}

void oc_run_wide(oc_call *c, oc_type type, oc_row_fn *row, const void *ctx)
{
    const oc_value *x = oc_in(c, 0);
    const oc_wide wide = {type, oc_convert_fast, oc_call_cpu(c)};
    if (x->type == type)
        oc_call_map(c, oc_out(c, 0), &x, 1, row, ctx);
    else
        oc_call_map_wide(c, oc_out(c, 0), &x, 1, row, ctx, &wide);
}

oc_status oc_run_curve(oc_call *c, oc_curve_fn *fn, double a)
{
    static const oc_rows rows = {[OC_F32] = oc_curve_row};
    return oc_run_unary(c, rows, &(oc_curve){fn, a});
}

oc_status oc_run_elementary(oc_call *c, oc_elementary_fn *fn)
{
    static const oc_rows rows = {
        [OC_F32] = oc_elementary_row_f32, [OC_F64] = oc_elementary_row_f64};
    return oc_run_unary(c, rows, &fn);
}

oc_status oc_run_binary(oc_call *c, const oc_rows rows)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    return oc_run_rows(c, rows, oc_out(c, 0), x, 2, NULL);
}

oc_status oc_run_binary_legacy(oc_call *c, const oc_rows rows)
{
    oc_value b, planes;
    OC_TRY(oc_legacy_b(c, &b));
    if (b.nchw16c && !oc_dims_equal(&b.dims, &oc_in(c, 1)->dims)) {
        OC_TRY(oc_in_nchw(c, oc_in(c, 1), &planes));
        b.data = planes.data;
        b.nchw16c = false;
    }
    const oc_value *x[] = {oc_in(c, 0), &b};
    return oc_run_rows(c, rows, oc_out(c, 0), x, 2, NULL);
}

/* ---- broadcasting before opset 7 ---- */

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
