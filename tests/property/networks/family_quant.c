/* SPDX-License-Identifier: Apache-2.0
 * family_quant.c - QuantizeLinear, DequantizeLinear, and weights that come from codes. */
#include "net.h"

#include <string.h>

static double least_code(net_type type)
{
    return type == NET_I8 ? -128 : 0;
}

static double greatest_code(net_type type)
{
    return type == NET_I8 ? 127 : 255;
}

static double clamp(net_type type, double code)
{
    return fmin(fmax(code, least_code(type)), greatest_code(type));
}

void net_set_code(net_tensor *y, int64_t i, double x, double e, double zero)
{
    y->v[i] = clamp(y->type, rint(x) + zero);
    if (!(e < 1e6)) {
        y->e[i] = INFINITY;
        return;
    }
    const double low = clamp(y->type, rint(x - e) + zero),
                 high = clamp(y->type, rint(x + e) + zero);
    y->e[i] = fmax(high - y->v[i], y->v[i] - low);
}

/* ---- scales and zero points ---- */

/* A tensor of no or of one element means one scale for all. */
static net_tensor *draw_scale(net *n, double size)
{
    const int64_t one = 1;
    const double v = net_round(n->type, size * (0.5 + (double)net_below(n, 1 << 16) / 65536));
    return net_given(n, n->type, net_chance(n, 20), &one, &v, net_chance(n, 92));
}

static net_tensor *draw_zero(net *n, net_type type, int rank, const int64_t *dim)
{
    net_tensor *t = net_operand(n, type, rank, dim, 1);
    const bool all_zero = net_chance(n, 40);
    for (int64_t i = 0; i < t->n; i++)
        t->v[i] = all_zero            ? 0
                  : net_chance(n, 10) ? t->v[i]
                                      : (double)net_from(n, 0, 40) + (type == NET_U8 ? 100 : -20);
    t->is_constant = net_chance(n, 92);
    t->is_input = !t->is_constant;
    return t;
}

static double scale_at(const net_tensor *scale, int64_t axis_index)
{
    return scale->v[scale->n == 1 ? 0 : axis_index];
}

/* Which place on the axis element i of x has. */
static int64_t on_axis(const net_tensor *x, int axis, int64_t i)
{
    return x->rank ? i / net_count(x->rank - axis - 1, x->dim + axis + 1) % x->dim[axis] : 0;
}

/* ---- the two operators ---- */

static void write_axis(net *n, const net_tensor *scale, int axis)
{
    if (scale->n != 1 || net_chance(n, 15))
        net_line(n, "<axis = %d> ", axis);
}

static net_tensor *dequantise(net *n, const net_tensor *x, const net_tensor *scale,
                              const net_tensor *zero, int axis)
{
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = DequantizeLinear ", y->name);
    write_axis(n, scale, x->rank ? axis : 0);
    net_line(n, "(%s, %s%s%s)\n", x->name, scale->name, zero ? ", " : "", zero ? zero->name : "");
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t k = on_axis(x, axis, i);
        const double s = scale_at(scale, k), z = zero ? scale_at(zero, k) : 0;
        y->v[i] = (x->v[i] - z) * s;
        y->e[i] = net_bound(y->type, y->v[i],
                            s * x->e[i] + net_sum_unit(y->type) * (fabs(y->v[i]) + s * x->e[i]));
        y->step = fmax(y->step, s);
    }
    return y;
}

/* Half a unit to which codes round a bias, as long as the code does not move by more than one. */
static double bias_rounding(const net_tensor *x, double scale)
{
    return fmin(x->unit / 2 / scale, 0.5);
}

static net_tensor *quantise(net *n, const net_tensor *x, const net_tensor *scale,
                            const net_tensor *zero, net_type type, int axis)
{
    net_tensor *y = net_result(n, type, x->rank, x->dim);
    net_line(n, "%s = QuantizeLinear ", y->name);
    write_axis(n, scale, x->rank ? axis : 0);
    net_line(n, "(%s, %s%s%s)\n", x->name, scale->name, zero ? ", " : "", zero ? zero->name : "");
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t k = on_axis(x, axis, i);
        const double s = scale_at(scale, k), z = zero ? scale_at(zero, k) : 0, steps = x->v[i] / s;
        const double passed = x->e[i] / s;
        net_set_code(y, i, steps,
                     passed + bias_rounding(x, s) + 4 * net_unit(x->type) * (fabs(steps) + passed),
                     z);
    }
    return y;
}

static double greatest(const net_tensor *x)
{
    double most = 0.01;
    for (int64_t i = 0; i < x->n; i++)
        if (fabs(x->v[i]) < 1000)
            most = fmax(most, fabs(x->v[i]));
    return most;
}

/* The distance of two codes: most often most codes serve; else few of them, or most of x is beyond
 * them. Where a bias of x may be rounded, the distance is at times less than its unit. */
static double draw_step(net *n, const net_tensor *x)
{
    static const double levels[] = {120, 120, 120, 60, 20, 2, 1500, 1500};
    static const double parts[] = {0.03, 0.1, 0.4};
    return x->unit > 0 && net_chance(n, 20) ? x->unit * NET_PICK(n, parts)
                                            : greatest(x) / NET_PICK(n, levels);
}

