/* SPDX-License-Identifier: Apache-2.0
 * one_hot.c - OneHot: a new axis that has one value at the place of an index and another one
 * elsewhere. */
#include "ops/kit/op.h"

enum { CHUNK = 512 }; /* indices that are converted at a time */

static oc_status read_depth(oc_call *c, int64_t *depth)
{
    const oc_value *v = oc_in(c, 1);
    OC_TRY(oc_expect_rank(c, 1, 0, 1));
    OC_TRY(oc_expect_one(c, 1));
    oc_convert(depth, OC_I64, v->data, v->type, 1, false);
    if (*depth < 0)
        return oc_fail(c, OC_VALUE, "depth is %" PRId64 ", expected 0 or more", *depth);
    return OC_OK;
}

static oc_status one_hot_shape(oc_call *c)
{
    const oc_dims *index = &oc_in(c, 0)->dims;
    int64_t depth;
    int axis;
    if (index->rank == OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", OC_MAX_RANK + 1,
                       OC_MAX_RANK);
    OC_TRY(oc_attr_axis(c, "axis", index->rank + 1, &axis));
    OC_TRY(read_depth(c, &depth));
    OC_TRY(oc_expect_dims(c, 2, &(oc_dims){1, {2}}, ", the values off and on"));
    oc_dims y = {.rank = index->rank + 1};
    for (int a = 0; a < y.rank; a++)
        y.n[a] = a == axis ? depth : index->n[a > axis ? a - 1 : a];
    return oc_set_out(c, 0, oc_in(c, 2)->type, &y);
}

/* Writes the value on for n indices, the first of which is number `first`. y is [outer, depth,
 * inner]; indices are [outer, inner]. An index outside [-depth, depth) is nowhere; before opset 11
 * a negative one neither. */
static void put_on(const oc_value *y, const void *on, const int64_t *index, int64_t first,
                   int64_t n, int64_t depth, int64_t inner, bool from_end)
{
    const size_t elem = oc_type_size(y->type);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = index[i] < 0 && from_end ? index[i] + depth : index[i];
        const int64_t outer = (first + i) / inner, at = (first + i) % inner;
        if (k < 0 || k >= depth)
            continue;
        char *to = (char *)y->data + elem * (size_t)((outer * depth + k) * inner + at);
        switch (elem) {
        case 4:
            memcpy(to, on, 4);
            break;
        case 8:
            memcpy(to, on, 8);
            break;
        default:
            memcpy(to, on, elem);
        }
    }
}

static oc_status one_hot_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *values = oc_in(c, 2), *y = oc_out(c, 0);
    int64_t index[CHUNK], depth;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", x->dims.rank + 1, &axis));
    OC_TRY(read_depth(c, &depth));
    const size_t elem = oc_type_size(y->type), size = oc_type_size(x->type);
    const void *on = (const char *)values->data + elem;
    const int64_t inner = oc_dims_product(&x->dims, axis, x->dims.rank);
    const int64_t n = oc_value_n(y) ? oc_value_n(x) : 0;
    oc_call_fill(c, y->data, oc_value_n(y), values->data, elem);
    OC_CALL_PIECES (c, p, n, CHUNK)
        for (int64_t first = p.first; first < p.end; first += CHUNK) {
            const int64_t part = oc_min(p.end - first, CHUNK);
            oc_convert(index, OC_I64, (const char *)x->data + (size_t)first * size, x->type, part,
                       false);
            put_on(y, on, index, first, part, depth, inner, oc_call_since(c) >= 11);
        }
    return OC_OK;
}

/* clang-format off */
#define SIG \
    "OneHot <int axis = -1> (T1 indices, T2 depth!, T3 values) => (T3 output) " \
    "| T1: numeric; T2: numeric; T3: all"
const oc_op oc_ops_one_hot[] = {
    {11, SIG, one_hot_shape, one_hot_run}, /* negative axes and indices */
    { 9, SIG, one_hot_shape, one_hot_run},
    {0}
};
