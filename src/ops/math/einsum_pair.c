/* SPDX-License-Identifier: Apache-2.0
 * einsum_pair.c - sums of one operand of Einsum, and products of two. */
#include "kernels/reduce/reduce.h"
#include "ops/kit/elementwise.h"
#include "ops/math/einsum_pair.h"
#include "ops/math/matrices.h"

static uint64_t bit(int label)
{
    return UINT64_C(1) << label;
}

void oc_einsum_push(oc_einsum_view *v, int label, int64_t n, int64_t step)
{
    v->axes.label[v->axes.rank] = (uint8_t)label;
    v->n[v->axes.rank] = n;
    v->step[v->axes.rank++] = step;
    v->set |= bit(label);
}

static int find(const oc_einsum_view *v, int label)
{
    int a = 0;
    while (v->axes.label[a] != label)
        a++;
    return a;
}

/* Returns the product of the dims of v at the labels of a set; v has each label of the set. */
static int64_t count(const oc_einsum_view *v, uint64_t set)
{
    int64_t n = 1;
    for (int a = 0; a < v->axes.rank; a++)
        if (set & bit(v->axes.label[a]))
            n *= v->n[a];
    return n;
}

/* Appends the labels of the set in v's order. */
static oc_status append(oc_call *c, oc_einsum_term *t, const oc_einsum_view *v, uint64_t set)
{
    for (int a = 0; a < v->axes.rank; a++) {
        if (!(set & bit(v->axes.label[a])))
            continue;
        if (t->rank == OC_MAX_RANK)
            return oc_fail(c, OC_LIMIT, "a product of operands would have more than %d axes",
                           OC_MAX_RANK);
        t->label[t->rank++] = v->axes.label[a];
    }
    return OC_OK;
}

/* Makes a dense view of new scratch memory. */
static oc_status new_view(oc_call *c, oc_type type, const oc_einsum *g, const oc_einsum_term *axes,
                          oc_einsum_view *v, void **data)
{
    int64_t steps[OC_MAX_RANK], total = 1;
    for (int a = axes->rank - 1; a >= 0; a--) {
        steps[a] = total;
        if (!oc_i64_mul(total, g->size[axes->label[a]], &total))
            return oc_fail(c, OC_LIMIT, "a product of operands is too large");
    }
    OC_TRY(OC_SCRATCH_OF(c, *data, total, oc_type_size(type)));
    *v = (oc_einsum_view){.data = *data};
    for (int a = 0; a < axes->rank; a++)
        oc_einsum_push(v, axes->label[a], g->size[axes->label[a]], steps[a]);
    return OC_OK;
}

/* ---- sums */

typedef struct sums {
    char *to;
    size_t size;
} sums;

static void store(const void *ctx, const void *result, int64_t first, int64_t n)
{
    const sums *s = ctx;
    memcpy(s->to + (size_t)first * s->size, result, (size_t)n * s->size);
}

oc_status oc_einsum_sum(oc_call *c, oc_type type, oc_einsum_view *v, uint64_t set)
{
    sums s = {.size = oc_type_size(type)};
    oc_reduce r = {
        .x = v->data, .x_size = s.size, .store = store, .ctx = &s, .work = oc_call_all(c)};
    oc_einsum_view y = {.set = 0};
    if (!(v->set & set))
        return OC_OK;
    int64_t step = count(v, v->set & ~set);
    OC_TRY(OC_SCRATCH_OF(c, s.to, step, s.size));
    for (int a = 0; a < v->axes.rank; a++) {
        const oc_reduce_axis axis = {v->n[a], v->step[a]};
        if (set & bit(v->axes.label[a])) {
            r.reduced[r.n_reduced++] = axis;
        } else {
            r.kept[r.n_kept++] = axis;
            step /= axis.n;
            oc_einsum_push(&y, v->axes.label[a], axis.n, step);
        }
    }
    r.fold = &oc_folds_pick(type, oc_call_cpu(c))->sum;
    oc_reduce_run(&r);
    y.data = s.to;
    *v = y;
    return OC_OK;
}

/* ---- order */

/* Sets sizes and steps of v's axes in the order of `axes`, and the steps they have when dense;
 * returns whether they are dense already. */
static bool read_order(const oc_einsum_view *v, const oc_einsum_term *axes, oc_dims *box,
                       int64_t from[], int64_t dense[])
{
    bool same = true;
    box->rank = axes->rank;
    for (int a = 0; a < axes->rank; a++) {
        const int own = find(v, axes->label[a]);
        box->n[a] = v->n[own];
        from[a] = v->step[own];
    }
    oc_dims_strides(box, dense);
    for (int a = 0; a < axes->rank; a++)
        same = same && from[a] == dense[a];
    return same;
}

static bool is_dense(const oc_einsum_view *v, const oc_einsum_term *axes)
{
    oc_dims box;
    int64_t from[OC_MAX_RANK], dense[OC_MAX_RANK];
    return read_order(v, axes, &box, from, dense);
}

oc_status oc_einsum_arrange(oc_call *c, oc_type type, const oc_einsum_view *v,
                            const oc_einsum_term *axes, const void **data)
{
    oc_dims box;
    int64_t from[OC_MAX_RANK], dense[OC_MAX_RANK];
    *data = v->data;
    if (read_order(v, axes, &box, from, dense))
        return OC_OK;
    void *to;
    OC_TRY(OC_SCRATCH_OF(c, to, oc_dims_count(&box), oc_type_size(type)));
    oc_call_move(c, to, dense, v->data, from, &box, oc_type_size(type));
    *data = to;
    return OC_OK;
}

/* ---- products without a sum */

