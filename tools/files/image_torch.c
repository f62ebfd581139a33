/* SPDX-License-Identifier: Apache-2.0
 * image_torch.c - resizes 8-bit pictures with the bits of torchvision 0.14 and PyTorch 1.13, for
 * tensors as read_image and pil_to_tensor make them, on x86 with AVX2. */
#include "files/image_filter.h"

#include "base/int.h"
#include "common/data.h"

#include <math.h>

/* Returns a * b + c, rounded once: where PyTorch's compiler fuses the two. The product is exact in
 * double. */
static float fused(float a, float b, float c)
{
    return (float)((double)a * (double)b + (double)c);
}

static float scale_of(int from, int to)
{
    return (float)from / (float)to;
}

/* Returns where the middle of pixel i of the new axis lies, counted from the middle of the first
 * pixel of the old axis. */
static double place_of(int i, float scale)
{
    return (double)scale * (i + 0.5) - 0.5;
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* ---- nearest ---- */

static int nearest(int i, float scale, int from)
{
    return oc_min((int)((float)i * scale), from - 1);
}

static void scale_nearest(const image_scaling *s, oc_error *e)
{
    const float x_scale = scale_of(s->from_width, s->to_width);
    const float y_scale = scale_of(s->from_height, s->to_height);
    const int channels = s->channels;
    int *at = data_alloc((size_t)s->to_width * sizeof *at, s->where, e);
    for (int x = 0; x < s->to_width && at; x++)
        at[x] = nearest(x, x_scale, s->from_width) * channels;
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++) {
        const uint8_t *from = image_row_from(s, nearest(y, y_scale, s->from_height));
        uint8_t *to = image_row_to(s, y);
        for (int x = 0; x < s->to_width; x++)
            for (int c = 0; c < channels; c++)
                *to++ = from[at[x] + c];
    }
    data_free(at);
}

/* ---- bilinear ---- */

/* A sample of the new axis lies between samples `first` and `second` of the old one. */
typedef struct pair {
    int first, second;
    float a, b; /* their weights */
} pair;

static pair *make_pairs(int from, int to, const char *where, oc_error *e)
{
    const float scale = scale_of(from, to);
    pair *p = data_alloc((size_t)to * sizeof *p, where, e);
    for (int i = 0; i < to && p; i++) {
        const double at = fmax(place_of(i, scale), 0);
        const int first = oc_min((int)at, from - 1);
        const float b = fminf((float)(at - first), 1);
        p[i] =
            from == to ? (pair){i, i, 1, 0} : (pair){first, oc_min(first + 1, from - 1), 1 - b, b};
    }
    return p;
}

/* Four weights are rounded to float, the sum of four products is not rounded before its end. */
OC_INLINE void join_pairs(const image_scaling *s, const pair *x, const pair *y, int channels,
                          uint8_t *to)
{
    const uint8_t *up = image_row_from(s, y->first), *down = image_row_from(s, y->second);
    for (int i = 0; i < s->to_width; i++, x++) {
        const float w[4] = {y->a * x->a, y->a * x->b, y->b * x->a, y->b * x->b};
        const size_t a = (size_t)x->first * (size_t)channels;
        const size_t b = (size_t)x->second * (size_t)channels;
        for (size_t c = 0; c < (size_t)channels; c++)
            *to++ = image_byte_of((float)((double)w[0] * up[a + c] + (double)w[1] * up[b + c] +
                                          (double)w[2] * down[a + c] + (double)w[3] * down[b + c]));
    }
}

static void scale_bilinear(const image_scaling *s, oc_error *e)
{
    pair *x = make_pairs(s->from_width, s->to_width, s->where, e);
    pair *y = make_pairs(s->from_height, s->to_height, s->where, e);
    for (int i = 0; i < s->to_height && !image_scaling_ends(s, e); i++)
        if (s->channels == 3)
            join_pairs(s, x, y + i, 3, image_row_to(s, i));
        else
            join_pairs(s, x, y + i, image_few_channels(s), image_row_to(s, i));
    data_free(x);
    data_free(y);
}

/* ---- bicubic ---- */

/* Sample i of the new axis is the sum of at[k] times weight[k]. */
typedef struct four {
    int at[4];
    float weight[4];
} four;

/* Keys' cubic with a = -0.75, for distances below 1 and from 1 to 2. */
static float cubic_near(float x)
{
    static const float a = -0.75f;
    return fused(a + 2, x, -(a + 3)) * x * x + 1;
}

