/* SPDX-License-Identifier: Apache-2.0
 * image_cv2.c - resizes 8-bit pictures with the bits of OpenCV 4, without IPP, on x86. */
#include "files/image_filter.h"

#include "base/int.h"
#include "common/data.h"

#include <float.h>
#include <math.h>

/* BITS is how many bits weights have after the point. */
enum { BITS = 11, ONE = 1 << BITS };

/* How the samples of one axis lie in those of the other picture: 1 / (to / from), both rounded, as
 * OpenCV has it. */
static double scale_of(int from, int to)
{
    return 1 / ((double)to / from);
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* ---- nearest ---- */

static void scale_nearest(const image_scaling *s, oc_error *e)
{
    const double x_scale = scale_of(s->from_width, s->to_width);
    const double y_scale = scale_of(s->from_height, s->to_height);
    const int channels = s->channels;
    int *at = data_alloc((size_t)s->to_width * sizeof *at, s->where, e);
    for (int x = 0; x < s->to_width && at; x++)
        at[x] = clamp((int)(x * x_scale), s->from_width) * channels;
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++) {
        const uint8_t *from = image_row_from(s, clamp((int)(y * y_scale), s->from_height));
        uint8_t *to = image_row_to(s, y);
        for (int x = 0; x < s->to_width; x++)
            for (int c = 0; c < channels; c++)
                *to++ = from[at[x] + c];
    }
    data_free(at);
}

/* ---- taps of linear and cubic ---- */

/* Sample i of the new axis is the sum of `most` samples of the old one from first[i] on, times the
 * weights from weight[i * most] on. The sample at an edge stands for those beyond it. */
typedef struct taps {
    int most;
    int *first;
    int16_t *weight;
} taps;

static void free_taps(taps *t)
{
    data_free(t->first);
    data_free(t->weight);
}

/* Writes the weights for a point that lies the fraction x, 0 to 1, behind the first of the two
 * middle samples. Keys' cubic has a = -0.75. */
static void weigh(float x, int most, int16_t *weight)
{
    static const float a = -0.75f;
    float w[4] = {1 - x, x};
    if (most == 4) {
        const float far = x + 1, near = 1 - x;
        w[0] = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a;
        w[1] = ((a + 2) * x - (a + 3)) * x * x + 1;
        w[2] = ((a + 2) * near - (a + 3)) * near * near + 1;
        w[3] = 1 - w[0] - w[1] - w[2];
    }
    for (int k = 0; k < most; k++)
        weight[k] = (int16_t)lrintf(w[k] * ONE);
}

/* Returns the place of sample i as area has it when it enlarges: all of one sample, unless it lies
 * across two. */
static float place_in_area(int i, double scale, double inverse, int *first)
{
    *first = (int)floor(i * scale);
    const float x = (float)((i + 1) - (*first + 1) * inverse);
    return x <= 0 ? 0 : x - floorf(x);
}

/* Returns the taps from `from` samples to `to`. across: no weight goes to what is beyond an edge
 * (linear only). Free with free_taps, also after an error. */
static taps make_taps(int filter, int from, int to, bool across, const char *where, oc_error *e)
{
    const double scale = scale_of(from, to), inverse = (double)to / from;
    taps t = {.most = filter == CV2_CUBIC ? 4 : 2};
    t.first = data_alloc((size_t)to * sizeof *t.first, where, e);
    t.weight = data_alloc((size_t)to * (size_t)t.most * sizeof *t.weight, where, e);
    for (int i = 0; i < to && e->code == OC_OK; i++) {
        int first;
        float x;
        if (filter == CV2_AREA) {
            x = place_in_area(i, scale, inverse, &first);
        } else {
            const float at = (float)((i + 0.5) * scale - 0.5);
            first = (int)floorf(at);
            x = at - (float)first;
        }
        if (across && t.most == 2 && (first < 0 || first >= from - 1)) {
            first = clamp(first, from);
            x = 0;
        }
        t.first[i] = first - (t.most / 2 - 1);
        weigh(x, t.most, t.weight + (size_t)i * (size_t)t.most);
    }
    return t;
}

/* ---- linear: two rows are across at a time ---- */

