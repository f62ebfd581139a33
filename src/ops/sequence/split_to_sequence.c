/* SPDX-License-Identifier: Apache-2.0
 * split_to_sequence.c - SplitToSequence: consecutive parts of a tensor along one axis. Parts that
 * are contiguous share the input's elements. */
#include "ops/kit/op.h"

/* The parts along the axis: n parts of one size, whose last may be smaller, or a list of sizes. */
typedef struct parts {
    int axis;
    bool drop; /* the items do not have the axis */
    int64_t n, size;
    const int64_t *list; /* NULL: equal parts */
} parts;

static oc_status listed_parts(oc_call *c, parts *p, int64_t total)
{
    int64_t rest = total;
    OC_CALL_LOOP (c, i, p->n, 1024) {
        if (p->list[i] < 0 || p->list[i] > rest)
            return oc_fail(c, OC_VALUE,
                           "split has %" PRId64 " at [%" PRId64
                           "], expected a value in [0, %" PRId64 "]",
                           p->list[i], i, rest);
        rest -= p->list[i];
    }
    if (rest)
        return oc_fail(c, OC_SHAPE, "split covers %" PRId64 " of the axis' %" PRId64 " elements",
                       total - rest, total);
    return OC_OK;
}

static oc_status find_parts(oc_call *c, parts *p)
{
    const oc_value *x = oc_in(c, 0), *split = oc_in_or_null(c, 1);
    oc_ints list = {NULL, 0};
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank, &p->axis));
    const int64_t total = x->dims.n[p->axis];
    p->drop = !split && !oc_attr_int(c, "keepdims");
    p->size = 1;
    if (split)
        OC_TRY(oc_in_ints(c, 1, &list));
    if (split && split->dims.rank == 1) {
        p->n = list.n;
        p->list = list.v;
        return listed_parts(c, p, total);
    }
    if (split)
        p->size = list.v[0];
    if (p->size < 1)
        return oc_fail(c, OC_VALUE, "split is %" PRId64 ", expected a size >= 1", p->size);
    p->n = total / p->size + (total % p->size != 0);
    return OC_OK;
}

/* The dims of an item that has this size on the axis. */
static oc_dims item_dims(const parts *p, const oc_dims *x, int64_t size)
{
    oc_dims y = *x;
    y.n[p->axis] = size;
    if (!p->drop)
        return y;
    y.rank--;
    for (int a = p->axis; a < y.rank; a++)
        y.n[a] = x->n[a + 1];
    return y;
}

/* Makes an item of this size on the axis, from index start of the axis on. */
static oc_status make_item(oc_call *c, const parts *p, int64_t start, int64_t size, oc_value *item)
{
    const oc_value *x = oc_in(c, 0);
    const oc_dims dims = item_dims(p, &x->dims, size);
    const size_t slab =
        oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, p->axis + 1, x->dims.rank);
    const int64_t rows = oc_dims_product(&x->dims, 0, p->axis);
    const char *src = (const char *)x->data + slab * (size_t)start;
    if (rows == 1) {
        *item = oc_value_ref(x);
        item->dims = dims;
        item->data = (void *)(uintptr_t)src;
        return OC_OK;
    }
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), x->type, &dims, item, oc_call_error(c)));
    if (oc_value_n(item))
        oc_call_copy_rows(c, item->data, slab * (size_t)size, src,
                          slab * (size_t)x->dims.n[p->axis], slab * (size_t)size, rows);
    return OC_OK;
}

static oc_status make_items(oc_call *c, const parts *p, oc_value *item)
{
    const int64_t total = oc_in(c, 0)->dims.n[p->axis];
    int64_t rest = total;
    OC_CALL_LOOP (c, i, p->n, 16) {
        const int64_t size = p->list ? p->list[i] : p->size < rest ? p->size : rest;
        OC_TRY(make_item(c, p, total - rest, size, &item[i]));
        rest -= size;
    }
    return OC_OK;
}

static oc_status split_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    parts p = {0};
    oc_value y;
    OC_TRY(find_parts(c, &p));
    OC_TRY(oc_value_new_list(oc_call_pool(c), OC_SEQUENCE, x->type, p.n, &y, oc_call_error(c)));
    const oc_status status = make_items(c, &p, oc_value_items(&y));
    if (status == OC_OK)
        oc_give_out(c, 0, &y);
    oc_value_unref(&y);
    return status;
}

/* Parts may differ in size, unless each is one place of the axis. */
static oc_status split_outline(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const bool single = !oc_in_or_null(c, 1);
    oc_dims dims = x->dims;
    int axis;
    if (dims.rank < 0)
        return OC_OK;
    OC_TRY(oc_attr_axis(c, "axis", dims.rank, &axis));
    dims.n[axis] = single ? 1 : -1;
    if (single && !oc_attr_int(c, "keepdims")) {
        dims.rank--;
        memmove(dims.n + axis, dims.n + axis + 1, (size_t)(dims.rank - axis) * sizeof *dims.n);
    }
    return oc_outline(c, 0, x->type, &dims);
}

/* clang-format off */
#define SPLIT NULL, split_run, OC_TRAITS(.outline = split_outline)
#define SIG(set) "SplitToSequence <int axis = 0, int keepdims = 1> (T input, I split$?)" \
                 " => (S output_sequence) | T: " set "; I: index; S: seq(" set ")"
const oc_op oc_ops_split_to_sequence[] = {
    {24, SIG("all_ir4"), SPLIT}, /* + bfloat16 */
    {11, SIG("all"),     SPLIT},
    {0}
};
