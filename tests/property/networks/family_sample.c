/* SPDX-License-Identifier: Apache-2.0
 * family_sample.c - GridSample, RoiAlign and DeformConv: pixels at positions that are computed. */
#include "net.h"
#include "window.h"

#include <string.h>

/* The pixels of a channel; axes of length 1 come first where there are fewer than three. */
typedef struct plane {
    const double *v;
    int64_t n[3];
    double range,
        most_e; /* the greatest difference of two pixels, or of one and 0; the greatest bound */
} plane;

static plane plane_of(const net_tensor *x, int64_t which, int axes)
{
    plane p = {.n = {1, 1, 1}};
    for (int a = 0; a < axes; a++)
        p.n[3 - axes + a] = x->dim[2 + a];
    const int64_t count = net_count(3, p.n);
    double most = 0, least = 0;
    p.v = x->v + which * count;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, p.v[i]);
        least = fmin(least, p.v[i]);
        p.most_e =
            x->e[which * count + i] < INFINITY ? fmax(p.most_e, x->e[which * count + i]) : INFINITY;
    }
    p.range = most - least;
    return p;
}

static double pixel(const plane *p, const int64_t at[3])
{
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= p->n[a])
            return 0;
    return p->v[net_at(3, p->n, at)];
}

/* Linear between the pixels around a position; those outside are 0. */
static double linear(const plane *p, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        int64_t at[3];
        double w = 1;
        for (int a = 0; a < 3; a++) {
            const double base = floor(x[a]);
            at[a] = (int64_t)base + (k >> a & 1);
            w *= k >> a & 1 ? x[a] - base : 1 - (x[a] - base);
        }
        sum += w == 0 ? 0 : w * pixel(p, at);
    }
    return sum;
}

/* ---- GridSample ---- */

typedef struct grid {
    int axes, mode, padding; /* 0 linear, 1 nearest, 2 cubic; 0 zeros, 1 border, 2 reflection */
    bool align;
} grid;

static double reflect(double x, int64_t n, bool align)
{
    const double low = align ? 0 : -0.5, high = align ? (double)n - 1 : (double)n - 0.5,
                 span = high - low;
    if (span <= 0)
        return 0;
    const double far = fmod(fabs(x - low), 2 * span);
    return low + (far > span ? 2 * span - far : far);
}

static double into(const grid *g, double x, int64_t n)
{
    if (g->padding == 2)
        x = reflect(x, n, g->align);
    return g->padding ? fmin(fmax(x, 0), (double)n - 1) : x;
}

static double cubic(const grid *g, const plane *p, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        int64_t at[3] = {0, 0, 0};
        double w = 1;
        for (int a = 1; a < 3; a++) {
            const double base = floor(x[a]), i = base + (a == 1 ? k / 4 : k % 4) - 1;
            w *= net_cubic_weight(x[a] - i);
            at[a] = (int64_t)into(g, i, p->n[a]);
        }
        sum += w * pixel(p, at);
    }
    return sum;
}

/* One element; off: by how much each coordinate may be. */
static void sample(const grid *g, const plane *p, double x[3], const double off[3], double *v,
                   double *e)
{
    *e = p->most_e * (g->mode == 2 ? 2.5 : 1);
    for (int a = 3 - g->axes; a < 3; a++) {
        const double part = x[a] - floor(x[a]);
        if (g->mode == 1)
            *e += fabs(part - 0.5) <= off[a] || off[a] > 0.5 ? p->range + p->most_e : 0;
        else
            *e += p->range * off[a] * (g->mode == 2 ? 8 : 1);
    }
    for (int a = 3 - g->axes; a < 3; a++)
        if (g->mode != 2) {
            const double before = x[a];
            x[a] = into(g, x[a], p->n[a]);
            if (g->mode == 1) { /* a reflected position may lie near a border as well */
                const double part = x[a] - floor(x[a]);
                *e += before != x[a] && fabs(part - 0.5) <= off[a] ? p->range + p->most_e : 0;
                x[a] = rint(x[a]);
            }
        }
    *v = g->mode == 2 ? cubic(g, p, x) : linear(p, x);
}