/* Writes a row of the new width, in 7 bits after the point. */
OC_INLINE void cross_linear(const uint8_t *from, int from_width, const taps *t, int width,
                            int channels, int16_t *to)
{
    for (int x = 0; x < width; x++, to += channels) {
        const uint8_t *a = from + (size_t)t->first[x] * (size_t)channels;
        const uint8_t *b = a + (t->first[x] < from_width - 1 ? channels : 0);
        const int16_t *w = t->weight + 2 * (size_t)x;
        for (int c = 0; c < channels; c++)
            to[c] = (int16_t)((a[c] * w[0] + b[c] * w[1]) >> 4);
    }
}

static void cross_linear_of(const image_scaling *s, int y, const taps *t, int16_t *to)
{
    const uint8_t *from = image_row_from(s, y);
    if (s->channels == 1)
        cross_linear(from, s->from_width, t, s->to_width, 1, to);
    else if (s->channels == 3)
        cross_linear(from, s->from_width, t, s->to_width, 3, to);
    else
        cross_linear(from, s->from_width, t, s->to_width, image_few_channels(s), to);
}

/* Each product loses its bits behind the point but two before the two are added. */
static void join_linear(const int16_t *a, const int16_t *b, const int16_t *w, size_t n,
                        uint8_t *restrict to)
{
    const int16_t p = w[0], q = w[1];
    for (size_t i = 0; i < n; i++) {
        const int16_t u = (int16_t)((a[i] * p) >> 16), v = (int16_t)((b[i] * q) >> 16);
        to[i] = (uint8_t)((u + v + 2) >> 2);
    }
}

/* Keeps the last rows that were brought to the new width: row y is row[y % n]. */
typedef struct crossed_rows {
    int n, y[4];
    size_t size; /* samples of one */
    void *memory;
} crossed_rows;

static crossed_rows make_rows(const image_scaling *s, int n, size_t sample, oc_error *e)
{
    crossed_rows r = {.n = n, .y = {-1, -1, -1, -1}};
    r.size = (size_t)s->to_width * (size_t)s->channels;
    r.memory = data_alloc((size_t)n * r.size * sample, s->where, e);
    return r;
}

static void scale_linear(const image_scaling *s, int filter, oc_error *e)
{
    taps x = make_taps(filter, s->from_width, s->to_width, true, s->where, e);
    taps y = make_taps(filter, s->from_height, s->to_height, false, s->where, e);
    crossed_rows r = make_rows(s, 2, sizeof(int16_t), e);
    for (int i = 0; i < s->to_height && !image_scaling_ends(s, e); i++) {
        const int16_t *row[2];
        for (int k = 0; k < 2; k++) {
            const int from = clamp(y.first[i] + k, s->from_height);
            int16_t *to = (int16_t *)r.memory + (size_t)(from % 2) * r.size;
            if (r.y[from % 2] != from)
                cross_linear_of(s, from, &x, to);
            r.y[from % 2] = from;
            row[k] = to;
        }
        join_linear(row[0], row[1], y.weight + 2 * (size_t)i, r.size, image_row_to(s, i));
    }
    free_taps(&x);
    free_taps(&y);
    data_free(r.memory);
}

/* ---- cubic ---- */

OC_INLINE void cross_cubic(const uint8_t *from, int from_width, const taps *t, int width,
                           int channels, int32_t *to)
{
    for (int x = 0; x < width; x++, to += channels) {
        const int16_t *w = t->weight + 4 * (size_t)x;
        int at[4];
        for (int k = 0; k < 4; k++)
            at[k] = clamp(t->first[x] + k, from_width) * channels;
        for (int c = 0; c < channels; c++)
            to[c] = from[at[0] + c] * w[0] + from[at[1] + c] * w[1] + from[at[2] + c] * w[2] +
                    from[at[3] + c] * w[3];
    }
}

static void cross_cubic_of(const image_scaling *s, int y, const taps *t, int32_t *to)
{
    const uint8_t *from = image_row_from(s, y);
    if (s->channels == 3)
        cross_cubic(from, s->from_width, t, s->to_width, 3, to);
    else
        cross_cubic(from, s->from_width, t, s->to_width, image_few_channels(s), to);
}

/* Groups of eight are summed in floats, from the last row to the first; what is left of the row in
 * integers: so OpenCV's vectors of 16 bytes do. */
