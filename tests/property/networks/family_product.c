/* SPDX-License-Identifier: Apache-2.0
 * family_product.c - MatMul, Gemm, Einsum and Attention. */
#include "net.h"

#include <stdlib.h>
#include <string.h>

typedef struct sum {
    double v, absolute, e;
} sum;

static void add_product(sum *s, double a, double ea, double b, double eb)
{
    s->v += a * b;
    s->absolute += fabs(a * b);
    s->e += fabs(a) * eb + fabs(b) * ea + ea * eb;
}

static double bound(const net_tensor *y, const sum *s, double additions)
{
    return net_bound(y->type, s->v,
                     s->e + net_gamma(y->type, additions) * (s->absolute + s->e) + 1e-42);
}

/* ---- MatMul ---- */

bool net_matmul(net *n)
{
    const net_tensor *a = net_any(n, 2, 4);
    const int rank = a->rank;
    const int64_t rows = a->dim[rank - 2], k = a->dim[rank - 1],
                  columns = net_from(n, 1, net_chance(n, 50) ? 40 : 8);
    int64_t dim[NET_RANK], out[NET_RANK], at[NET_RANK] = {0};
    const int dropped = (int)net_below(n, (uint32_t)rank - 1);
    if (rows == 0 || k == 0)
        return false;
    for (int i = 0; i < rank; i++) {
        dim[i] = i == rank - 2 ? k : i == rank - 1 ? columns : net_chance(n, 50) ? 1 : a->dim[i];
        out[i] = i == rank - 1 ? columns : a->dim[i];
    }
    const bool shared = net_chance(n, 60); /* one matrix for all of a's */
    const int from = shared ? rank - 2 : dropped;
    if (net_count(rank, out) * k > n->work || !net_fits(n, rank, out) ||
        net_count(rank - from, dim + from) > 4000)
        return false;
    const net_tensor *b = net_find(n, n->type, rank - from, dim + from, a);
    if (!b || net_chance(n, 70))
        b = net_weights(n, rank - from, dim + from, 1.5 / sqrt((double)k), rank - from - 1);
    net_tensor *y = net_result(n, n->type, rank, out);
    net_set_unit(n, y, a, b, NULL);
    net_line(n, "%s = MatMul (%s, %s)\n", y->name, a->name, b->name);
    for (int64_t i = 0; i < y->n; i++, net_next(rank, out, at)) {
        int64_t ai[NET_RANK], bi[NET_RANK];
        sum s = {0, 0, 0};
        memcpy(ai, at, sizeof ai);
        for (int d = 0; d < b->rank; d++)
            bi[d] = b->dim[d] == 1 ? 0 : at[rank - b->rank + d];
        for (int64_t p = 0; p < k; p++) {
            ai[rank - 1] = bi[b->rank - 2] = p;
            const int64_t ka = net_at(rank, a->dim, ai), kb = net_at(b->rank, b->dim, bi);
            add_product(&s, a->v[ka], a->e[ka], b->v[kb], b->e[kb]);
        }
        y->v[i] = s.v;
        y->e[i] = bound(y, &s, (double)k);
    }
    return true;
}

/* ---- Gemm ---- */

bool net_gemm(net *n)
{
    static const double factors[] = {1, 1, 1, 1, 1, 1, 0.5, 0.75, -1, 2};
    const net_tensor *a = net_any(n, 2, 2);
    const bool ta = net_chance(n, 20), tb = net_chance(n, 50);
    const int64_t rows = a->dim[ta], k = a->dim[!ta], columns = net_from(n, 1, 40);
    const bool plain = n->quantised && net_chance(n, 60); /* others have no product of codes */
    const double alpha = plain ? 1 : NET_PICK(n, factors), beta = plain ? 1 : NET_PICK(n, factors);
    const int64_t out[2] = {rows, columns}, dim[2] = {tb ? columns : k, tb ? k : columns};
    if (k == 0 || rows == 0 || rows * columns * k > n->work || !net_fits(n, 2, out))
        return false;
    const net_tensor *b = net_weights(n, 2, dim, 1.5 / sqrt((double)k), !tb), *c = NULL;
    if (net_chance(n, 70)) {
        const int64_t of_c[2] = {net_chance(n, 30) ? rows : 1, net_chance(n, 80) ? columns : 1};
        const int from = of_c[0] == 1 && net_chance(n, 70) ? 1 : 0;
        c = from == 1 && of_c[1] == columns ? net_bias(n, a, b, columns)
                                            : net_operand(n, n->type, 2 - from, of_c + from, 1);
    }
    net_tensor *y = net_result(n, n->type, 2, out);
    net_set_unit(n, y, a, b, c);
    net_line(n, "%s = Gemm <alpha = %.2f, beta = %.2f, transA = %d, transB = %d> (%s, %s%s%s)\n",
             y->name, alpha, beta, ta, tb, a->name, b->name, c ? ", " : "", c ? c->name : "");
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t row = i / columns, column = i % columns;
        sum s = {0, 0, 0};
        for (int64_t p = 0; p < k; p++) {
            const int64_t ka = ta ? p * rows + row : row * k + p,
                          kb = tb ? column * k + p : p * columns + column;
            add_product(&s, a->v[ka], a->e[ka], b->v[kb], b->e[kb]);
        }
        s.v *= alpha;
        s.absolute *= fabs(alpha);
        s.e *= fabs(alpha);
        if (c) {
            const int64_t of_row = c->rank == 2 && c->dim[0] > 1 ? row : 0,
                          width = c->dim[c->rank - 1];
            const int64_t kc = of_row * width + (width > 1 ? column : 0);
            add_product(&s, beta, 0, c->v[kc], c->e[kc]);
        }
        y->v[i] = s.v;
        y->e[i] = bound(y, &s, (double)k + 3);
    }
    return true;
}

