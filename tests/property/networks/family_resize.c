/* SPDX-License-Identifier: Apache-2.0
 * family_resize.c - Resize and Upsample. */
#include "net.h"

#include <string.h>

typedef enum mode { NEAREST, LINEAR, CUBIC } mode;
typedef enum place { HALF_PIXEL, PYTORCH, ALIGN, ASYMMETRIC } place;

static const char *const modes[] = {"nearest", "linear", "cubic"};
static const char *const places[] = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                     "asymmetric"};
static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

/* What one position of an axis reads. either: the element beside may be meant as well. */
typedef struct taps {
    int n;
    int64_t at[4];
    double weight[4];
    int64_t either;
} taps;

typedef struct resize {
    mode mode;
    place place;
    int rounding;
    bool exclude_outside;
    double scale[NET_RANK];
    bool moved[NET_RANK]; /* the axis changes */
} resize;

static double position(const resize *r, int64_t o, int64_t in, int64_t out, double scale)
{
    switch (r->place) {
    case ALIGN:
        return out == 1 ? 0 : (double)o * (double)(in - 1) / (double)(out - 1);
    case ASYMMETRIC:
        return (double)o / scale;
    case PYTORCH:
        return out == 1 ? 0 : ((double)o + 0.5) / scale - 0.5;
    default:
        return ((double)o + 0.5) / scale - 0.5;
    }
}

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* A position within CLOSE of the border between two elements may be of either. */
static void nearest(const resize *r, double x, int64_t in, taps *t)
{
    const double close = 1e-6, border = r->rounding < 2 ? 0.5 : 0,
                 part = x - border - floor(x - border);
    const double lower = floor(x - border), at = r->rounding == 0   ? ceil(x - 0.5)
                                                 : r->rounding == 1 ? floor(x + 0.5)
                                                 : r->rounding == 2 ? floor(x)
                                                                    : ceil(x);
    *t = (taps){.n = 1, .at = {clamp((int64_t)at, in)}, .weight = {1}};
    t->either = t->at[0];
    if (part > 0 && (part < close || part > 1 - close)) { /* not where it is one exactly */
        const int64_t edge = (int64_t)(part < close ? lower : lower + 1);
        const int64_t beside =
            (int64_t)at == edge + (r->rounding != 2 && r->rounding != 0) ? -1 : 1;
        t->either = clamp((int64_t)at + (part < close ? -1 : beside), in);
    }
}

static void find_taps(const resize *r, int64_t o, int64_t in, int64_t out, double scale, taps *t)
{
    const double x = position(r, o, in, out, scale), base = floor(x);
    *t = (taps){.n = 0};
    if (r->mode == NEAREST) {
        nearest(r, x, in, t);
        return;
    }
    double sum = 0;
    for (int i = r->mode == LINEAR ? 0 : -1; i < (r->mode == LINEAR ? 2 : 3); i++) {
        const double far = x - base - i;
        const int64_t at = (int64_t)base + i;
        double w = r->mode == LINEAR ? 1 - fabs(far) : net_cubic_weight(far);
        if (r->mode == CUBIC && r->exclude_outside && (at < 0 || at >= in))
            w = 0;
        t->at[t->n] = clamp(at, in);
        t->weight[t->n++] = w;
        sum += w;
    }
    for (int i = 0; r->mode == CUBIC && r->exclude_outside && i < t->n; i++)
        t->weight[i] /= sum;
    t->either = -1;
}