void net_requantise(net *n, const net_tensor *x)
{
    const bool again = n->scale && net_chance(n, x->unit > 0 ? 10 : 40),
               of_axis = !again && x->rank > 1 && net_chance(n, 10);
    const net_tensor *scale = n->scale, *zero = n->zero;
    const int axis = x->rank > 1 ? 1 : 0;
    if (of_axis) {
        net_tensor *s = net_operand(n, n->type, 1, x->dim + axis, 1);
        for (int64_t i = 0; i < s->n; i++)
            s->v[i] = net_round(n->type, greatest(x) / 100 * (0.25 + fabs(s->v[i])));
        scale = s;
        zero = draw_zero(n, net_chance(n, 60) ? NET_U8 : NET_I8, 1, x->dim + axis);
    } else if (!again) {
        n->scale = scale = draw_scale(n, draw_step(n, x));
        n->zero = zero = draw_zero(n, net_chance(n, 60) ? NET_U8 : NET_I8, scale->rank, scale->dim);
    }
    net_tensor *codes = quantise(n, x, scale, zero, zero->type, axis);
    if (!net_chance(n, 92))
        return;
    const net_tensor *y = dequantise(n, codes, scale, zero, axis);
    if (net_chance(n, 12))
        net_requantise(n, y);
}

/* Draws codes as an input of the graph, in the shape of a value that has least_rank to most_rank
 * axes, and the DequantizeLinear that reads them. */
static void dequantise_input(net *n, int least_rank, int most_rank)
{
    const net_tensor *like = net_any(n, least_rank, most_rank);
    const net_tensor *scale = n->scale = draw_scale(n, 0.01);
    const net_tensor *zero = n->zero =
        draw_zero(n, net_chance(n, 60) ? NET_U8 : NET_I8, scale->rank, scale->dim);
    net_tensor *codes = net_operand(n, zero->type, like->rank, like->dim, 1);
    codes->is_constant = false;
    codes->is_input = true;
    const uint32_t zeros = net_chance(n, 20) ? 90 : 0; /* percent, as ReLU leaves them */
    for (int64_t i = 0; i < codes->n; i++)
        if (net_chance(n, zeros))
            codes->v[i] = zero->v[0];
    dequantise(n, codes, scale, zero, like->rank > 1 ? 1 : 0);
}

bool net_quantise(net *n)
{
    if (!n->quantised)
        return false;
    if (net_chance(n, 60))
        net_requantise(n, net_any(n, 0, 5));
    else
        dequantise_input(n, 0, 5);
    return true;
}

/* An input of codes, its DequantizeLinear, and a Gemm or a Conv of the numbers. Where no window of
 * a Conv fits after some tries, DequantizeLinear stays alone. */
bool net_product_of_codes(net *n)
{
    enum { TRIES = 6 };
    if (!n->quantised)
        return false;
    const bool gemm = net_chance(n, 40);
    dequantise_input(n, gemm ? 2 : 3, gemm ? 2 : 5);
    bool made = false;
    for (int i = 0; !made && i < TRIES; i++)
        made = gemm ? net_gemm(n) : net_conv(n);
    return true;
}

/* ---- weights ---- */

net_tensor *net_weights(net *n, int rank, const int64_t *dim, double size, int axis)
{
    if (!n->quantised || net_chance(n, 15))
        return net_operand(n, n->type, rank, dim, size);
    const bool of_axis = net_chance(n, 50);
    const bool few = net_chance(n, 12); /* codes, far apart */
    const net_type type = few || net_chance(n, 85) ? NET_I8 : NET_U8;
    net_tensor *codes = net_operand(n, type, rank, dim, 1), *scale, *zero = NULL;
    for (int64_t i = 0; few && i < codes->n; i++)
        codes->v[i] = fmod(codes->v[i], 3);
    size /= few ? 2 : 80;
    codes->is_constant = net_chance(n, 92);
    codes->is_input = !codes->is_constant;
    if (of_axis) {
        scale = net_operand(n, n->type, 1, dim + axis, 1);
        for (int64_t i = 0; i < scale->n; i++)
            scale->v[i] = net_round(n->type, size * (0.25 + fabs(scale->v[i])));
        scale->is_constant = true;
        scale->is_input = false;
    } else {
        scale = draw_scale(n, size);
    }
    if (type == NET_U8 || net_chance(n, 40)) {
        zero = draw_zero(n, type, scale->rank, scale->dim);
        for (int64_t i = 0; i < zero->n && type == NET_I8 && net_chance(n, 70); i++)
            zero->v[i] = 0;
    }
    net_tensor *w = dequantise(n, codes, scale, zero, axis);
    w->is_operand = true;
    return w;
}

net_tensor *net_bias(net *n, const net_tensor *x, const net_tensor *weights, int64_t count)
{
    if (!n->quantised || !(x->step > 0) || !(weights->step > 0) || net_chance(n, 50))
        return net_operand(n, n->type, 1, &count, 1);
    net_tensor *codes = net_operand(n, NET_I32, 1, &count, 3000);
    const double unit = net_round(n->type, net_round(n->type, x->step * weights->step));
    if (!(unit > 0))
        return net_operand(n, n->type, 1, &count, 1);
    net_tensor *b = dequantise(n, codes, net_given(n, n->type, 0, NULL, &unit, 1), NULL, 0);
    b->is_operand = true;
    return b;
}

void net_set_unit(const net *n, net_tensor *y, const net_tensor *x, const net_tensor *weights,
                  const net_tensor *bias)
{
    if (!n->exact_codes && bias && x->step > 0 && weights->step > 0)
        y->unit = x->step * weights->step;
}