/* ---- Einsum: axes of x that are summed, batch axes, and new ones of w ---- */

bool net_einsum(net *n)
{
    const net_tensor *x = net_any(n, 2, 4);
    char of_x[8] = "", of_w[8] = "", of_y[8] = "";
    int64_t length[10], dim[NET_RANK], out[NET_RANK], at[10] = {0};
    int letters = x->rank, w_rank = 0, y_rank = 0;
    bool in_y[10];
    if (n->type == NET_BF16) /* Einsum has no such type */
        return false;
    for (int i = 0; i < x->rank; i++) {
        length[i] = x->dim[i];
        of_x[i] = (char)('a' + i);
        const bool is_summed = net_chance(n, 40), in_w = is_summed || net_chance(n, 25);
        in_y[i] = !is_summed;
        if (in_w && w_rank < 4)
            of_w[w_rank++] = of_x[i];
    }
    for (int more = (int)net_from(n, w_rank ? 0 : 1, 2); more > 0 && letters < 6 && w_rank < 5;
         more--) {
        length[letters] = net_from(n, 1, 8);
        in_y[letters] = true;
        of_w[w_rank++] = (char)('a' + letters++);
    }
    for (int i = w_rank; i-- > 1;) {
        const int k = (int)net_below(n, (uint32_t)i + 1);
        const char c = of_w[i];
        of_w[i] = of_w[k];
        of_w[k] = c;
    }
    for (int i = 0; i < letters; i++)
        if (in_y[i])
            of_y[y_rank++] = (char)('a' + i);
    if (net_chance(n, 50) && y_rank > 1) {
        const char c = of_y[0];
        memmove(of_y, of_y + 1, (size_t)y_rank - 1);
        of_y[y_rank - 1] = c;
    }
    for (int i = 0; i < w_rank; i++)
        dim[i] = length[of_w[i] - 'a'];
    for (int i = 0; i < y_rank; i++)
        out[i] = length[of_y[i] - 'a'];
    if (y_rank > 5 || y_rank < 1 || net_count(letters, length) > n->work ||
        !net_fits(n, y_rank, out) || net_count(w_rank, dim) > 3000)
        return false;
    const net_tensor *w = net_operand(n, n->type, w_rank, dim, 1);
    net_tensor *y = net_result(n, n->type, y_rank, out),
               *absolute = net_new(n, NET_F64, y_rank, out);
    net_line(n, "%s = Einsum <equation = \"%s,%s->%s\"> (%s, %s)\n", y->name, of_x, of_w, of_y,
             x->name, w->name);
    int64_t total = net_count(letters, length), additions = y->n ? total / y->n : 0;
    for (int64_t i = 0; i < total; i++, net_next(letters, length, at)) {
        int64_t index[3][NET_RANK];
        const char *const of[] = {of_x, of_w, of_y};
        for (int t = 0; t < 3; t++)
            for (int k = 0; of[t][k]; k++)
                index[t][k] = at[of[t][k] - 'a'];
        const int64_t kx = net_at(x->rank, x->dim, index[0]), kw = net_at(w_rank, dim, index[1]),
                      ky = net_at(y_rank, out, index[2]);
        sum s = {y->v[ky], absolute->v[ky], y->e[ky]};
        add_product(&s, x->v[kx], x->e[kx], w->v[kw], w->e[kw]);
        y->v[ky] = s.v;
        y->e[ky] = s.e;
        absolute->v[ky] = s.absolute;
    }
    for (int64_t i = 0; i < y->n; i++) {
        const sum s = {y->v[i], absolute->v[i], y->e[i]};
        y->e[i] = bound(y, &s, (double)additions);
    }
    return true;
}

/* ---- Attention ---- */

typedef struct attention {
    const net_tensor *q, *k, *v, *mask;
    int64_t queries, keys, width, values, heads, kv_heads;
    double scale, cap;
    bool causal;
} attention;

