/* SPDX-License-Identifier: Apache-2.0
 * unique.c - Unique: the different elements of a tensor, or the different slabs along an axis.
 *
 * Slabs are compared element by element, in row-major order; complex numbers by their real parts
 * first, strings by their bytes. -0 equals 0. NaN equals NaN and is greater than any number. */
#include "kernels/rows/order.h"
#include "ops/tensor/places.h"

#include <string.h>

/* The input is [outer, n, inner]; the n slabs along the axis are compared. */
typedef struct geometry {
    int axis; /* -1: none, all elements are slabs */
    int64_t outer, n, inner;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    *g = (geometry){.axis = -1, .outer = 1, .n = oc_dims_count(x), .inner = 1};
    if (!oc_attr_has(c, "axis"))
        return OC_OK;
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &g->axis));
    g->outer = oc_dims_product(x, 0, g->axis);
    g->n = x->n[g->axis];
    g->inner = oc_dims_product(x, g->axis + 1, x->rank);
    return OC_OK;
}

/* ---- the order of slabs */

typedef struct slabs {
    const geometry *g;
    const oc_string *string; /* the elements, or NULL and: */
    const int64_t *key;      /* parts keys of each element */
    int parts;
} slabs;

static int compare_strings(oc_string a, oc_string b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_slabs(const void *ctx, int64_t a, int64_t b)
{
    const slabs *s = ctx;
    const int64_t width = s->g->inner * s->parts, step = s->g->n * width;
    for (int64_t o = 0; width && o < s->g->outer; o++)
        for (int64_t i = 0; i < width; i++) {
            const int64_t at_a = o * step + a * width + i, at_b = o * step + b * width + i;
            const int order = s->string
                                  ? compare_strings(s->string[at_a], s->string[at_b])
                                  : (s->key[at_a] > s->key[at_b]) - (s->key[at_a] < s->key[at_b]);
            if (order)
                return order;
        }
    return 0;
}

/* Keys of n numbers. */
static void make_keys(oc_type type, int64_t *key, const char *x, int64_t n)
{
    enum { CHUNK = 512 };
    const oc_keys k = {.type = type, .nan_last = true};
    int32_t narrow[CHUNK];
    if (oc_keys_are_wide(type)) {
        oc_keys_wide(&k, key, x, n);
        return;
    }
    for (int64_t at = 0; at < n; at += CHUNK) {
        const int64_t part = n - at < CHUNK ? n - at : CHUNK;
        oc_keys_narrow(&k, narrow, x + (size_t)at * oc_type_size(type), part);
        for (int64_t i = 0; i < part; i++)
            key[at + i] = narrow[i];
    }
}

/* The groups of equal slabs, in their order; all lists have room for n. */
typedef struct groups {
    int64_t n;
    int64_t *first, *count; /* of each group: its first slab, the number of its slabs */
    int64_t *of;            /* the group of each slab */
} groups;

static void add_slab(groups *s, int64_t slab, bool begins)
{
    if (begins) {
        s->first[s->n] = slab;
        s->count[s->n++] = 0;
    }
    s->count[s->n - 1]++;
    s->of[slab] = s->n - 1;
}

/* Single numbers are sorted by their keys. */
static oc_status group_numbers(oc_call *c, const geometry *g, groups *s)
{
    const oc_value *x = oc_in(c, 0);
    const oc_keys k = {.type = x->type, .nan_last = true};
    oc_ranked *r;
    OC_TRY(OC_SCRATCH_OF(c, r, g->n, 2 * sizeof *r));
    oc_order_rank(&k, r, x->data, g->n);
    oc_order_sort(r, r + g->n, g->n);
    for (int64_t i = 0; i < g->n; i++)
        add_slab(s, r[i].index, i == 0 || r[i].key != r[i - 1].key);
    return OC_OK;
}

static oc_status group_slabs(oc_call *c, const geometry *g, groups *s)
{
    const oc_value *x = oc_in(c, 0);
    const bool is_complex = oc_type_in(x->type, OC_SET_COMPLEX);
    const int64_t n = oc_value_n(x);
    slabs t = {.g = g, .parts = is_complex ? 2 : 1};
    int64_t *key, *order;
    if (x->type == OC_STRING) {
        t.string = x->data;
    } else {
        OC_TRY(OC_SCRATCH_OF(c, key, n, (size_t)t.parts * sizeof *key));
        make_keys(!is_complex         ? x->type
                  : x->type == OC_C64 ? OC_F32
                                      : OC_F64,
                  key, x->data, n * t.parts);
        t.key = key;
    }
    OC_TRY(OC_SCRATCH_OF(c, order, g->n, 2 * sizeof *order));
    for (int64_t i = 0; i < g->n; i++)
        order[i] = i;
    oc_order_merge(order, order + g->n, g->n, compare_slabs, &t);
    for (int64_t i = 0; i < g->n; i++)
        add_slab(s, order[i], i == 0 || compare_slabs(&t, order[i - 1], order[i]) != 0);
    return OC_OK;
}

/* Puts the groups in the order of their first slabs. */
static oc_status order_by_first(oc_call *c, int64_t n, groups *s)
{
    groups new = {.of = s->of};
    int64_t *number;
    OC_TRY(OC_SCRATCH(c, number, s->n));
    OC_TRY(OC_SCRATCH(c, new.first, s->n));
    OC_TRY(OC_SCRATCH(c, new.count, s->n));
    for (int64_t i = 0; i < n; i++) {
        const int64_t old = s->of[i];
        if (s->first[old] == i) {
            new.first[new.n] = i;
            new.count[new.n] = s->count[old];
            number[old] = new.n++;
        }
        s->of[i] = number[old];
    }
    *s = new;
    return OC_OK;
}

/* ---- outputs */

static oc_status put_list(oc_call *c, int i, const int64_t *list, int64_t n)
{
    OC_TRY(oc_set_out(c, i, OC_I64, oc_dims_1d(n)));
    OC_TRY(oc_alloc_out(c, i));
    if (oc_out(c, i) && n)
        memcpy(oc_out(c, i)->data, list, (size_t)n * sizeof *list);
    return OC_OK;
}

static oc_status put_slabs(oc_call *c, const geometry *g, const groups *s)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims dims = g->axis < 0 ? oc_dims_1d(s->n) : x->dims;
    dims.n[g->axis < 0 ? 0 : g->axis] = s->n;
    OC_TRY(oc_set_out(c, 0, x->type, dims));
    OC_TRY(oc_alloc_out(c, 0));
    const oc_value *y = oc_out(c, 0);
    const size_t size = oc_type_size(x->type) * (size_t)g->inner;
    for (int64_t o = 0; y && oc_value_n(y) && o < g->outer; o++)
        oc_pick_blocks((char *)y->data + (size_t)(o * s->n) * size,
                       (const char *)x->data + (size_t)(o * g->n) * size, s->first, size, size,
                       s->n);
    return OC_OK;
}