bool net_grid_sample(net *n)
{
    static const char *const modes[] = {"linear", "nearest", "cubic"}, *const paddings[] = {
                                                                           "zeros", "border",
                                                                           "reflection"};
    const net_tensor *x = net_any(n, 4, 5);
    grid g = {.axes = x->rank - 2, .padding = (int)net_below(n, 3), .align = net_chance(n, 50)};
    g.mode = (int)net_below(n, g.axes == 2 ? 3 : 2);
    int64_t of_grid[NET_RANK] = {x->dim[0]}, dim[NET_RANK] = {x->dim[0], x->dim[1]};
    for (int a = 0; a < g.axes; a++)
        dim[2 + a] = of_grid[1 + a] = net_from(n, 1, g.axes == 2 ? 9 : 5);
    of_grid[1 + g.axes] = g.axes;
    if (x->n == 0 || !net_fits(n, x->rank, dim) || net_count(x->rank, dim) * 32 > n->work)
        return false;
    const net_tensor *at = net_operand(n, n->type, x->rank, of_grid, 0.8);
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(
        n, "%s = GridSample <mode = \"%s\", padding_mode = \"%s\", align_corners = %d> (%s, %s)\n",
        y->name, modes[g.mode], paddings[g.padding], g.align, x->name, at->name);
    const int64_t points = net_count(g.axes, dim + 2);
    for (int64_t c = 0; c < dim[0] * dim[1]; c++) {
        const plane p = plane_of(x, c, g.axes);
        for (int64_t i = 0; i < points; i++) {
            double where[3] = {0}, off[3] = {0};
            for (int a = 0; a < g.axes; a++) { /* the last axis comes first in the grid */
                const int64_t k = (c / dim[1] * points + i) * g.axes + a;
                const int to = 2 - a;
                const double size = (double)p.n[to];
                where[to] =
                    g.align ? (at->v[k] + 1) / 2 * (size - 1) : ((at->v[k] + 1) * size - 1) / 2;
                off[to] = at->e[k] * size + 8 * net_sum_unit(n->type) * size * (fabs(at->v[k]) + 2);
            }
            double v, e;
            sample(&g, &p, where, off, &v, &e);
            y->v[c * points + i] = v;
            y->e[c * points + i] = net_bound(y->type, v, e + 100 * net_sum_unit(n->type) * p.range);
        }
    }
    return true;
}

/* ---- RoiAlign ---- */

/* A sample beyond the image by more than one pixel is 0, which is a jump; else it is moved to the
 * edge. */
static void roi_sample(const plane *p, double y, double x, const double off[2], double *v,
                       double *e)
{
    const double far[2] = {y, x};
    double at[3] = {0};
    for (int a = 0; a < 2; a++) {
        const double size = (double)p->n[1 + a];
        if (fabs(far[a] + 1) <= off[a] || fabs(far[a] - size) <= off[a])
            *e += p->range + p->most_e;
        at[1 + a] = fmin(fmax(far[a], 0), size - 1);
        *e += off[a] * p->range;
    }
    if (y < -1 || x < -1 || y > (double)p->n[1] || x > (double)p->n[2])
        return;
    *v += linear(p, at);
    *e += p->most_e;
}

bool net_roi_align(net *n)
{
    const net_tensor *x = net_any(n, 4, 4);
    const int64_t rois = net_from(n, 1, 3), h = net_from(n, 1, 5), w = net_from(n, 1, 5),
                  ratio = net_from(n, 1, 3);
    const bool half = net_chance(n, 50), scaled = net_chance(n, 40);
    const double scale = scaled ? 0.5 : 1;
    const int64_t dim[4] = {rois, x->dim[1], h, w}, of_rois[2] = {rois, 4};
    if (x->n == 0 || !net_fits(n, 4, dim) || net_count(4, dim) * ratio * ratio * 10 > n->work)
        return false;
    net_tensor *r = net_operand(n, n->type, 2, of_rois, 1);
    double batch[3];
    for (int64_t i = 0; i < rois; i++) {
        batch[i] = (double)net_below(n, (uint32_t)x->dim[0]);
        for (int a = 0; a < 2; a++) {
            r->v[i * 4 + a] = net_round(n->type, r->v[i * 4 + a] * 2);
            r->v[i * 4 + 2 + a] =
                net_round(n->type, r->v[i * 4 + a] + fabs(r->v[i * 4 + 2 + a]) * 6);
        }
    }
    const net_tensor *of_batch = net_given(n, NET_I64, 1, &rois, batch, -1);
    net_tensor *y = net_result(n, n->type, 4, dim);
    net_line(n,
             "%s = RoiAlign <output_height = %d, output_width = %d, sampling_ratio = %d, "
             "spatial_scale = %s, ",
             y->name, (int)h, (int)w, (int)ratio, scaled ? "0.5" : "1.0");
    net_line(n, "coordinate_transformation_mode = \"%s\"> (%s, %s, %s)\n",
             half ? "half_pixel" : "output_half_pixel", x->name, r->name, of_batch->name);
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t roi = i / (h * w) / dim[1], c = i / (h * w) % dim[1], row = i / w % h,
                      column = i % w;
        const plane p = plane_of(x, (int64_t)batch[roi] * dim[1] + c, 2);
        const double *box = r->v + roi * 4, shift = half ? 0.5 : 0;
        double start[2], bin[2], off[2], v = 0, e = 0;
        for (int a = 0; a < 2; a++) { /* boxes begin with x */
            const double low = box[1 - a] * scale - shift, high = box[3 - a] * scale - shift;
            start[a] = low;
            bin[a] = (half ? high - low : fmax(high - low, 1)) / (double)(a ? w : h);
            off[a] = 16 * net_sum_unit(n->type) * (fabs(low) + fabs(high) + 2);
        }
        for (int64_t s = 0; s < ratio * ratio; s++) {
            const double part[2] = {((double)(s / ratio) + 0.5) / (double)ratio,
                                    ((double)(s % ratio) + 0.5) / (double)ratio};
            roi_sample(&p, start[0] + ((double)row + part[0]) * bin[0],
                       start[1] + ((double)column + part[1]) * bin[1], off, &v, &e);
        }
        const double samples = (double)(ratio * ratio);
        y->v[i] = v / samples;
        y->e[i] =
            net_bound(y->type, y->v[i], e / samples + net_gamma(n->type, samples + 20) * p.range);
    }
    return true;
}