OC_ROW2(times_f32, float, float, a *b)
OC_ROW2(times_f64, double, double, a *b)
OC_ROW2(times_i64, uint64_t, uint64_t, a *b)

/* *to becomes v with the axes of t, of size 1 if v lacks the axis. */
static oc_status spread(oc_call *c, oc_type type, const oc_einsum_view *v, const oc_einsum_term *t,
                        oc_value *to)
{
    oc_einsum_term own = {.rank = 0};
    oc_dims dims = {.rank = t->rank};
    const void *data;
    for (int a = 0; a < t->rank; a++) {
        const bool has = v->set & bit(t->label[a]);
        dims.n[a] = has ? v->n[find(v, t->label[a])] : 1;
        if (has)
            own.label[own.rank++] = t->label[a];
    }
    OC_TRY(oc_einsum_arrange(c, type, v, &own, &data));
    *to = oc_value_borrow(type, dims, data);
    return OC_OK;
}

static oc_status times(oc_call *c, oc_type type, const oc_einsum *g, oc_einsum_view *x,
                       const oc_einsum_view *y)
{
    oc_einsum_term axes = {.rank = 0};
    oc_einsum_view z;
    oc_value left, right, out;
    void *data;
    OC_TRY(append(c, &axes, x, x->set));
    OC_TRY(append(c, &axes, y, y->set & ~x->set));
    OC_TRY(new_view(c, type, g, &axes, &z, &data));
    OC_TRY(spread(c, type, x, &axes, &left));
    OC_TRY(spread(c, type, y, &axes, &right));
    oc_dims dims = {.rank = axes.rank};
    memcpy(dims.n, z.n, sizeof dims.n);
    out = oc_value_borrow(type, dims, data);
    const oc_value *const operands[] = {&left, &right};
    oc_row_fn *row = type == OC_F32 ? times_f32 : type == OC_F64 ? times_f64 : times_i64;
    oc_call_map(c, &out, operands, 2, row, NULL);
    *x = z;
    return OC_OK;
}

/* ---- products of matrices */

/* The labels of a product: in both operands and kept, in one of them, in both and summed over. */
typedef struct parts {
    uint64_t batch, left, right, inner;
} parts;

static oc_status multiply(oc_call *c, oc_type type, const oc_einsum *g, oc_einsum_view *x,
                          const oc_einsum_view *y, const parts *p)
{
    oc_einsum_term left = {.rank = 0}, right = left, transposed = left, out = left;
    oc_einsum_view z;
    /* The operand with more elements is the one that should not be copied. */
    const oc_einsum_view *order = count(x, x->set) >= count(y, y->set) ? x : y;
    OC_TRY(append(c, &left, order, p->batch));
    OC_TRY(append(c, &left, x, p->left));
    OC_TRY(append(c, &left, order, p->inner));
    OC_TRY(append(c, &right, order, p->batch));
    OC_TRY(append(c, &right, order, p->inner));
    OC_TRY(append(c, &right, y, p->right));
    OC_TRY(append(c, &transposed, order, p->batch));
    OC_TRY(append(c, &transposed, y, p->right));
    OC_TRY(append(c, &transposed, order, p->inner));
    OC_TRY(append(c, &out, order, p->batch));
    OC_TRY(append(c, &out, x, p->left));
    OC_TRY(append(c, &out, y, p->right));
    oc_matrices m = {.type = type, .m = count(x, p->left), .k = count(x, p->inner)};
    m.n = count(y, p->right);
    m.batch = m.a = m.b = oc_dims_1d(count(x, p->batch));
    OC_TRY(new_view(c, type, g, &out, &z, &m.y));
    OC_TRY(oc_einsum_arrange(c, type, x, &left, &m.a_data));
    m.transposed = type != OC_I64 && p->right && !is_dense(y, &right) && is_dense(y, &transposed);
    OC_TRY(oc_einsum_arrange(c, type, y, m.transposed ? &transposed : &right, &m.b_data));
    OC_TRY(oc_matrices_multiply(c, &m));
    *x = z;
    return OC_OK;
}

static bool ends_in(const oc_einsum_view *v, uint64_t set)
{
    return v->axes.rank > 0 && set & bit(v->axes.label[v->axes.rank - 1]);
}

/* Is y better as the left operand? Where one operand has no axis of its own, the other is read
 * along its last axis; else the order of the output decides. */
static bool should_swap(const oc_einsum *g, const oc_einsum_view *x, const oc_einsum_view *y,
                        const parts *p)
{
    if (!p->left)
        return ends_in(y, p->inner);
    if (!p->right)
        return ends_in(x, p->left);
    for (int a = 0; a < g->out.rank; a++)
        if ((p->left | p->right) & bit(g->out.label[a]))
            return p->right & bit(g->out.label[a]);
    return false;
}

oc_status oc_einsum_pair(oc_call *c, oc_type type, const oc_einsum *g, oc_einsum_view *x,
                         oc_einsum_view *y, uint64_t keep)
{
    OC_TRY(oc_einsum_sum(c, type, x, ~(y->set | keep)));
    OC_TRY(oc_einsum_sum(c, type, y, ~(x->set | keep)));
    const uint64_t both = x->set & y->set;
    parts p = {both & keep, x->set & ~both, y->set & ~both, both & ~keep};
    if (!p.inner)
        return times(c, type, g, x, y);
    if (!p.left && !p.right) {
        OC_TRY(times(c, type, g, x, y));
        return oc_einsum_sum(c, type, x, p.inner);
    }
    if (should_swap(g, x, y, &p)) {
        const oc_einsum_view other = *x;
        const uint64_t left = p.left;
        *x = *y;
        *y = other;
        p.left = p.right;
        p.right = left;
    }
    return multiply(c, type, g, x, y, &p);
}