static float cubic_far(float x)
{
    static const float a = -0.75f;
    return fused(fused(a, x, -5 * a), x, 8 * a) * x - 4 * a;
}

static four *make_fours(int from, int to, const char *where, oc_error *e)
{
    const float scale = scale_of(from, to);
    four *p = data_alloc((size_t)to * sizeof *p, where, e);
    for (int i = 0; i < to && p; i++) {
        const double at = place_of(i, scale);
        const int first = oc_min((int)floorf((float)at), from - 1);
        const float x = (float)(at - first), rest = 1 - x;
        for (int k = 0; k < 4; k++)
            p[i].at[k] = clamp(first + k - 1, from);
        p[i].weight[0] = cubic_far(x + 1);
        p[i].weight[1] = cubic_near(x);
        p[i].weight[2] = cubic_near(rest);
        p[i].weight[3] = cubic_far(rest + 1);
    }
    return p;
}

static float sum_four(float a, float b, float c, float d, const float *w)
{
    return fused(d, w[3], fused(c, w[2], fused(a, w[0], b * w[1])));
}

OC_INLINE void cross_fours(const uint8_t *from, const four *p, int width, int channels, float *to)
{
    for (int x = 0; x < width; x++, p++) {
        const uint8_t *in[4];
        for (int k = 0; k < 4; k++)
            in[k] = from + (size_t)p->at[k] * (size_t)channels;
        for (int c = 0; c < channels; c++)
            *to++ = sum_four(in[0][c], in[1][c], in[2][c], in[3][c], p->weight);
    }
}

static void cross_fours_of(const image_scaling *s, int y, const four *p, float *to)
{
    if (s->channels == 3)
        cross_fours(image_row_from(s, y), p, s->to_width, 3, to);
    else
        cross_fours(image_row_from(s, y), p, s->to_width, image_few_channels(s), to);
}

/* The last four rows that were brought to the new width are kept: row y is number y % 4. */
static void scale_bicubic(const image_scaling *s, oc_error *e)
{
    const size_t n = (size_t)s->to_width * (size_t)s->channels;
    int has[4] = {-1, -1, -1, -1};
    four *x = make_fours(s->from_width, s->to_width, s->where, e);
    four *y = make_fours(s->from_height, s->to_height, s->where, e);
    float *rows = data_alloc(4 * n * sizeof *rows, s->where, e);
    for (int i = 0; i < s->to_height && !image_scaling_ends(s, e); i++) {
        const float *row[4];
        for (int k = 0; k < 4; k++) {
            const int from = y[i].at[k];
            float *to = rows + (size_t)(from % 4) * n;
            if (has[from % 4] != from)
                cross_fours_of(s, from, x, to);
            has[from % 4] = from;
            row[k] = to;
        }
        uint8_t *to = image_row_to(s, i);
        for (size_t j = 0; j < n; j++)
            to[j] =
                image_byte_of(sum_four(row[0][j], row[1][j], row[2][j], row[3][j], y[i].weight));
    }
    data_free(x);
    data_free(y);
    data_free(rows);
}

/* ---- antialiased: a filter is as wide as the picture shrinks; first across, then down ---- */

/* Sample i of the new axis is the sum of count[i] samples of the old one from first[i] on, times
 * the weights from weight[i * most] on. */
typedef struct taps {
    int n, most;
    int *first, *count;
    float *weight;
} taps;

static void free_taps(taps *t)
{
    data_free(t->first);
    data_free(t->count);
    data_free(t->weight);
}

/* Keys' cubic with a = -0.5. Its part for distances below 1 is computed in double. */
static float weigh(float x, bool cubic)
{
    const double d = x = fabsf(x);
    if (!cubic)
        return x < 1 ? 1 - x : 0;
    if (x < 1)
        return (float)((1.5 * d - 2.5) * d * d + 1);
    return x < 2 ? fused(fused(x - 5, x, 8), x, -4) * -0.5f : 0;
}

static void find_taps(taps *t, int i, float scale, float support, bool cubic, int from)
{
    const float middle = (float)(scale * (i + 0.5)), shrink = scale >= 1 ? 1 / scale : 1;
    const double low = (double)(middle - support) + 0.5, high = (double)(middle + support) + 0.5;
    const int first = oc_max((int)low, 0), count = oc_min((int)high, from) - first;
    float *weight = t->weight + (size_t)i * (size_t)t->most, sum = 0;
    for (int k = 0; k < count; k++) {
        const double distance = (double)((float)(k + first) - middle) + 0.5;
        weight[k] = weigh((float)(distance * (double)shrink), cubic);
        sum += weight[k];
    }
    for (int k = 0; k < count && sum != 0; k++)
        weight[k] /= sum;
    t->first[i] = first;
    t->count[i] = count;
}