/* ---- DeformConv ---- */

bool net_deform_conv(net *n)
{
    const window_wish wish = {.dilations = true};
    const net_tensor *x = net_any(n, 4, 4);
    window w = {.axes = 2, .in = {1, x->dim[2], x->dim[3]}};
    static const int64_t group_list[] = {1, 1, 2, 4};
    const int64_t groups = NET_PICK(n, group_list), offset_groups = NET_PICK(n, group_list),
                  channels = x->dim[1];
    if (x->n == 0 || channels % groups || channels % offset_groups || !window_draw(n, &w, wish) ||
        w.auto_pad || w.taps > 12)
        return false;
    const int64_t out = net_from(n, 1, 6) * groups, in = channels / groups, batch = x->dim[0],
                  pixels = w.out[1] * w.out[2];
    const int64_t dim[4] = {batch, out, w.out[1], w.out[2]},
                  of_w[4] = {out, in, w.kernel[1], w.kernel[2]};
    const int64_t of_offset[4] = {batch, offset_groups * w.taps * 2, w.out[1], w.out[2]};
    const int64_t of_mask[4] = {batch, offset_groups * w.taps, w.out[1], w.out[2]};
    if (batch * out * in * pixels * w.taps * 8 > n->work || !net_fits(n, 4, dim) ||
        net_count(4, of_offset) > 4000)
        return false;
    const net_tensor *weights = net_operand(n, n->type, 4, of_w, 1.5 / sqrt((double)(in * w.taps)));
    const net_tensor *offset = net_operand(n, n->type, 4, of_offset, 1);
    const bool biased = net_chance(n, 50), masked = net_chance(n, 50);
    const net_tensor *bias = biased ? net_operand(n, n->type, 1, &out, 1) : NULL;
    const net_tensor *mask = masked ? net_operand(n, n->type, 4, of_mask, 1) : NULL;
    net_tensor *y = net_result(n, n->type, 4, dim);
    net_line(n, "%s = DeformConv <group = %d, offset_group = %d", y->name, (int)groups,
             (int)offset_groups);
    window_write(n, &w, wish);
    net_line(n, "> (%s, %s, %s%s%s%s%s)\n", x->name, weights->name, offset->name,
             biased || masked ? ", " : "",
             biased   ? bias->name
             : masked ? "\"\""
                      : "",
             masked ? ", " : "", masked ? mask->name : "");
    const double unit = net_sum_unit(n->type);
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t b = i / pixels / out, m = i / pixels % out, o = i % pixels;
        double v = biased ? bias->v[m] : 0, absolute = fabs(v), e = 0;
        for (int64_t k = 0; k < in; k++) {
            const int64_t c = m / (out / groups) * in + k, og = c / (channels / offset_groups);
            const plane p = plane_of(x, b * channels + c, 2);
            for (int64_t t = 0; t < w.taps; t++) {
                const int64_t place = ((b * offset_groups + og) * w.taps + t) * pixels + o;
                const int64_t at = ((b * offset_groups + og) * w.taps + t) * 2 * pixels + o;
                const double where[3] = {0,
                                         (double)(o / w.out[2] * w.stride[1] - w.before[1] +
                                                  t / w.kernel[2] * w.dilation[1]) +
                                             offset->v[at],
                                         (double)(o % w.out[2] * w.stride[2] - w.before[2] +
                                                  t % w.kernel[2] * w.dilation[2]) +
                                             offset->v[at + pixels]};
                const double s = linear(&p, where), factor = (masked ? mask->v[place] : 1) *
                                                             weights->v[(m * in + k) * w.taps + t];
                v += factor * s;
                absolute += fabs(factor) * (fabs(s) + p.range);
                e += fabs(factor) *
                     (p.most_e + p.range * (unit * 4 * (fabs(where[1]) + fabs(where[2]) + 2)));
                e += p.most_e * fabs(factor) * unit;
            }
        }
        y->v[i] = v;
        y->e[i] = net_bound(y->type, v,
                            e + net_gamma(n->type, (double)(in * w.taps) + 16) * (absolute + e));
    }
    return true;
}