static oc_status unique_run(oc_call *c)
{
    geometry g;
    groups s = {.n = 0};
    OC_TRY(read_geometry(c, &g));
    OC_TRY(OC_SCRATCH(c, s.first, g.n));
    OC_TRY(OC_SCRATCH(c, s.count, g.n));
    OC_TRY(OC_SCRATCH(c, s.of, g.n));
    const oc_type type = oc_in(c, 0)->type;
    const bool single = g.outer == 1 && g.inner == 1;
    if (single && !oc_type_in(type, OC_SET_COMPLEX | OC_SET_(STRING)))
        OC_TRY(group_numbers(c, &g, &s));
    else
        OC_TRY(group_slabs(c, &g, &s));
    if (oc_attr_int(c, "sorted") == 0)
        OC_TRY(order_by_first(c, g.n, &s));
    OC_TRY(put_slabs(c, &g, &s));
    OC_TRY(put_list(c, 1, s.first, s.n));
    OC_TRY(put_list(c, 2, s.of, g.n));
    return put_list(c, 3, s.count, s.n);
}

/* clang-format off */
const oc_op oc_ops_unique[] = {
    {11, "Unique <int axis?, int sorted = 1> (T X) => "
         "(T Y, int64 indices?, int64 inverse_indices?, int64 counts?) | T: all", NULL, unique_run},
    {0}
};
/* clang-format on */
