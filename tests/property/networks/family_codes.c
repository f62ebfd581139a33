/* SPDX-License-Identifier: Apache-2.0
 * family_codes.c - products of codes: QLinearConv, QLinearMatMul, ConvInteger, MatMulInteger. */
#include "family_conv.h"
#include "net.h"

#include <string.h>

/* Codes that are an input or a result of a network's node. */
static const net_tensor *draw_codes(net *n, int least_rank, int most_rank)
{
    for (int i = n->n_values; i-- > 0;) {
        const net_tensor *t = &n->value[i];
        if (*t->name && !t->is_operand && (t->type == NET_I8 || t->type == NET_U8) &&
            t->rank >= least_rank && t->rank <= most_rank && net_chance(n, 70))
            return t;
    }
    const net_tensor *like = net_any(n, least_rank, most_rank);
    net_tensor *t = net_operand(n, net_chance(n, 50) ? NET_U8 : NET_I8, like->rank, like->dim, 1);
    t->is_operand = t->is_constant = false;
    t->is_input = true;
    return t;
}

static net_tensor *scalar(net *n, net_type type, double v)
{
    return net_given(n, type, 0, NULL, &v, net_chance(n, 85));
}

/* A zero point: one for all, or one for each of count output channels. */
static net_tensor *draw_zero(net *n, net_type type, int64_t count)
{
    net_tensor *t = net_operand(n, type, count > 1, &count, 1);
    if (net_chance(n, 40))
        memset(t->v, 0, (size_t)t->n * sizeof *t->v);
    return t;
}

/* Codes less their zero points, as doubles. */
static net_tensor *centred(net *n, const net_tensor *x, const net_tensor *zero, int axis)
{
    net_tensor *t = net_new(n, NET_F64, x->rank, x->dim);
    const int64_t inner = x->rank ? net_count(x->rank - axis - 1, x->dim + axis + 1) : 1;
    for (int64_t i = 0; i < x->n; i++) {
        t->v[i] = x->v[i] - (zero ? zero->v[zero->n == 1 ? 0 : i / inner % x->dim[axis]] : 0);
        t->e[i] = x->e[i];
    }
    return t;
}

typedef struct output {
    const net_tensor *x_scale, *x_zero, *w_scale, *w_zero, *y_scale, *y_zero;
} output;

static void draw_output(net *n, output *o, const net_tensor *x, net_type w_type, int64_t channels,
                        int64_t sums)
{
    static const double scales[] = {0.01, 0.0078125, 0.033, 0.02};
    o->x_scale = scalar(n, NET_F32, net_round(NET_F32, NET_PICK(n, scales)));
    o->x_zero = draw_zero(n, x->type, 1);
    const int64_t count = net_chance(n, 50) ? channels : 1;
    net_tensor *s = net_operand(n, NET_F32, count > 1, &count, 1);
    for (int64_t i = 0; i < s->n; i++)
        s->v[i] = net_round(NET_F32, 0.01 * (0.25 + fabs(s->v[i])));
    o->w_scale = s;
    o->w_zero =
        net_chance(n, 60) || count == 1 ? draw_zero(n, w_type, 1) : draw_zero(n, w_type, count);
    if (o->w_zero->n != o->w_scale->n)
        o->w_zero = draw_zero(n, w_type, count);
    o->y_scale =
        scalar(n, NET_F32,
               net_round(NET_F32, 0.01 * sqrt((double)sums) * (0.5 + net_below(n, 100) / 100.0)));
    o->y_zero = draw_zero(n, net_chance(n, 50) ? NET_U8 : NET_I8, 1);
}

/* The codes of exact sums whose bounds are those of their operands' codes. */
static void set_codes(net_tensor *y, const net_tensor *sums, const output *o, int axis)
{
    const int64_t inner = net_count(y->rank - axis - 1, y->dim + axis + 1);
    for (int64_t i = 0; i < y->n; i++) {
        const double ws = o->w_scale->v[o->w_scale->n == 1 ? 0 : i / inner % y->dim[axis]];
        const double factor = o->x_scale->v[0] * ws / o->y_scale->v[0], x = sums->v[i] * factor;
        net_set_code(y, i, x, sums->e[i] * factor + 6 * 0x1p-24 * (fabs(x) + sums->e[i] * factor),
                     o->y_zero->v[0]);
    }
}

/* Bounds of sums without roundings: double holds them exactly. */
static void without_rounding(net_tensor *sums)
{
    for (int64_t i = 0; i < sums->n; i++)
        sums->e[i] = sums->e[i] < 0.5 ? 0 : sums->e[i];
}

static bool draw_conv(net *n, conv *c, const net_tensor **x, net_tensor **w, net_type w_type)
{
    const window_wish wish = {.dilations = true};
    *x = draw_codes(n, 3, 5);
    if (!conv_draw(n, c, *x, wish))
        return false;
    int64_t dim[5], out[5];
    conv_dims(c, false, dim, out);
    *w = net_operand(n, w_type, c->w.axes + 2, dim, 1);
    return true;
}

static net_tensor *compute_conv(net *n, conv *c, const net_tensor *x, const net_tensor *x_zero,
                                const net_tensor *w, const net_tensor *w_zero,
                                const net_tensor *bias)
{
    int64_t dim[5], out[5];
    conv_dims(c, false, dim, out);
    c->x = centred(n, x, x_zero, 1);
    c->weights = centred(n, w, w_zero, 0);
    c->bias = bias;
    c->y = net_new(n, NET_F64, c->w.axes + 2, out);
    conv_compute(n, c);
    without_rounding(c->y);
    return c->y;
}

