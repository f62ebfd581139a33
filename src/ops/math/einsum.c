/* SPDX-License-Identifier: Apache-2.0
 * einsum.c - Einsum: sums of products over labelled axes.
 *
 * Operands are multiplied in pairs, each time the pair whose product has the fewest
 * multiplications; of equal ones the pair with the smaller result, then the first. A label is
 * summed over as soon as no other operand and not the output has it. A pair is a batch of matrix
 * products where both operands have such a label.
 *
 * float16 is computed in float and rounded once; integers of any type wrap. */
#include "ops/math/einsum_pair.h"

static oc_status einsum_shape(oc_call *c)
{
    oc_einsum g;
    OC_TRY(oc_einsum_read(c, &g));
    oc_dims y = {.rank = g.out.rank};
    for (int a = 0; a < y.rank; a++)
        y.n[a] = g.size[g.out.label[a]];
    return oc_set_out(c, 0, oc_in(c, 0)->type, &y);
}

/* Takes input i without axes of size 1; axes with one label become their diagonal. */
static oc_status view_input(oc_call *c, const oc_einsum *g, int i, oc_type type, oc_einsum_view *v)
{
    const oc_dims *d = &oc_in(c, i)->dims;
    const oc_einsum_term *t = &g->term[i];
    int64_t steps[OC_MAX_RANK];
    *v = (oc_einsum_view){.set = 0};
    OC_TRY(oc_in_as(c, i, type, &v->data));
    oc_dims_strides(d, steps);
    for (int a = 0; a < d->rank; a++) {
        int own = 0;
        while (own < v->axes.rank && v->axes.label[own] != t->label[a])
            own++;
        if (d->n[a] == 1)
            continue;
        if (own < v->axes.rank)
            v->step[own] += steps[a];
        else
            oc_einsum_push(v, t->label[a], d->n[a], steps[a]);
    }
    return OC_OK;
}

/* ---- which pair next */

static double set_size(const oc_einsum *g, uint64_t set)
{
    double n = 1;
    for (int l = 0; l < g->n_label; l++)
        if (set >> l & 1)
            n *= (double)g->size[l];
    return n;
}

/* Counts the views that have each label. */
typedef struct uses {
    int of[OC_EINSUM_LABELS];
} uses;

static void count_uses(uses *u, uint64_t set, int more)
{
    for (int l = 0; l < OC_EINSUM_LABELS; l++)
        u->of[l] += set >> l & 1 ? more : 0;
}

/* The labels that a product of two views must keep: with[t] has the labels that other views or the
 * output have if t of the two views have them. */
typedef struct keeping {
    uint64_t with[3];
} keeping;

static keeping keeping_of(const uses *u, uint64_t out)
{
    keeping k = {{out, out, out}};
    for (int l = 0; l < OC_EINSUM_LABELS; l++)
        for (int t = 0; t < 3; t++)
            k.with[t] |= u->of[l] > t ? UINT64_C(1) << l : 0;
    return k;
}

/* Returns the labels that must outlive the product of views with sets a and b. */
static uint64_t kept(const keeping *k, uint64_t a, uint64_t b)
{
    return (k->with[0] & ~(a | b)) | (k->with[1] & (a ^ b)) | (k->with[2] & a & b);
}

static void choose(const oc_einsum *g, const oc_einsum_view *v, int n, const keeping *k, int *left,
                   int *right)
{
    enum {
        LOOKED_AT = 16
    }; /* most views among which a pair is chosen, so that the choice is
        * cheap */
    const int some = oc_min(n, LOOKED_AT);
    double least = -1, smallest = 0;
    *left = 0;
    *right = 1;
    for (int i = 0; n > 2 && i < some; i++)
        for (int j = i + 1; j < some; j++) {
            const uint64_t both = v[i].set | v[j].set;
            const double work = set_size(g, both),
                         size = set_size(g, both & kept(k, v[i].set, v[j].set));
            if (least >= 0 && (work > least || (work == least && size >= smallest)))
                continue;
            least = work;
            smallest = size;
            *left = i;
            *right = j;
        }
}

/* ---- running */

/* *result becomes that of all n views, whose content is lost. The first ones move up where a pair
 * became one: they are few. */
static oc_status contract(oc_call *c, oc_type type, const oc_einsum *g, oc_einsum_view *v, int n,
                          uint64_t out, oc_einsum_view *result)
{
    uses u = {{0}};
    for (int i = 0; i < n; i++)
        count_uses(&u, v[i].set, 1);
    OC_CALL_LOOP (c, done, n - 1, 1) {
        const keeping k = keeping_of(&u, out);
        int i, j;
        choose(g, v, n - (int)done, &k, &i, &j);
        count_uses(&u, v[i].set, -1);
        count_uses(&u, v[j].set, -1);
        OC_TRY(oc_einsum_pair(c, type, g, &v[i], &v[j], kept(&k, v[i].set, v[j].set)));
        count_uses(&u, v[i].set, 1);
        memmove(v + 1, v, (size_t)j * sizeof *v);
        v++;
    }
    *result = *v;
    return oc_einsum_sum(c, type, result, ~out);
}

static oc_status run_type(oc_call *c, oc_type type, const oc_einsum *g)
{
    const oc_value *y = oc_out(c, 0);
    const int n = oc_n_in(c);
    oc_einsum_term axes = {.rank = 0};
    oc_einsum_view *v, result;
    const void *data;
    void *to;
    uint64_t out = 0;
    OC_TRY(OC_SCRATCH(c, v, n));
    for (int i = 0; i < n; i++)
        OC_TRY(view_input(c, g, i, type, &v[i]));
    for (int a = 0; a < g->out.rank; a++) {
        const int label = g->out.label[a];
        out |= UINT64_C(1) << label;
        if (g->size[label] != 1)
            axes.label[axes.rank++] = (uint8_t)label;
    }
    OC_TRY(contract(c, type, g, v, n, out, &result));
    OC_TRY(oc_out_as(c, 0, type, oc_value_n(y), &to));
    OC_TRY(oc_einsum_arrange(c, type, &result, &axes, &data));
    oc_call_copy(c, to, data, (size_t)oc_value_n(y) * oc_type_size(type));
    oc_out_from(c, 0, type, to);
    return OC_OK;
}

static oc_status einsum_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    const oc_type type = y->type == OC_F64                   ? OC_F64
                         : oc_type_in(y->type, OC_SET_FLOAT) ? OC_F32
                                                             : OC_I64;
    oc_einsum g;
    OC_TRY(oc_einsum_read(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    for (int i = 0; i < oc_n_in(c); i++)
        if (oc_value_n(oc_in(c, i)) == 0) {
            oc_call_zero(c, y->data, oc_value_bytes(y));
            return OC_OK;
        }
    return run_type(c, type, &g);
}

/* clang-format off */
const oc_op oc_ops_einsum[] = {
    {12, "Einsum <string equation> (T Inputs...) => (T Output) | T: numeric", einsum_shape, einsum_run},
    {0}
};
