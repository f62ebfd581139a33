/* SPDX-License-Identifier: Apache-2.0
 * family_recurrent.c - RNN, GRU and LSTM with their default functions. */
#include "net.h"

#include <string.h>

typedef enum kind { RNN, GRU, LSTM } kind;

/* A number and its bound. */
typedef struct number {
    double v, e;
} number;

typedef struct layer {
    kind kind;
    int64_t steps, batch, in, hidden, gates;
    const net_tensor *x, *w, *r, *b;
    bool linear_before_reset;
    double unit;
} layer;

static number sum(number a, number b, double unit)
{
    const double v = a.v + b.v;
    return (number){v, a.e + b.e + 2 * unit * (fabs(a.v) + fabs(b.v))};
}

static number product(number a, number b, double unit)
{
    const double v = a.v * b.v;
    return (number){v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e + 2 * unit * fabs(v)};
}

static number sigmoid(number a, double unit)
{
    return (number){1 / (1 + exp(-a.v)), a.e / 4 + 4 * unit};
}

static number hyperbolic(number a, double unit)
{
    return (number){tanh(a.v), a.e + 4 * unit};
}

static number other(number a, double unit) /* 1 - a */
{
    return (number){1 - a.v, a.e + unit};
}

/* Row i of the matrix times a vector, of direction d. */
static number row_of(const layer *l, const net_tensor *m, int64_t d, int64_t i,
                     const number *vector, int64_t n)
{
    double v = 0, absolute = 0, e = 0;
    for (int64_t k = 0; k < n; k++) {
        const int64_t at = (d * l->gates * l->hidden + i) * n + k;
        v += m->v[at] * vector[k].v;
        absolute += fabs(m->v[at] * vector[k].v);
        e += fabs(m->v[at]) * vector[k].e + fabs(vector[k].v) * m->e[at] + m->e[at] * vector[k].e;
    }
    return (number){v, e + ((double)n + 4) * 2 * l->unit * (absolute + e)};
}

static number bias_of(const layer *l, int64_t d, int64_t i)
{
    const int64_t at = d * 2 * l->gates * l->hidden + i;
    return l->b ? (number){l->b->v[at], l->b->e[at]} : (number){0, 0};
}

/* W x + b of gate g, unit j, and R h + b. */
static number from_input(const layer *l, int64_t d, int64_t g, int64_t j, const number *x)
{
    const int64_t i = g * l->hidden + j;
    return sum(row_of(l, l->w, d, i, x, l->in), bias_of(l, d, i), l->unit);
}

static number from_state(const layer *l, int64_t d, int64_t g, int64_t j, const number *h)
{
    const int64_t i = g * l->hidden + j;
    return sum(row_of(l, l->r, d, i, h, l->hidden), bias_of(l, d, l->gates * l->hidden + i),
               l->unit);
}

static number gate(const layer *l, int64_t d, int64_t g, int64_t j, const number *x,
                   const number *h)
{
    return sum(from_input(l, d, g, j, x), from_state(l, d, g, j, h), l->unit);
}

enum { MOST = 24 };

static void step(const layer *l, int64_t d, const number *x, number h[MOST], number c[MOST])
{
    number next[MOST] = {{0, 0}}, reset[MOST];
    const double u = l->unit;
    for (int64_t j = 0; j < l->hidden && l->kind == GRU; j++)
        reset[j] = product(sigmoid(gate(l, d, 1, j, x, h), u), h[j], u);
    for (int64_t j = 0; j < l->hidden; j++) {
        if (l->kind == RNN) {
            next[j] = hyperbolic(gate(l, d, 0, j, x, h), u);
        } else if (l->kind == GRU) {
            const number z = sigmoid(gate(l, d, 0, j, x, h), u),
                         r = sigmoid(gate(l, d, 1, j, x, h), u);
            const number state = l->linear_before_reset ? product(r, from_state(l, d, 2, j, h), u)
                                                        : from_state(l, d, 2, j, reset);
            const number content = hyperbolic(sum(from_input(l, d, 2, j, x), state, u), u);
            next[j] = sum(product(other(z, u), content, u), product(z, h[j], u), u);
        } else { /* gates in the order i, o, f, c */
            const number i = sigmoid(gate(l, d, 0, j, x, h), u),
                         o = sigmoid(gate(l, d, 1, j, x, h), u);
            const number f = sigmoid(gate(l, d, 2, j, x, h), u),
                         content = hyperbolic(gate(l, d, 3, j, x, h), u);
            c[j] = sum(product(f, c[j], u), product(i, content, u), u);
            next[j] = product(o, hyperbolic(c[j], u), u);
        }
    }
    memcpy(h, next, sizeof next);
}

