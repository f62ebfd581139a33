/* SPDX-License-Identifier: Apache-2.0
 * family_conv.c - Conv and ConvTranspose. */
#include "family_conv.h"
#include "net.h"

/* Channels of a group, in and out; few combinations are as likely as those for which kernels exist.
 */
static int64_t draw_channels(net *n)
{
    static const int64_t usual[] = {1, 1, 2, 4, 8, 8, 16, 16, 32};
    return net_chance(n, 60) ? NET_PICK(n, usual) : net_from(n, 1, 40);
}

/* Channels of a group are most often a size for which kernels exist, where it divides all channels.
 */
static int64_t draw_groups(net *n, int64_t channels)
{
    static const int64_t sizes[] = {1, 1, 2, 4, 8, 8, 16};
    if (net_chance(n, 45))
        return 1;
    for (int i = 0; i < 4; i++) {
        const int64_t size = net_chance(n, 75) ? NET_PICK(n, sizes) : net_from(n, 1, channels);
        if (channels % size == 0)
            return channels / size;
    }
    return channels;
}

/* What a convolution adds up for one output element: products, their absolute values, and what the
 * operands' bounds make of them. */
typedef struct sum {
    double v, absolute, e;
} sum;

static inline void add_product(sum *s, double a, double ea, double b, double eb)
{
    s->v += a * b;
    s->absolute += fabs(a * b);
    s->e += fabs(a) * eb + fabs(b) * ea + ea * eb;
}

static void set(net_tensor *y, int64_t i, const sum *s, double additions)
{
    y->v[i] = s->v;
    y->e[i] = net_bound(y->type, s->v,
                        s->e + net_gamma(y->type, additions) * (s->absolute + s->e) + 1e-42);
}

/* Of Winograd's algorithm F(4 x 4, 3 x 3): its results are sums of 36 products of transformed
 * pixels and weights; README.md derives the factor. It may serve where the kernel is 3 x 3 and each
 * step is 1. */
enum { WINOGRAD = 2304 };
static bool may_be_winograd(const net *n, const conv *c)
{
    const window *w = &c->w;
    return !n->exact_conv && n->type != NET_F64 && w->axes == 2 && w->kernel[1] == 3 &&
           w->kernel[2] == 3 && w->stride[1] == 1 && w->stride[2] == 1 && w->dilation[1] == 1 &&
           w->dilation[2] == 1 && c->groups == 1 && c->in >= 16 && c->out >= 16;
}

/* The greatest absolute values of each channel's pixels times those of its weights. */
static double winograd_error(const conv *c, int64_t b, int64_t m)
{
    const int64_t plane = net_count(3, c->w.in);
    double most = 0;
    for (int64_t i = 0; i < c->in; i++) {
        double pixel = 0, weight = 0;
        for (int64_t p = 0; p < plane; p++) {
            const int64_t at = (b * c->in + i) * plane + p;
            pixel = fmax(pixel, fabs(c->x->v[at]) + c->x->e[at]);
        }
        for (int64_t k = 0; k < c->w.taps; k++) {
            const int64_t at = (m * c->in + i) * c->w.taps + k;
            weight = fmax(weight, fabs(c->weights->v[at]) + c->weights->e[at]);
        }
        most += pixel * weight;
    }
    return WINOGRAD * net_gamma(c->y->type, (double)c->in + 20) * most;
}

void conv_compute(const net *n, const conv *c)
{
    const window *w = &c->w;
    const int64_t plane = net_count(3, w->in), pixels = net_count(3, w->out),
                  all_in = c->in * c->groups;
    const bool winograd = may_be_winograd(n, c);
    int64_t i = 0;
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t m = 0; m < c->out * c->groups; m++) {
            const double more = winograd ? winograd_error(c, b, m) : 0;
            int64_t o[3] = {0};
            for (int64_t p = 0; p < pixels; p++, net_next(3, w->out, o)) {
                sum s = {c->bias ? c->bias->v[m] : 0, c->bias ? fabs(c->bias->v[m]) : 0,
                         (c->bias ? c->bias->e[m] : 0) + more};
                int64_t k[3] = {0}, at[3];
                for (int64_t t = 0; t < w->taps; t++, net_next(3, w->kernel, k)) {
                    if (!window_tap(w, o, k, at))
                        continue;
                    const int64_t pixel = net_at(3, w->in, at);
                    for (int64_t g = 0; g < c->in; g++) {
                        const int64_t xi = (b * all_in + m / c->out * c->in + g) * plane + pixel;
                        const int64_t wi = (m * c->in + g) * w->taps + t;
                        add_product(&s, c->x->v[xi], c->x->e[xi], c->weights->v[wi],
                                    c->weights->e[wi]);
                    }
                }
                set(c->y, i++, &s, (double)(w->taps * c->in));
            }
        }
}