static void compute(const resize *r, const net_tensor *x, net_tensor *y)
{
    static taps all[NET_RANK][NET_ELEMENTS];
    int64_t index[NET_RANK] = {0}, longest = 0; /* of the axes that have positions */
    for (int a = 0; a < x->rank; a++)
        if (r->moved[a] && x->dim[a] > longest)
            longest = x->dim[a];
    for (int a = 0; a < x->rank; a++)
        for (int64_t o = 0; o < y->dim[a]; o++)
            if (r->moved[a])
                find_taps(r, o, x->dim[a], y->dim[a], r->scale[a], &all[a][o]);
            else
                all[a][o] =
                    (taps){.n = 1, .at = {o}, .weight = {1}, .either = r->mode == NEAREST ? o : -1};
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, y->dim, index)) {
        int combinations = 1;
        for (int a = 0; a < x->rank; a++)
            combinations *= all[a][index[a]].n;
        double v = 0, e = 0, absolute = 0;
        for (int k = 0; k < combinations; k++) {
            int64_t from[NET_RANK];
            double w = 1;
            for (int a = 0, rest = k; a < x->rank; a++) {
                const taps *t = &all[a][index[a]];
                w *= t->weight[rest % t->n];
                from[a] = t->at[rest % t->n];
                rest /= t->n;
            }
            const int64_t at = net_at(x->rank, x->dim, from);
            if (w == 0)
                continue;
            v += w * x->v[at];
            e += fabs(w) * x->e[at];
            absolute += fabs(x->v[at]) + x->e[at];
        }
        y->v[i] = v;
        y->e[i] = e;
        if (r->mode != NEAREST)
            y->e[i] = net_bound(y->type, v,
                                e + (64 * net_sum_unit(y->type) + 8 * 0x1p-53 * (double)longest) *
                                        absolute);
        else
            for (int a = 0; a < x->rank; a++) {
                int64_t from[NET_RANK];
                for (int b = 0; b < x->rank; b++)
                    from[b] = b == a ? all[b][index[b]].either : all[b][index[b]].at[0];
                const int64_t at = net_at(x->rank, x->dim, from);
                y->e[i] = fmax(y->e[i], x->v[at] == v ? x->e[at] : INFINITY);
            }
    }
}

bool net_resize(net *n)
{
    static const double factors[] = {0.5, 1, 1.5, 2, 2, 2, 3, 0.75, 1.25, 4};
    const net_tensor *x = net_any(n, 3, 5);
    const bool upsample = net_chance(n, 25), by_sizes = !upsample && net_chance(n, 40);
    resize r = {.mode = (mode)net_below(n, upsample ? 2 : 3), .place = (place)net_below(n, 4)};
    r.exclude_outside = r.mode == CUBIC && net_chance(n, 30);
    r.rounding = (int)net_below(n, 4);
    if (upsample) {
        r.place = ASYMMETRIC;
        r.rounding = 2;
    }
    int64_t dim[NET_RANK];
    double told[NET_RANK];
    if (upsample && n->type == NET_BF16) /* Upsample has no such type */
        return false;
    if (x->n == 0 || (r.mode == CUBIC && x->rank != 4))
        return false;
    for (int a = 0; a < x->rank; a++) {
        dim[a] = x->dim[a];
        told[a] = r.scale[a] = 1;
        if (a < 2)
            continue;
        const double factor = upsample ? (double)net_from(n, 1, 3) : NET_PICK(n, factors);
        dim[a] = by_sizes ? net_from(n, 1, 24) : (int64_t)floor((double)x->dim[a] * factor);
        told[a] = by_sizes ? (double)dim[a] : factor;
        r.scale[a] = by_sizes ? (double)dim[a] / (double)x->dim[a] : factor;
        r.moved[a] = r.scale[a] != 1;
        if (dim[a] < 1 ||
            (r.place == ALIGN && (double)dim[a] != r.scale[a] * (double)x->dim[a] && !by_sizes))
            return false;
    }
    if (!net_fits(n, x->rank, dim) ||
        net_count(x->rank, dim) * (r.mode == CUBIC ? 16 : 4) > n->work)
        return false;
    const int64_t rank = x->rank;
    for (int a = 0; by_sizes && a < 2; a++)
        told[a] = (double)dim[a];
    const net_tensor *list = net_given(n, by_sizes ? NET_I64 : NET_F32, 1, &rank, told, -1);
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(n, "%s = %s <mode = \"%s\"", y->name, upsample ? "Upsample" : "Resize", modes[r.mode]);
    if (!upsample)
        net_line(n, ", coordinate_transformation_mode = \"%s\", nearest_mode = \"%s\"",
                 places[r.place], roundings[r.rounding]);
    if (r.mode == CUBIC && r.exclude_outside)
        net_line(n, ", exclude_outside = 1");
    net_line(n, "> (%s%s, %s)\n", x->name,
             upsample   ? ""
             : by_sizes ? ", \"\", \"\""
                        : ", \"\"",
             list->name);
    compute(&r, x, y);
    return true;
}
