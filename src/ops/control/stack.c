/* SPDX-License-Identifier: Apache-2.0
 * stack.c - collects tensors side by side along a new axis. */
#include "ops/control/stack.h"

/* The dims of n items side by side; s->at becomes the axis. */
static oc_status stacked_dims(oc_call *c, oc_stack *s, int64_t n, oc_dims *dims)
{
    const oc_dims *item = &s->item.dims;
    const int rank = item->rank + 1;
    if (rank > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT,
                       "output %d of the body would be stacked to rank %d, the most "
                       "is %d",
                       s->port, rank, OC_MAX_RANK);
    if (!oc_dims_axis(s->axis, rank, &s->at))
        return oc_fail(c, OC_VALUE,
                       "output %d of the body is stacked on axis %" PRId64
                       ", expected a value in [%d, %d]",
                       s->port, s->axis, -rank, rank - 1);
    dims->rank = rank;
    for (int a = 0; a < rank; a++)
        dims->n[a] = a == s->at ? n : item->n[a - (a > s->at)];
    return OC_OK;
}

static oc_status allocate(oc_call *c, oc_stack *s, int64_t n)
{
    oc_dims dims;
    OC_TRY(stacked_dims(c, s, n, &dims));
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), s->item.type, &dims, &s->all, oc_call_error(c)));
    oc_call_zero(c, s->all.data, oc_value_bytes(&s->all));
    return OC_OK;
}

static oc_status check_item(oc_call *c, const oc_stack *s, const oc_value *item)
{
    char have[OC_VALUE_TEXT], want[OC_VALUE_TEXT];
    if (item->kind != OC_TENSOR)
        return oc_fail(c, OC_TYPE, "output %d of the body is %s, expected a tensor", s->port,
                       oc_value_text(item, have));
    if (!s->all.buffer || (item->type == s->item.type && oc_dims_equal(&item->dims, &s->item.dims)))
        return OC_OK;
    return oc_fail(c, OC_SHAPE, "output %d of the body is %s, expected %s as before", s->port,
                   oc_value_text(item, have), oc_value_text(&s->item, want));
}

oc_status oc_stack_put(oc_call *c, oc_stack *s, int64_t place, const oc_value *item)
{
    OC_TRY(check_item(c, s, item));
    if (!s->all.buffer) {
        s->item = (oc_value){.type = item->type, .dims = item->dims};
        OC_TRY(allocate(c, s, s->room));
    }
    const size_t size =
        oc_type_size(item->type) * (size_t)oc_dims_product(&item->dims, s->at, item->dims.rank);
    const int64_t rows = oc_dims_product(&item->dims, 0, s->at);
    oc_call_copy_rows(c, (char *)s->all.data + size * (size_t)place, size * (size_t)s->room,
                      item->data, size, size, rows);
    return OC_OK;
}

oc_status oc_stack_grow(oc_call *c, oc_stack *s)
{
    if (!oc_i64_mul(s->room, 2, &s->room))
        return oc_fail(c, OC_LIMIT, "output %d of the body has too many places", s->port);
    if (!s->all.buffer)
        return OC_OK;
    oc_value old = s->all;
    s->all = (oc_value){0};
    const oc_status status = allocate(c, s, s->room);
    if (status == OC_OK)
        oc_call_copy(c, s->all.data, old.data, oc_value_bytes(&old));
    oc_value_unref(&old);
    return status;
}

oc_status oc_stack_end(oc_call *c, oc_stack *s, int64_t n, oc_value *out)
{
    if (!s->all.buffer) {
        if (s->item.type == OC_UNDEFINED)
            return oc_fail(c, OC_MODEL,
                           "the type of output %d of the body is not known and not declared, which "
                           "is needed when no iteration runs",
                           s->port);
        if (s->item.kind != OC_TENSOR)
            return oc_fail(c, OC_TYPE, "output %d of the body is a list, expected a tensor",
                           s->port);
        if (s->item.dims.rank < 0)
            s->item.dims.rank = 0;
        for (int a = 0; a < s->item.dims.rank; a++)
            if (s->item.dims.n[a] < 0)
                s->item.dims.n[a] = 0;
        OC_TRY(allocate(c, s, n));
    }
    s->all.dims.n[s->at] = n;
    *out = s->all;
    s->all = (oc_value){0};
    return OC_OK;
}