static void join_cubic(const int32_t *const row[4], const int16_t *w, size_t n,
                       uint8_t *restrict to)
{
    static const float unit = 1.0f / (ONE * ONE);
    const float a = w[0] * unit, b = w[1] * unit, c = w[2] * unit, d = w[3] * unit;
    const size_t vectors = n / 8 * 8;
    for (size_t i = 0; i < vectors; i++) {
        const float sum = (float)row[0][i] * a +
                          ((float)row[1][i] * b + ((float)row[2][i] * c + (float)row[3][i] * d));
        to[i] = image_byte_of(sum);
    }
    for (size_t i = vectors; i < n; i++) {
        const int32_t sum =
            row[0][i] * w[0] + row[1][i] * w[1] + row[2][i] * w[2] + row[3][i] * w[3];
        to[i] = (uint8_t)clamp((sum + (1 << (2 * BITS - 1))) >> (2 * BITS), 256);
    }
}

static void scale_cubic(const image_scaling *s, oc_error *e)
{
    taps x = make_taps(CV2_CUBIC, s->from_width, s->to_width, true, s->where, e);
    taps y = make_taps(CV2_CUBIC, s->from_height, s->to_height, false, s->where, e);
    crossed_rows r = make_rows(s, 4, sizeof(int32_t), e);
    for (int i = 0; i < s->to_height && !image_scaling_ends(s, e); i++) {
        const int32_t *row[4];
        for (int k = 0; k < 4; k++) {
            const int from = clamp(y.first[i] + k, s->from_height);
            int32_t *to = (int32_t *)r.memory + (size_t)(from % 4) * r.size;
            if (r.y[from % 4] != from)
                cross_cubic_of(s, from, &x, to);
            r.y[from % 4] = from;
            row[k] = to;
        }
        join_cubic(row, y.weight + 4 * (size_t)i, r.size, image_row_to(s, i));
    }
    free_taps(&x);
    free_taps(&y);
    data_free(r.memory);
}

/* ---- area, where both sides shrink by whole numbers ---- */

static void halve_row(const image_scaling *s, int y)
{
    const int channels = image_few_channels(s);
    const uint8_t *a = image_row_from(s, 2 * y), *b = image_row_from(s, 2 * y + 1);
    uint8_t *to = image_row_to(s, y);
    for (int x = 0; x < s->to_width; x++, a += 2 * channels, b += 2 * channels)
        for (int c = 0; c < channels; c++)
            *to++ = (uint8_t)((a[c] + a[c + channels] + b[c] + b[c + channels] + 2) >> 2);
}

/* The mean of blocks of across x down samples. */
static void mean_row(const image_scaling *s, int y, int across, int down, int32_t *restrict sum)
{
    const size_t channels = (size_t)image_few_channels(s), n = (size_t)s->to_width * channels;
    const float unit = 1.0f / (float)(across * down);
    uint8_t *to = image_row_to(s, y);
    memset(sum, 0, n * sizeof *sum);
    for (int k = 0; k < down; k++) {
        const uint8_t *from = image_row_from(s, y * down + k);
        for (int x = 0; x < s->to_width; x++)
            for (int i = 0; i < across; i++, from += channels)
                for (size_t c = 0; c < channels; c++)
                    sum[(size_t)x * channels + c] += from[c];
    }
    for (size_t i = 0; i < n; i++)
        to[i] = image_byte_of((float)sum[i] * unit);
}

static void scale_blocks(const image_scaling *s, int across, int down, oc_error *e)
{
    const size_t n = (size_t)s->to_width * (size_t)s->channels;
    int32_t *sum = data_alloc(n * sizeof *sum, s->where, e);
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++)
        if (across == 2 && down == 2)
            halve_row(s, y);
        else
            mean_row(s, y, across, down, sum);
    data_free(sum);
}

/* ---- area, where both sides shrink by any numbers ---- */

/* Sample `from` counts for sample `to` of the new axis with that weight. */
typedef struct part {
    int from, to;
    float weight;
} part;

typedef struct parts {
    part *part;
    size_t n;
} parts;

/* Writes the parts of sample i of the new axis at *to, and returns how many: the end of a sample
 * before it, whole samples, the beginning of one behind it. */