/* y[o] is the sum over inputs i and taps k with o = i * stride + k * dilation - before. */
static bool transposed_tap(const window *w, const int64_t o[3], const int64_t k[3], int64_t at[3])
{
    for (int a = 0; a < 3; a++) {
        const int64_t far = o[a] + w->before[a] - k[a] * w->dilation[a];
        if (far < 0 || far % w->stride[a] || far / w->stride[a] >= w->in[a])
            return false;
        at[a] = far / w->stride[a];
    }
    return true;
}

static void compute_conv_transpose(const conv *c)
{
    const window *w = &c->w;
    const int64_t plane = net_count(3, w->in), pixels = net_count(3, w->out),
                  all_in = c->in * c->groups;
    int64_t i = 0;
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t m = 0; m < c->out * c->groups; m++) {
            int64_t o[3] = {0};
            for (int64_t p = 0; p < pixels; p++, net_next(3, w->out, o)) {
                sum s = {c->bias ? c->bias->v[m] : 0, c->bias ? fabs(c->bias->v[m]) : 0,
                         c->bias ? c->bias->e[m] : 0};
                int64_t k[3] = {0}, at[3];
                for (int64_t t = 0; t < w->taps; t++, net_next(3, w->kernel, k)) {
                    if (!transposed_tap(w, o, k, at))
                        continue;
                    const int64_t pixel = net_at(3, w->in, at);
                    for (int64_t g = 0; g < c->in; g++) {
                        const int64_t channel = m / c->out * c->in + g;
                        const int64_t xi = (b * all_in + channel) * plane + pixel;
                        const int64_t wi = (channel * c->out + m % c->out) * w->taps + t;
                        add_product(&s, c->x->v[xi], c->x->e[xi], c->weights->v[wi],
                                    c->weights->e[wi]);
                    }
                }
                set(c->y, i++, &s, (double)(w->taps * c->in));
            }
        }
}

bool conv_draw(net *n, conv *c, const net_tensor *x, window_wish wish)
{
    *c = (conv){.x = x, .batch = x->dim[0], .w = {.axes = x->rank - 2, .in = {1, 1, 1}}};
    for (int a = 0; a < c->w.axes; a++)
        c->w.in[3 - c->w.axes + a] = x->dim[2 + a];
    for (int a = 0; a < x->rank; a++)
        if (a > 0 && x->dim[a] == 0)
            return false;
    c->groups = draw_groups(n, x->dim[1]);
    c->in = x->dim[1] / c->groups;
    c->out = net_chance(n, 40) ? c->in : draw_channels(n);
    if (c->groups > 1 && c->out * c->groups > 80)
        c->out = 1;
    if (!window_draw(n, &c->w, wish))
        return false;
    int64_t dim[5] = {c->batch, c->groups * c->out};
    for (int a = 0; a < c->w.axes; a++)
        dim[2 + a] = c->w.out[3 - c->w.axes + a];
    const int64_t products = net_count(c->w.axes, wish.transposed ? x->dim + 2 : dim + 2) *
                             c->batch * c->groups * c->out * c->in * c->w.taps;
    return products <= n->work && c->groups * c->out * c->in * c->w.taps <= 5000 &&
           net_fits(n, c->w.axes + 2, dim);
}

void conv_dims(const conv *c, bool transposed, int64_t weights[5], int64_t y[5])
{
    const int from = 3 - c->w.axes;
    weights[0] = c->groups * (transposed ? c->in : c->out);
    weights[1] = transposed ? c->out : c->in;
    y[0] = c->batch;
    y[1] = c->groups * c->out;
    for (int a = 0; a < c->w.axes; a++) {
        weights[2 + a] = c->w.kernel[from + a];
        y[2 + a] = c->w.out[from + a];
    }
}

static void finish(net *n, conv *c, const char *op, window_wish wish)
{
    const int rank = c->w.axes + 2;
    int64_t dim[5], out[5];
    conv_dims(c, wish.transposed, dim, out);
    c->weights =
        net_weights(n, rank, dim, 1.5 / sqrt((double)(c->in * c->w.taps)), wish.transposed ? 1 : 0);
    if (net_chance(n, 60))
        c->bias = net_bias(n, c->x, c->weights, c->groups * c->out);
    c->y = net_result(n, n->type, rank, out);
    net_set_unit(n, c->y, c->x, c->weights, c->bias);
    net_line(n, "%s = %s <group = %lld", c->y->name, op, (long long)c->groups);
    window_write(n, &c->w, wish);
    net_line(n, "> (%s, %s%s%s)\n", c->x->name, c->weights->name, c->bias ? ", " : "",
             c->bias ? c->bias->name : "");
}

bool net_conv(net *n)
{
    const window_wish wish = {.dilations = true};
    conv c;
    if (!conv_draw(n, &c, net_any(n, 3, 5), wish))
        return false;
    finish(n, &c, "Conv", wish);
    conv_compute(n, &c);
    return true;
}

bool net_conv_transpose(net *n)
{
    const window_wish wish = {.transposed = true, .dilations = true};
    conv c;
    if (!conv_draw(n, &c, net_any(n, 3, 5), wish))
        return false;
    finish(n, &c, "ConvTranspose", wish);
    compute_conv_transpose(&c);
    return true;
}