bool net_qlinear_conv(net *n)
{
    if (!n->quantised)
        return false;
    const net_tensor *x;
    net_tensor *w, *bias = NULL;
    conv c;
    if (!draw_conv(n, &c, &x, &w, net_chance(n, 70) ? NET_I8 : NET_U8))
        return false;
    const int64_t channels = c.groups * c.out;
    output o;
    draw_output(n, &o, x, w->type, channels, c.in * c.w.taps);
    if (net_chance(n, 50))
        bias = net_operand(n, NET_I32, 1, &channels, 5000);
    net_tensor *sums = compute_conv(n, &c, x, o.x_zero, w, o.w_zero, bias);
    net_tensor *y = net_result(n, o.y_zero->type, sums->rank, sums->dim);
    set_codes(y, sums, &o, 1);
    net_line(n, "%s = QLinearConv <group = %lld", y->name, (long long)c.groups);
    window_write(n, &c.w, (window_wish){.dilations = true});
    net_line(n, "> (%s, %s, %s, %s, %s, %s, %s, %s%s%s)\n", x->name, o.x_scale->name,
             o.x_zero->name, w->name, o.w_scale->name, o.w_zero->name, o.y_scale->name,
             o.y_zero->name, bias ? ", " : "", bias ? bias->name : "");
    return true;
}

/* The exact product of two matrices of codes, in a's leading axes. */
static net_tensor *multiply(net *n, const net_tensor *a, const net_tensor *b)
{
    int64_t dim[NET_RANK];
    memcpy(dim, a->dim, sizeof dim);
    const int64_t k = a->dim[a->rank - 1], columns = dim[a->rank - 1] = b->dim[1];
    net_tensor *y = net_new(n, NET_F64, a->rank, dim);
    for (int64_t i = 0; i < y->n; i++)
        for (int64_t p = 0; p < k; p++) {
            const int64_t ai = i / columns * k + p, bi = p * columns + i % columns;
            y->v[i] += a->v[ai] * b->v[bi];
            y->e[i] += fabs(a->v[ai]) * b->e[bi] + fabs(b->v[bi]) * a->e[ai] + a->e[ai] * b->e[bi];
        }
    return y;
}

static net_tensor *draw_matrix(net *n, const net_tensor *a)
{
    const int64_t dim[2] = {a->dim[a->rank - 1], net_from(n, 1, 40)};
    if (dim[0] < 1 || a->n * dim[1] > n->work)
        return NULL;
    return net_operand(n, net_chance(n, 60) ? NET_I8 : NET_U8, 2, dim, 1);
}

bool net_qlinear_matmul(net *n)
{
    if (!n->quantised)
        return false;
    const net_tensor *a = draw_codes(n, 2, 4);
    net_tensor *b = draw_matrix(n, a);
    if (!b)
        return false;
    output o;
    draw_output(n, &o, a, b->type, b->dim[1], b->dim[0]);
    net_tensor *sums = multiply(n, centred(n, a, o.x_zero, 0), centred(n, b, o.w_zero, 1));
    if (!net_fits(n, sums->rank, sums->dim))
        return false;
    net_tensor *y = net_result(n, o.y_zero->type, sums->rank, sums->dim);
    set_codes(y, sums, &o, y->rank - 1);
    net_line(n, "%s = QLinearMatMul (%s, %s, %s, %s, %s, %s, %s, %s)\n", y->name, a->name,
             o.x_scale->name, o.x_zero->name, b->name, o.w_scale->name, o.w_zero->name,
             o.y_scale->name, o.y_zero->name);
    return true;
}

/* ConvInteger or MatMulInteger, and a Cast of their int32. */
bool net_integer_product(net *n)
{
    if (!n->quantised || n->type != NET_F32)
        return false;
    const bool is_conv = net_chance(n, 50), zeros = net_chance(n, 70);
    const net_tensor *x, *sums, *x_zero = NULL, *w_zero = NULL;
    net_tensor *w;
    conv c = {.groups = 1};
    if (is_conv ? !draw_conv(n, &c, &x, &w, net_chance(n, 50) ? NET_I8 : NET_U8)
                : !(w = draw_matrix(n, x = draw_codes(n, 2, 4))))
        return false;
    if (zeros) {
        x_zero = draw_zero(n, x->type, 1);
        w_zero = draw_zero(n, w->type, is_conv || net_chance(n, 50) ? 1 : w->dim[1]);
    }
    sums = is_conv ? compute_conv(n, &c, x, x_zero, w, w_zero, NULL)
                   : multiply(n, centred(n, x, x_zero, 0), centred(n, w, w_zero, 1));
    if (!net_fits(n, sums->rank, sums->dim))
        return false;
    net_tensor *whole = net_result(n, NET_I32, sums->rank, sums->dim),
               *y = net_result(n, NET_F32, sums->rank, sums->dim);
    for (int64_t i = 0; i < y->n; i++) {
        whole->v[i] = y->v[i] = sums->v[i];
        whole->e[i] = sums->e[i];
        y->e[i] = net_bound(NET_F32, y->v[i], sums->e[i]);
    }
    net_line(n, "%s = %s", whole->name, is_conv ? "ConvInteger <group = " : "MatMulInteger ");
    if (is_conv) {
        net_line(n, "%lld", (long long)c.groups);
        window_write(n, &c.w, (window_wish){.dilations = true});
        net_line(n, "> ");
    }
    net_line(n, "(%s, %s%s%s%s%s)\n%s = Cast <to = 1> (%s)\n", x->name, w->name, zeros ? ", " : "",
             zeros ? x_zero->name : "", zeros ? ", " : "", zeros ? w_zero->name : "", y->name,
             whole->name);
    return true;
}