static size_t part_sample(int i, double scale, int from, part *to)
{
    const double begin = i * scale, end = begin + scale, size = fmin(scale, from - begin);
    const int last = oc_min((int)floor(end), from - 1), first = oc_min((int)ceil(begin), last);
    size_t n = 0;
    if (first - begin > 1e-3)
        to[n++] = (part){first - 1, i, (float)((first - begin) / size)};
    for (int k = first; k < last; k++)
        to[n++] = (part){k, i, (float)(1 / size)};
    if (end - last > 1e-3)
        to[n++] = (part){last, i, (float)(fmin(fmin(end - last, 1), size) / size)};
    return n;
}

/* Returns the parts of an axis. Free with data_free. */
static parts make_parts(int from, int to, const char *where, oc_error *e)
{
    parts p = {.part = data_alloc(2 * (size_t)(from + to) * sizeof *p.part, where, e)};
    for (int i = 0; i < to && p.part; i++)
        p.n += part_sample(i, scale_of(from, to), from, p.part + p.n);
    return p;
}

static void cross_area(const uint8_t *from, const parts *p, int channels, float *to)
{
    for (const part *k = p->part; k < p->part + p->n; k++) {
        const uint8_t *in = from + (size_t)k->from * (size_t)channels;
        float *out = to + (size_t)k->to * (size_t)channels;
        for (int c = 0; c < channels; c++)
            out[c] += in[c] * k->weight;
    }
}

static void store_area(const float *restrict sum, size_t n, uint8_t *restrict to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = image_byte_of(sum[i]);
}

static void scale_area(const image_scaling *s, oc_error *e)
{
    const size_t n = (size_t)s->to_width * (size_t)s->channels;
    parts x = make_parts(s->from_width, s->to_width, s->where, e);
    parts y = make_parts(s->from_height, s->to_height, s->where, e);
    float *row = data_alloc(2 * n * sizeof *row, s->where, e), *sum = row ? row + n : NULL;
    for (size_t k = 0; k < y.n && !image_scaling_ends(s, e); k++) {
        const part *p = &y.part[k];
        const bool begins = k == 0 || p->to != p[-1].to;
        memset(row, 0, n * sizeof *row);
        cross_area(image_row_from(s, p->from), &x, image_few_channels(s), row);
        if (begins && k)
            store_area(sum, n, image_row_to(s, p[-1].to));
        for (size_t i = 0; i < n; i++)
            sum[i] = begins ? p->weight * row[i] : sum[i] + p->weight * row[i];
    }
    if (e->code == OC_OK)
        store_area(sum, n, image_row_to(s, s->to_height - 1));
    data_free(row);
    data_free(x.part);
    data_free(y.part);
}

/* ---- which ---- */

/* Sums of more samples than this might not fit in 32 bits. */
enum { MOST_IN_BLOCK = 1 << 23 };

/* Returns the whole number that an axis shrinks by; 0 when it is none. */
static int whole_scale(int from, int to)
{
    const double scale = scale_of(from, to);
    const int whole = (int)lrint(scale);
    return fabs(scale - whole) < DBL_EPSILON ? whole : 0;
}

void image_scale_cv2(const image_scaling *s, int filter, oc_error *e)
{
    const int across = whole_scale(s->from_width, s->to_width);
    const int down = whole_scale(s->from_height, s->to_height);
    const bool shrinks =
        scale_of(s->from_width, s->to_width) >= 1 && scale_of(s->from_height, s->to_height) >= 1;
    const bool blocks = across && down && (int64_t)across * down <= MOST_IN_BLOCK;
    const bool halves = filter == CV2_LINEAR && across == 2 && down == 2;
    if (s->from_width == s->to_width && s->from_height == s->to_height)
        memcpy(s->to, s->from, (size_t)s->to_width * (size_t)s->to_height * (size_t)s->channels);
    else if (filter == CV2_NEAREST)
        scale_nearest(s, e);
    else if (filter == CV2_CUBIC)
        scale_cubic(s, e);
    else if (halves || (filter == CV2_AREA && shrinks && blocks))
        scale_blocks(s, across, down, e);
    else if (filter == CV2_AREA && shrinks)
        scale_area(s, e);
    else
        scale_linear(s, filter, e);
}