/* Returns the taps from `from` samples to n. Free with free_taps, also after an error. */
static taps make_taps(bool cubic, int from, int n, const char *where, oc_error *e)
{
    const float scale = scale_of(from, n), support = (cubic ? 2 : 1) * (scale >= 1 ? scale : 1);
    taps t = {.n = n, .most = (int)ceilf(support) * 2 + 1};
    t.first = data_alloc((size_t)n * sizeof *t.first, where, e);
    t.count = data_alloc((size_t)n * sizeof *t.count, where, e);
    t.weight = data_alloc((size_t)n * (size_t)t.most * sizeof *t.weight, where, e);
    for (int i = 0; i < n && e->code == OC_OK; i++)
        find_taps(&t, i, scale, support, cubic, from);
    return t;
}

/* PyTorch's compiler makes vectors of four products, which are rounded before they are added; the
 * products of what is left, fewer than four, are fused with the sum. Returns whether product k of n
 * is of a vector. The first is never. */
static bool is_rounded(int k, int n)
{
    return k <= (n - 1) / 4 * 4;
}

OC_INLINE void cross_taps(const uint8_t *from, const taps *t, int channels, float *to)
{
    for (int x = 0; x < t->n; x++) {
        const uint8_t *in = from + (size_t)t->first[x] * (size_t)channels;
        const float *w = t->weight + (size_t)x * (size_t)t->most;
        const int n = t->count[x], rounded = (n - 1) / 4 * 4;
        for (int c = 0; c < channels; c++) {
            float sum = in[c] * w[0];
            int k = 1;
            for (; k <= rounded; k++)
                sum += in[k * channels + c] * w[k];
            for (; k < n; k++)
                sum = fused(in[k * channels + c], w[k], sum);
            *to++ = sum;
        }
    }
}

static float *scale_across(const image_scaling *s, bool cubic, oc_error *e)
{
    const size_t size = (size_t)s->to_width * (size_t)s->channels;
    taps t = make_taps(cubic, s->from_width, s->to_width, s->where, e);
    float *rows = data_alloc(size * (size_t)s->from_height * sizeof *rows, s->where, e);
    for (int y = 0; y < s->from_height && !image_scaling_ends(s, e); y++)
        if (s->channels == 3)
            cross_taps(image_row_from(s, y), &t, 3, rows + (size_t)y * size);
        else
            cross_taps(image_row_from(s, y), &t, image_few_channels(s), rows + (size_t)y * size);
    free_taps(&t);
    return rows;
}

static void sum_rows(const float *row, size_t size, const float *weight, int count, uint8_t *to)
{
    enum { PART = 1024 }; /* sums that stay in the cache */
    float sum[PART];
    for (size_t begin = 0; begin < size; begin += PART, row += PART, to += PART) {
        const size_t n = oc_min(size - begin, (size_t)PART);
        for (size_t i = 0; i < n; i++)
            sum[i] = row[i] * weight[0];
        for (int k = 1; k < count; k++) {
            const float *in = row + (size_t)k * size, w = weight[k];
            if (is_rounded(k, count))
                for (size_t i = 0; i < n; i++)
                    sum[i] += in[i] * w;
            else
                for (size_t i = 0; i < n; i++)
                    sum[i] = fused(in[i], w, sum[i]);
        }
        for (size_t i = 0; i < n; i++)
            to[i] = image_byte_of(sum[i]);
    }
}

static void scale_antialiased(const image_scaling *s, bool cubic, oc_error *e)
{
    const size_t size = (size_t)s->to_width * (size_t)s->channels;
    float *rows = scale_across(s, cubic, e);
    taps t = make_taps(cubic, s->from_height, s->to_height, s->where, e);
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++)
        sum_rows(rows + (size_t)t.first[y] * size, size, t.weight + (size_t)y * (size_t)t.most,
                 t.count[y], image_row_to(s, y));
    free_taps(&t);
    data_free(rows);
}

/* ---- which ---- */

void image_scale_torch(const image_scaling *s, int filter, oc_error *e)
{
    if (filter == TORCH_NEAREST)
        scale_nearest(s, e);
    else if (filter == TORCH_BILINEAR)
        scale_bilinear(s, e);
    else if (filter == TORCH_BICUBIC)
        scale_bicubic(s, e);
    else
        scale_antialiased(s, filter == TORCH_BICUBIC_ANTIALIAS, e);
}
