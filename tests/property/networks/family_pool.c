/* SPDX-License-Identifier: Apache-2.0
 * family_pool.c - pools with windows and over whole images. */
#include "net.h"
#include "window.h"

typedef enum kind { MAXIMUM, AVERAGE, NORM } kind;

typedef struct pool {
    window w;
    kind kind;
    int64_t planes; /* of pixels: images times channels */
    int p;          /* of the norm */
    bool with_pads; /* count_include_pad */
} pool;

static void set_norm(net_tensor *y, int64_t i, int p, double sum, double e, double taps)
{
    const double v = p == 1 ? sum : sqrt(sum), most = sum + e, least = sum - e > 0 ? sum - e : 0;
    const double passed = p == 1 ? e : fmax(sqrt(most) - v, v - sqrt(least));
    y->v[i] = v;
    y->e[i] = !(e < INFINITY)
                  ? INFINITY
                  : net_bound(y->type, v, passed + net_gamma(y->type, taps + 4) * (v + passed));
}

/* Elements of X that count for the average: those of the image, or of the padded one. */
static bool is_counted(const pool *c, const int64_t o[3], const int64_t k[3], bool inside)
{
    if (inside || !c->with_pads)
        return inside;
    for (int a = 0; a < 3; a++) {
        const int64_t at = o[a] * c->w.stride[a] + k[a] * c->w.dilation[a] - c->w.before[a];
        if (at < -c->w.before[a] || at >= c->w.in[a] + c->w.after[a])
            return false;
    }
    return true;
}

static void compute(const pool *c, const net_tensor *x, net_tensor *y)
{
    const window *w = &c->w;
    const int64_t plane = net_count(3, w->in), pixels = net_count(3, w->out);
    int64_t i = 0;
    for (int64_t b = 0; b < c->planes; b++) {
        int64_t o[3] = {0};
        for (int64_t p = 0; p < pixels; p++, i++, net_next(3, w->out, o)) {
            double sum = 0, absolute = 0, e = 0, most = -INFINITY, most_e = 0, counted = 0;
            int64_t k[3] = {0}, at[3];
            for (int64_t t = 0; t < w->taps; t++, net_next(3, w->kernel, k)) {
                const bool inside = window_tap(w, o, k, at);
                counted += is_counted(c, o, k, inside);
                if (!inside)
                    continue;
                const int64_t xi = b * plane + net_at(3, w->in, at);
                const double v = x->v[xi], ve = x->e[xi];
                most = fmax(most, v);
                most_e = fmax(most_e, ve);
                absolute += fabs(v);
                sum += c->kind == NORM ? (c->p == 1 ? fabs(v) : v * v) : v;
                e += c->kind == NORM && c->p == 2 ? 2 * fabs(v) * ve + ve * ve : ve;
            }
            if (c->kind == MAXIMUM) {
                y->v[i] = most;
                y->e[i] = most_e;
            } else if (c->kind == NORM) {
                set_norm(y, i, c->p, sum, e, (double)w->taps);
            } else {
                const double count = counted > 0 ? counted : 1;
                y->v[i] = sum / count;
                y->e[i] = net_bound(y->type, y->v[i],
                                    (e + net_gamma(y->type, (double)w->taps + 2) * (absolute + e)) /
                                        count);
            }
        }
    }
}

static bool begin(net *n, pool *c, const net_tensor **x)
{
    *x = net_any(n, 3, 5);
    for (int a = 1; a < (*x)->rank; a++)
        if ((*x)->dim[a] == 0)
            return false;
    *c = (pool){.w = {.axes = (*x)->rank - 2, .in = {1, 1, 1}, .out = {1, 1, 1}}, .p = 2};
    for (int a = 0; a < c->w.axes; a++)
        c->w.in[3 - c->w.axes + a] = (*x)->dim[2 + a];
    c->planes = (*x)->dim[0] * (*x)->dim[1];
    return true;
}

static net_tensor *result(net *n, const pool *c, const net_tensor *x)
{
    int64_t dim[5] = {x->dim[0], x->dim[1]};
    for (int a = 0; a < c->w.axes; a++)
        dim[2 + a] = c->w.out[3 - c->w.axes + a];
    return net_fits(n, x->rank, dim) ? net_result(n, n->type, x->rank, dim) : NULL;
}

bool net_pool(net *n)
{
    static const char *const ops[] = {"MaxPool", "AveragePool", "LpPool"};
    const window_wish wish = {.pool = true, .dilations = true};
    const net_tensor *x;
    pool c;
    if (!begin(n, &c, &x) || !window_draw(n, &c.w, wish))
        return false;
    c.kind = net_chance(n, 45) ? MAXIMUM : net_chance(n, 75) ? AVERAGE : NORM;
    c.p = c.kind == NORM ? (int)net_from(n, 1, 2) : 2;
    c.with_pads = c.kind == AVERAGE && net_chance(n, 40);
    if (c.planes * net_count(3, c.w.out) * c.w.taps > n->work)
        return false;
    net_tensor *y = result(n, &c, x);
    if (!y)
        return false;
    net_line(n, "%s = %s <ceil_mode = %d", y->name, ops[c.kind], c.w.ceil_mode);
    window_write(n, &c.w, wish);
    if (c.kind == NORM)
        net_line(n, ", p = %d", c.p);
    if (c.with_pads)
        net_line(n, ", count_include_pad = 1");
    net_line(n, "> (%s)\n", x->name);
    compute(&c, x, y);
    return true;
}

bool net_global_pool(net *n)
{
    static const char *const ops[] = {"GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"};
    const net_tensor *x;
    pool c;
    if (!begin(n, &c, &x))
        return false;
    c.kind = net_chance(n, 60) ? AVERAGE : net_chance(n, 70) ? MAXIMUM : NORM;
    for (int a = 0; a < 3; a++) {
        c.w.kernel[a] = c.w.in[a];
        c.w.stride[a] = c.w.dilation[a] = 1;
    }
    c.w.taps = net_count(3, c.w.kernel);
    net_tensor *y = result(n, &c, x);
    if (!y)
        return false;
    net_line(n, "%s = %s (%s)\n", y->name, ops[c.kind], x->name);
    compute(&c, x, y);
    return true;
}