static void set(net_tensor *y, int64_t i, number a)
{
    y->v[i] = a.v;
    y->e[i] = net_bound(y->type, a.v, a.e);
}

static void run(const layer *l, int64_t d, int64_t directions, bool backward, int64_t b,
                net_tensor *y, net_tensor *last, net_tensor *cell)
{
    number h[MOST] = {{0, 0}}, c[MOST] = {{0, 0}}, x[64];
    for (int64_t s = 0; s < l->steps; s++) {
        const int64_t t = backward ? l->steps - 1 - s : s;
        for (int64_t k = 0; k < l->in; k++)
            x[k] = (number){l->x->v[(t * l->batch + b) * l->in + k],
                            l->x->e[(t * l->batch + b) * l->in + k]};
        step(l, d, x, h, c);
        for (int64_t j = 0; j < l->hidden; j++)
            set(y, ((t * directions + d) * l->batch + b) * l->hidden + j, h[j]);
    }
    for (int64_t j = 0; j < l->hidden; j++) {
        set(last, (d * l->batch + b) * l->hidden + j, h[j]);
        if (cell)
            set(cell, (d * l->batch + b) * l->hidden + j, c[j]);
    }
}

bool net_recurrent(net *n)
{
    static const char *const ops[] = {"RNN", "GRU", "LSTM"};
    static const char *const words[] = {"forward", "reverse", "bidirectional"};
    if (n->type == NET_BF16) /* until version 22 */
        return false;
    const net_tensor *x = net_any(n, 3, 3);
    layer l = {.kind = (kind)net_below(n, 3),
               .steps = x->dim[0],
               .batch = x->dim[1],
               .in = x->dim[2],
               .x = x};
    const uint32_t word = net_below(n, 3);
    const int64_t directions = word == 2 ? 2 : 1;
    l.hidden = net_from(n, 1, 20);
    l.gates = l.kind == RNN ? 1 : l.kind == GRU ? 3 : 4;
    l.linear_before_reset = l.kind == GRU && net_chance(n, 50);
    l.unit = net_sum_unit(n->type) + 0x1p-53;
    const int64_t of_w[3] = {directions, l.gates * l.hidden, l.in},
                  of_r[3] = {directions, l.gates * l.hidden, l.hidden};
    const int64_t of_b[2] = {directions, 2 * l.gates * l.hidden},
                  of_y[4] = {l.steps, directions, l.batch, l.hidden};
    if (x->n == 0 || l.in > 64 || l.steps * l.batch * net_count(3, of_r) * 8 > 4 * n->work ||
        !net_fits(n, 4, of_y) || l.steps * l.batch * net_count(3, of_w) * 4 > 4 * n->work ||
        net_count(3, of_w) > 3000)
        return false;
    l.w = net_operand(n, n->type, 3, of_w, 1 / sqrt((double)l.in));
    l.r = net_operand(n, n->type, 3, of_r, 1 / sqrt((double)l.hidden));
    l.b = net_chance(n, 60) ? net_operand(n, n->type, 2, of_b, 0.5) : NULL;
    net_tensor *y = net_result(n, n->type, 4, of_y), *last = net_result(n, n->type, 3, of_y + 1),
               *cell = NULL;
    if (l.kind == LSTM)
        cell = net_result(n, n->type, 3, of_y + 1);
    net_line(n, "%s, %s%s%s = %s <hidden_size = %d, direction = \"%s\"", y->name, last->name,
             cell ? ", " : "", cell ? cell->name : "", ops[l.kind], (int)l.hidden, words[word]);
    if (l.linear_before_reset)
        net_line(n, ", linear_before_reset = 1");
    net_line(n, "> (%s, %s, %s%s%s)\n", x->name, l.w->name, l.r->name, l.b ? ", " : "",
             l.b ? l.b->name : "");
    for (int64_t d = 0; d < directions; d++)
        for (int64_t b = 0; b < l.batch; b++)
            run(&l, d, directions, word == 1 || d == 1, b, y, last, cell);
    return true;
}