/* Scores of one query; returns how far they may be off, at most. -INFINITY: not looked at. */
static double scores(const attention *t, const net_tensor *y, int64_t bh, int64_t kv, int64_t i,
                     double *s)
{
    double most = 0;
    for (int64_t j = 0; j < t->keys; j++) {
        sum p = {0, 0, 0};
        for (int64_t d = 0; d < t->width; d++) {
            const int64_t kq = (bh * t->queries + i) * t->width + d,
                          kk = (kv * t->keys + j) * t->width + d;
            add_product(&p, t->q->v[kq], t->q->e[kq], t->k->v[kk], t->k->e[kk]);
        }
        double e = t->scale * (p.e + net_gamma(y->type, (double)t->width + 8) * (p.absolute + p.e));
        s[j] = p.v * t->scale;
        if (t->cap > 0) {
            s[j] = t->cap * tanh(s[j] / t->cap);
            e += 8 * net_sum_unit(y->type) * (fabs(s[j]) + 1);
        }
        if (t->mask) {
            s[j] += t->mask->v[i * t->keys + j];
            e += t->mask->e[i * t->keys + j] + 2 * net_sum_unit(y->type) * (fabs(s[j]) + 4);
        }
        if (t->causal && j > i)
            s[j] = -INFINITY;
        else
            most = fmax(most, e < INFINITY ? e : INFINITY);
    }
    return most;
}

static void attend(const attention *t, net_tensor *y, int64_t bh, int64_t kv, int64_t i, double *s)
{
    const double e = scores(t, y, bh, kv, i, s);
    double most = -INFINITY, least = INFINITY, sum_p = 0;
    for (int64_t j = 0; j < t->keys; j++) {
        most = fmax(most, s[j]);
        least = s[j] > -INFINITY ? fmin(least, s[j]) : least;
    }
    for (int64_t j = 0; j < t->keys; j++)
        sum_p += s[j] = exp(s[j] - most);
    const double relative =
        expm1(2 * (e + 4 * net_sum_unit(y->type) * (most - least + fabs(most) + 1))) +
        net_gamma(y->type, 2 * (double)t->keys + 12);
    for (int64_t d = 0; d < t->values; d++) {
        double v = 0, absolute = 0, passed = 0;
        for (int64_t j = 0; j < t->keys; j++) {
            const int64_t at = (kv * t->keys + j) * t->values + d;
            const double p = s[j] / sum_p;
            if (p == 0)
                continue;
            v += p * t->v->v[at];
            absolute += p * fabs(t->v->v[at]);
            passed += p * t->v->e[at];
        }
        const int64_t at = (bh * t->queries + i) * t->values + d;
        y->v[at] = v;
        y->e[at] = net_bound(y->type, v, passed + relative * (absolute + passed) + 1e-36);
    }
}

bool net_attention(net *n)
{
    const net_tensor *q = net_any(n, 4, 4);
    for (int a = 0; a < 4; a++)
        if (q->dim[a] == 0)
            return false;
    attention t = {.q = q, .heads = q->dim[1], .queries = q->dim[2], .width = q->dim[3]};
    const int64_t batch = q->dim[0], sharing = net_chance(n, 30) && t.heads % 2 == 0 ? 2 : 1;
    t.keys = net_chance(n, 50) ? t.queries : net_from(n, 1, 20);
    t.values = net_chance(n, 70) ? t.width : net_from(n, 1, 12);
    t.kv_heads = t.heads / sharing;
    t.causal = net_chance(n, 30);
    t.cap = net_chance(n, 15) ? 2 : 0;
    const bool given_scale = net_chance(n, 30);
    t.scale = given_scale ? 0.25 : 1 / sqrt((double)t.width);
    const int64_t of_k[4] = {batch, t.kv_heads, t.keys, t.width},
                  of_v[4] = {batch, t.kv_heads, t.keys, t.values};
    const int64_t out[4] = {batch, t.heads, t.queries, t.values}, of_mask[2] = {t.queries, t.keys};
    if (batch * t.heads * t.queries * t.keys * (t.width + t.values) > n->work ||
        !net_fits(n, 4, out) || net_count(4, of_k) > 4000 || net_count(4, of_v) > 4000)
        return false;
    t.k = net_chance(n, 30) ? net_find(n, n->type, 4, of_k, NULL) : NULL;
    t.k = t.k ? t.k : net_operand(n, n->type, 4, of_k, 1);
    t.v = net_operand(n, n->type, 4, of_v, 1);
    t.mask = net_chance(n, 30) ? net_operand(n, n->type, 2, of_mask, 2) : NULL;
    net_tensor *y = net_result(n, n->type, 4, out);
    net_line(n, "%s = Attention <is_causal = %d", y->name, t.causal);
    if (given_scale)
        net_line(n, ", scale = 0.25");
    if (t.cap > 0)
        net_line(n, ", softcap = 2.0");
    net_line(n, "> (%s, %s, %s%s%s)\n", q->name, t.k->name, t.v->name, t.mask ? ", " : "",
             t.mask ? t.mask->name : "");
    double *s = net_new(n, NET_F64, 1, &t.keys)->v;
    for (int64_t bh = 0; bh < batch * t.heads; bh++)
        for (int64_t i = 0; i < t.queries; i++)
            attend(&t, y, bh, bh / t.heads * t.kv_heads + bh % t.heads / sharing, i, s);
    return true;
}
