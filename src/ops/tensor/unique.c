/* SPDX-License-Identifier: Apache-2.0
 * unique.c - Unique: the different elements of a tensor, or the different slabs along an axis.
 *
 * Slabs are compared element by element, in row-major order; complex numbers by their real parts
 * first, strings by their bytes. -0 equals 0. NaN equals NaN and is greater than any number. */
#include "kernels/sort/order.h"
#include "ops/kit/strings.h"
#include "ops/tensor/places.h"

enum {
    PART = 1 << 10, /* elements that are compared at a time */
    KEY_WORK = 32   /* products that take as long as an element */
};

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
    const oc_work *work;
} slabs;

/* Compares n neighbours from number a on with those from b on. */
static int compare_parts(const slabs *s, int64_t a, int64_t b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int order = s->string
                              ? oc_order_strings(s->work, s->string[a + i], s->string[b + i])
                              : (s->key[a + i] > s->key[b + i]) - (s->key[a + i] < s->key[b + i]);
        if (order)
            return order;
    }
    return 0;
}

/* Compares some rows of n neighbours, which are step numbers apart. */
static int compare_rows(const slabs *s, int64_t a, int64_t b, int64_t n, int64_t rows, int64_t step)
{
    for (; rows > 0; rows--, a += step, b += step) {
        const int order = compare_parts(s, a, b, n);
        if (order)
            return order;
    }
    return 0;
}

/* 0 also where the work was ended. */
static int compare_slabs(const void *ctx, int64_t a, int64_t b)
{
    const slabs *s = ctx;
    const int64_t width = s->g->inner * s->parts, step = s->g->n * width;
    const int64_t each = width && width < PART ? PART / width : 1; /* rows */
    const int64_t parts = oc_div_up(width, PART);                  /* parts of a row */
    OC_LOOP (s->work, k, oc_div_up(s->g->outer, each) * parts, 1) {
        const int64_t o = k / parts * each, i = k % parts * PART, at = o * step + i;
        const int64_t n = oc_min(width - i, PART);
        const int64_t rows = oc_min(s->g->outer - o, each);
        const int order = compare_rows(s, at + a * width, at + b * width, n, rows, step);
        if (order)
            return order;
    }
    return 0;
}

/* Makes the keys of n numbers. */
static void make_keys(const oc_work *w, oc_type type, int64_t *key, const char *x, int64_t n)
{
    enum { CHUNK = 512 };
    const oc_keys k = {.type = type, .nan_last = true};
    int32_t narrow[CHUNK];
    OC_PIECES (w, p, n, CHUNK)
        for (int64_t at = p.first; at < p.end; at += CHUNK) {
            const int64_t part = oc_min(p.end - at, CHUNK);
            const char *from = x + (size_t)at * oc_type_size(type);
            if (oc_keys_are_wide(type)) {
                oc_keys_wide(&k, key + at, from, part);
                continue;
            }
            oc_keys_narrow(&k, narrow, from, part);
            for (int64_t i = 0; i < part; i++)
                key[at + i] = narrow[i];
        }
}

/* The groups of equal slabs, in their order; all lists have room for n. */
typedef struct groups {
    int64_t n;
    int64_t *first, *count; /* first slab, and number of slabs, of each group */
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
    const oc_work w = oc_call_work(c, 0);
    oc_ranked *r;
    OC_TRY(OC_SCRATCH_OF(c, r, g->n, 2 * sizeof *r));
    oc_order_rank(&k, r, x->data, g->n, &w);
    oc_order_sort(r, r + g->n, g->n, &w);
    OC_CALL_LOOP (c, i, g->n, 64)
        add_slab(s, r[i].index, i == 0 || r[i].key != r[i - 1].key);
    return OC_OK;
}

static oc_status group_slabs(oc_call *c, const geometry *g, groups *s)
{
    const oc_value *x = oc_in(c, 0);
    const bool is_complex = oc_type_in(x->type, OC_SET_COMPLEX);
    const int64_t n = oc_value_n(x);
    const oc_work w = oc_call_work(c, 0);
    slabs t = {.g = g, .parts = is_complex ? 2 : 1, .work = &w};
    int64_t *key, *order;
    if (x->type == OC_STRING) {
        t.string = x->data;
    } else {
        OC_TRY(OC_SCRATCH_OF(c, key, n, (uint64_t)t.parts * sizeof *key));
        const oc_type part = x->type == OC_C64 ? OC_F32 : OC_F64;
        make_keys(&w, is_complex ? part : x->type, key, x->data, n * t.parts);
        t.key = key;
    }
    OC_TRY(OC_SCRATCH_OF(c, order, g->n, 2 * sizeof *order));
    OC_CALL_LOOP (c, i, g->n, 1024)
        order[i] = i;
    oc_order_merge(order, order + g->n, g->n, compare_slabs, &t, &w);
    OC_CALL_LOOP (c, i, g->n, 64)
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
    OC_CALL_LOOP (c, i, n, 64) {
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
    OC_TRY(oc_set_out(c, i, OC_I64, &(oc_dims){1, {n}}));
    OC_TRY(oc_alloc_out(c, i));
    const oc_value *y = oc_out_or_null(c, i);
    if (y)
        oc_call_copy(c, y->data, list, (size_t)n * sizeof *list);
    return OC_OK;
}

static oc_status put_slabs(oc_call *c, const geometry *g, const groups *s)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims dims = g->axis < 0 ? oc_dims_1d(s->n) : x->dims;
    dims.n[oc_max(g->axis, 0)] = s->n;
    OC_TRY(oc_set_out(c, 0, x->type, &dims));
    OC_TRY(oc_alloc_out(c, 0));
    const oc_value *y = oc_out(c, 0);
    const size_t size = oc_type_size(x->type) * (size_t)g->inner;
    const oc_work w = oc_call_work(c, 0);
    const int64_t outer = oc_value_n(y) ? g->outer : 0;
    OC_CALL_LOOP (c, o, outer, 64)
        oc_pick_blocks(&w, (char *)y->data + (size_t)(o * s->n) * size,
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

static oc_status unique_outline(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_dims dims = oc_dims_1d(-1);
    int axis;
    for (int i = 1; i < 4; i++)
        OC_TRY(oc_outline(c, i, OC_I64, &dims));
    if (!oc_attr_has(c, "axis"))
        return oc_outline(c, 0, x->type, &dims);
    if (x->dims.rank < 0)
        return OC_OK;
    dims = x->dims;
    OC_TRY(oc_attr_axis(c, "axis", dims.rank, &axis));
    dims.n[axis] = -1;
    return oc_outline(c, 0, x->type, &dims);
}

/* clang-format off */
const oc_op oc_ops_unique[] = {
    {11, "Unique <int axis?, int sorted = 1> (T X) => "
         "(T Y, int64 indices?, int64 inverse_indices?, int64 counts?) | T: all", NULL, unique_run,
         OC_TRAITS(.outline = unique_outline)},
    {0}
};
