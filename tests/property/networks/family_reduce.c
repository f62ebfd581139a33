/* SPDX-License-Identifier: Apache-2.0
 * family_reduce.c - reductions over axes, and CumSum. */
#include "net.h"

#include <string.h>

typedef enum kind { SUM, MEAN, MOST, LEAST, PRODUCT, L1, L2, SQUARES, LOG_SUM_EXP, N_KINDS } kind;

static const char *const ops[N_KINDS] = {"ReduceSum", "ReduceMean",      "ReduceMax",
                                         "ReduceMin", "ReduceProd",      "ReduceL1",
                                         "ReduceL2",  "ReduceSumSquare", "ReduceLogSumExp"};

/* What one result needs of its elements. */
typedef struct total {
    double sum, absolute, e, most, least, most_e, count;
    double high, low; /* of products: the greatest and the least of any part of the factors */
} total;

static void take(total *t, kind k, double v, double e, const net_tensor *y)
{
    t->count++;
    t->most = fmax(t->most, v);
    t->least = fmin(t->least, v);
    t->most_e = e < INFINITY ? fmax(t->most_e, e) : INFINITY;
    if (k == PRODUCT) {
        const double before = t->sum, unit = net_sum_unit(y->type) + 0x1p-53;
        t->sum *= v;
        t->e = fabs(before) * e + fabs(v) * t->e + e * t->e;
        t->e += 4 * unit * (fabs(t->sum) + t->e);
        t->high *= fmax(1, fabs(v) + e);
        t->low *= v == 0 && e == 0 ? 1 : fmin(1, fmax(0, fabs(v) - e));
        return;
    }
    const bool square = k == L2 || k == SQUARES;
    t->sum += square ? v * v : k == L1 ? fabs(v) : v;
    t->absolute += square ? v * v : fabs(v);
    t->e += square ? 2 * fabs(v) * e + e * e : e;
}

static void finish(const total *t, kind k, net_tensor *y, int64_t i)
{
    const double gamma = net_gamma(y->type, t->count + 4), unit = net_sum_unit(y->type);
    const double e =
        net_of_sums(y->type, t->absolute,
                    t->e + gamma * (t->absolute + t->e) + net_underflow(y->type) * t->count);
    /* Factors in another order have other products on the way. */
    const double least = y->type == NET_F64 ? 0x1p-1000 : 0x1p-120,
                 of_product = t->low > least ? net_of_sums(y->type, t->high, t->e) : INFINITY;
    switch (k) {
    case MOST:
    case LEAST:
        y->v[i] = k == MOST ? t->most : t->least;
        y->e[i] = t->most_e;
        return;
    case MEAN:
        y->v[i] = t->sum / t->count;
        y->e[i] = net_bound(y->type, y->v[i], e / t->count + 2 * unit * fabs(y->v[i]));
        return;
    case L2:
        y->v[i] = sqrt(t->sum);
        y->e[i] =
            !(e < INFINITY)
                ? INFINITY
                : net_bound(y->type, y->v[i],
                            fmax(sqrt(t->sum + e) - y->v[i], y->v[i] - sqrt(fmax(0, t->sum - e))) +
                                2 * unit * y->v[i]);
        return;
    default:
        y->v[i] = t->sum;
        y->e[i] = net_bound(y->type, t->sum, k == PRODUCT ? of_product : e);
    }
}

/* A second way over the elements: the greatest is known. */
static void finish_log_sum_exp(const total *t, double sum, net_tensor *y, int64_t i)
{
    const double unit = net_sum_unit(y->type), range = t->most - t->least;
    y->v[i] = t->most + log(sum);
    y->e[i] = net_bound(y->type, y->v[i],
                        t->most_e + net_gamma(y->type, t->count + 8) +
                            8 * unit * (fabs(t->most) + fabs(y->v[i]) + range + 1));
}

bool net_reduce(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    static const kind kinds[] = {SUM,     SUM, MEAN, MEAN,    MOST,       LEAST,
                                 PRODUCT, L1,  L2,   SQUARES, LOG_SUM_EXP};
    const kind k = NET_PICK(n, kinds);
    int64_t axes[NET_RANK], dim[NET_RANK], kept[NET_RANK], index[NET_RANK] = {0};
    bool over[NET_RANK];
    int count = 0, rank = 0;
    const bool keep = net_chance(n, 50), last = net_chance(n, 40);
    for (int a = 0; a < x->rank; a++) {
        over[a] = last ? a >= x->rank - 2 && a > 0 : net_chance(n, 40);
        if (over[a])
            axes[count++] = net_chance(n, 30) ? a - x->rank : a;
        kept[a] = over[a] ? 1 : x->dim[a];
        if (keep || !over[a])
            dim[rank++] = kept[a];
    }
    if (!count || x->n == 0)
        return false;
    const net_tensor *list = net_list(n, count, axes, -1);
    net_tensor *y = net_result(n, n->type, rank, dim);
    net_line(n, "%s = %s <keepdims = %d> (%s, %s)\n", y->name, ops[k], keep, x->name, list->name);
    static total all[NET_ELEMENTS];
    for (int64_t i = 0; i < y->n; i++)
        all[i] =
            (total){.sum = k == PRODUCT, .high = 1, .low = 1, .most = -INFINITY, .least = INFINITY};
    for (int round = 0; round < (k == LOG_SUM_EXP ? 2 : 1); round++)
        for (int64_t i = 0; i < x->n; i++, net_next(x->rank, x->dim, index)) {
            int64_t at[NET_RANK];
            for (int a = 0; a < x->rank; a++)
                at[a] = over[a] ? 0 : index[a];
            const int64_t o = net_at(x->rank, kept, at);
            if (round)
                y->v[o] += exp(x->v[i] - all[o].most);
            else
                take(&all[o], k, x->v[i], x->e[i], y);
        }
    for (int64_t i = 0; i < y->n; i++)
        if (k == LOG_SUM_EXP)
            finish_log_sum_exp(&all[i], y->v[i], y, i);
        else
            finish(&all[i], k, y, i);
    return true;
}

bool net_cumulative_sum(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    const int axis = (int)net_below(n, (uint32_t)x->rank);
    const int64_t length = x->dim[axis], inner = net_count(x->rank - axis - 1, x->dim + axis + 1);
    const bool exclusive = net_chance(n, 40), reverse = net_chance(n, 40);
    if (n->type == NET_F16 && length > 20)
        return false;
    const double told = net_chance(n, 30) ? axis - x->rank : axis;
    const net_tensor *of_axis = net_given(n, NET_I64, 0, NULL, &told, -1);
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = CumSum <exclusive = %d, reverse = %d> (%s, %s)\n", y->name, exclusive,
             reverse, x->name, of_axis->name);
    for (int64_t line = 0; line < (length ? x->n / length : 0); line++) {
        double sum = 0, absolute = 0, e = 0;
        for (int64_t i = 0; i < length; i++) {
            const int64_t at = line / inner * length * inner + line % inner +
                               (reverse ? length - 1 - i : i) * inner;
            const double before = sum,
                         before_e = e + net_gamma(y->type, (double)i) * (absolute + e);
            sum += x->v[at];
            absolute += fabs(x->v[at]);
            e += x->e[at];
            y->v[at] = exclusive ? before : sum;
            y->e[at] = net_bound(
                y->type, y->v[at],
                exclusive ? before_e : e + net_gamma(y->type, (double)i + 1) * (absolute + e));
        }
    }
    return true;
}
