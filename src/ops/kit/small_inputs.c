/* SPDX-License-Identifier: Apache-2.0
 * small_inputs.c - reads small inputs as numbers: integers, axes, dims, indices, one bool. */
#include "ops/kit/op.h"

oc_status oc_in_ints(oc_call *c, int i, oc_ints *list)
{
    const oc_value *x = oc_in_or_null(c, i);
    char text[OC_VALUE_TEXT];
    if (!x || x->dims.rank > 1 || (x->type != OC_I64 && x->type != OC_I32) ||
        oc_value_n(x) > INT32_MAX)
        return oc_fail(c, OC_SHAPE, "input %d is %s, expected a list of integers", i,
                       x ? oc_value_text(x, text) : "missing");
    list->n = (int)oc_value_n(x);
    list->v = x->data;
    if (x->type == OC_I64)
        return OC_OK;
    int64_t *wide;
    OC_TRY(OC_SCRATCH(c, wide, list->n));
    oc_call_convert(c, wide, OC_I64, x->data, OC_I32, list->n);
    list->v = wide;
    return oc_check_limits(c);
}

oc_status oc_in_int(oc_call *c, int i, int64_t *value)
{
    oc_ints list;
    OC_TRY(oc_in_ints(c, i, &list));
    if (list.n != 1)
        return oc_fail(c, OC_SHAPE, "input %d has %d elements, expected one", i, list.n);
    *value = list.v[0];
    return OC_OK;
}

static oc_status mark_axes(oc_call *c, const char *where, oc_ints list, int rank,
                           bool set[OC_MAX_RANK], int *again)
{
    memset(set, 0, OC_MAX_RANK * sizeof *set);
    *again = -1;
    for (int i = 0; i < list.n; i++) {
        int axis;
        if (!oc_dims_axis(list.v[i], rank, &axis))
            return oc_fail(c, OC_VALUE, "%s has %" PRId64 ", expected a value in [%d, %d]", where,
                           list.v[i], -rank, rank - 1);
        *again = set[axis] && *again < 0 ? axis : *again;
        set[axis] = true;
    }
    return OC_OK;
}

oc_status oc_axes(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK])
{
    int again;
    OC_TRY(mark_axes(c, where, list, rank, set, &again));
    return again < 0 ? OC_OK : oc_fail(c, OC_VALUE, "%s names axis %d twice", where, again);
}

oc_status oc_axes_set(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK])
{
    int again;
    OC_TRY(mark_axes(c, where, list, rank, set, &again));
    if (again >= 0)
        oc_remark(c, "%s names axis %d twice, which counts once", where, again);
    return OC_OK;
}

oc_status oc_in_dims(oc_call *c, int i, oc_dims *dims)
{
    oc_ints list;
    OC_TRY(oc_in_ints(c, i, &list));
    if (list.n > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "input %d asks for rank %d, the most is %d", i, list.n,
                       OC_MAX_RANK);
    dims->rank = list.n;
    for (int a = 0; a < list.n; a++) {
        dims->n[a] = list.v[a];
        if (list.v[a] < 0)
            return oc_fail(c, OC_VALUE, "input %d has %" PRId64 " at [%d], expected a size >= 0", i,
                           list.v[a], a);
    }
    return OC_OK;
}

oc_status oc_fail_index(oc_call *c, int i, int64_t at, int64_t index, int64_t size, const char *why)
{
    const oc_value *x = oc_in_or_null(c, i);
    oc_dims place = x->dims;
    char text[OC_DIMS_TEXT];
    for (int a = place.rank - 1; a >= 0; a--) {
        const int64_t n = place.n[a];
        place.n[a] = at % n;
        at /= n;
    }
    return oc_fail(c, OC_VALUE,
                   "input %d has %" PRId64 " at %s, expected a value in [%" PRId64 ", %" PRId64
                   "]%s",
                   i, index, oc_dims_text(&place, text), -size, size - 1, why);
}

oc_status oc_in_indices(oc_call *c, int i, int64_t size, const int64_t **index)
{
    const oc_value *x = oc_in_or_null(c, i);
    const int64_t n = oc_value_n(x);
    int64_t *list;
    OC_TRY(OC_SCRATCH(c, list, n));
    oc_call_convert(c, list, OC_I64, x->data, x->type, n);
    OC_CALL_LOOP (c, k, n, 1024) {
        if (list[k] < -size || list[k] >= size)
            return oc_fail_index(c, i, k, list[k], size, "");
        list[k] += list[k] < 0 ? size : 0;
    }
    *index = list;
    return oc_check_limits(c);
}

oc_status oc_one_bool(oc_call *c, const oc_value *v, const char *what, bool *value)
{
    char text[OC_VALUE_TEXT];
    if (v->kind != OC_TENSOR || v->type != OC_BOOL || oc_value_n(v) != 1)
        return oc_fail(c, OC_SHAPE, "%s is %s, expected one bool", what, oc_value_text(v, text));
    *value = *(const uint8_t *)v->data != 0;
    return OC_OK;
}
