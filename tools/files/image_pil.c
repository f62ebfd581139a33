/* SPDX-License-Identifier: Apache-2.0
 * image_pil.c - resizes 8-bit pictures with the bits of Pillow. */
#include "files/image_filter.h"

#include "base/int.h"
#include "common/data.h"

#include <math.h>

/* BITS is how many bits weights have after the point: of 32 bits, 8 are for the sample and 2 for
 * sums beyond it. */
enum { BITS = 32 - 8 - 2, HALF = 1 << (BITS - 1), MOST_CHANNELS = 4 };

/* ---- the filters, of the distance from the middle in pixels ---- */

static const double pi = 3.14159265358979323846;

/* Returns the sine of x, |x| <= 4 pi, with an error of about 2^-53: that of the C library differs
 * between systems. x is brought to [-pi/2, pi/2] first, and then the series is summed. */
static double sine(double x)
{
    static const double pi_rest = 1.2246467991473532e-16; /* what pi has beyond a double */
    const double turns = floor(x / pi + 0.5);
    const double y = (x - turns * pi) - turns * pi_rest, square = y * y;
    double sum = 0;
    for (int n = 21; n >= 3; n -= 2)
        sum = (1 + sum) * (-square / (n * (n - 1)));
    const double sin_y = y + y * sum;
    return fmod(turns, 2) == 0 ? sin_y : -sin_y;
}

static double sinc(double x)
{
    return x == 0 ? 1 : sine(x * pi) / (x * pi);
}

static double box(double x)
{
    return x > -0.5 && x <= 0.5;
}

static double bilinear(double x)
{
    x = fabs(x);
    return x < 1 ? 1 - x : 0;
}

static double hamming(double x)
{
    x = fabs(x);
    if (x == 0 || x >= 1)
        return x == 0;
    x *= pi;
    return sine(x) / x * ((double)0.54f + (double)0.46f * sine(x + pi / 2));
}

/* Keys' cubic with a = -0.5. */
static double bicubic(double x)
{
    static const double a = -0.5;
    x = fabs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double lanczos(double x)
{
    return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

static const struct {
    double (*weight)(double x);
    double support; /* pixels on each side of the middle */
} filters[] = {
    [PIL_BOX] = {box, 0.5},         [PIL_BILINEAR] = {bilinear, 1}, [PIL_HAMMING] = {hamming, 1},
    [PIL_BICUBIC] = {bicubic, 2.0}, [PIL_LANCZOS] = {lanczos, 3},
};

/* ---- the taps of one axis ---- */

/* Sample i of the n of an axis is the sum of count[i] samples from first[i] on, times the weights
 * from weight[i * most] on. */
typedef struct taps {
    int n, most;
    int *first, *count;
    int32_t *weight;
} taps;

static void free_taps(taps *t)
{
    data_free(t->first);
    data_free(t->count);
    data_free(t->weight);
}

/* Writes the weights of sample i. exact has room for t->most. */
static void find_taps(taps *t, int i, int filter, int from, double *exact)
{
    const double scale = (double)from / t->n, wide = scale < 1 ? 1 : scale;
    const double support = filters[filter].support * wide, shrink = 1 / wide;
    const double middle = (i + 0.5) * scale;
    double sum = 0;
    const double low = middle - support + 0.5, high = middle + support + 0.5;
    const int first = low < 0 ? 0 : (int)low;
    const int count = (high > from ? from : (int)high) - first;
    for (int k = 0; k < count; k++) {
        exact[k] = filters[filter].weight((k + first - middle + 0.5) * shrink);
        sum += exact[k];
    }
    for (int k = 0; k < count; k++) {
        const double one = sum != 0 ? exact[k] / sum : exact[k];
        const double fixed = one * (1 << BITS);
        t->weight[(size_t)i * (size_t)t->most + (size_t)k] =
            (int32_t)(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
    }
    t->first[i] = first;
    t->count[i] = count;
}

/* Returns the taps from `from` samples to n. Free with free_taps, also after an error. */
static taps make_taps(int filter, int from, int n, const char *where, oc_error *e)
{
    const double scale = (double)from / n, support = filters[filter].support;
    taps t = {.n = n, .most = 2 * (int)ceil(support * (scale < 1 ? 1 : scale)) + 1};
    double *exact = data_alloc((size_t)t.most * sizeof *exact, where, e);
    t.first = data_alloc((size_t)n * sizeof *t.first, where, e);
    t.count = data_alloc((size_t)n * sizeof *t.count, where, e);
    t.weight = data_alloc((size_t)n * (size_t)t.most * sizeof *t.weight, where, e);
    for (int i = 0; i < n && e->code == OC_OK; i++)
        find_taps(&t, i, filter, from, exact);
    data_free(exact);
    return t;
}

/* ---- the passes ---- */

static uint8_t byte_of(int32_t sum)
{
    const int32_t n = sum >> BITS; /* rounds down, below zero too */
    return (uint8_t)(n < 0 ? 0 : n > 255 ? 255 : n);
}

OC_INLINE void scale_row(const uint8_t *from, uint8_t *to, const taps *t, int channels)
{
    for (int x = 0; x < t->n; x++, to += channels) {
        const uint8_t *pixel = from + (size_t)t->first[x] * (size_t)channels;
        const int32_t *weight = t->weight + (size_t)x * (size_t)t->most;
        int32_t sum[MOST_CHANNELS] = {HALF, HALF, HALF, HALF};
        for (int k = 0; k < t->count[x]; k++, pixel += channels)
            for (int c = 0; c < channels; c++)
                sum[c] += pixel[c] * weight[k];
        for (int c = 0; c < channels; c++)
            to[c] = byte_of(sum[c]);
    }
}

static void scale_row_of(const uint8_t *from, uint8_t *to, const taps *t, int channels)
{
    if (channels == 1)
        scale_row(from, to, t, 1);
    else if (channels == 2)
        scale_row(from, to, t, 2);
    else if (channels == 3)
        scale_row(from, to, t, 3);
    else
        scale_row(from, to, t, 4);
}

/* Sums `count` rows that are `size` bytes long, each times its weight. */
static void sum_rows(const uint8_t *row, size_t size, const int32_t *weight, int count, uint8_t *to)
{
    enum { PART = 1024 }; /* sums that stay in the cache */
    int32_t sum[PART];
    for (size_t begin = 0; begin < size; begin += PART) {
        const size_t n = oc_min(size - begin, (size_t)PART);
        for (size_t i = 0; i < n; i++)
            sum[i] = HALF;
        for (int k = 0; k < count; k++) {
            const uint8_t *part = row + (size_t)k * size + begin;
            const int32_t w = weight[k];
            for (size_t i = 0; i < n; i++)
                sum[i] += part[i] * w;
        }
        for (size_t i = 0; i < n; i++)
            to[begin + i] = byte_of(sum[i]);
    }
}

/* Brings the rows to the new width; their number stays. */
static void scale_across(const image_scaling *s, int filter, oc_error *e)
{
    taps t = make_taps(filter, s->from_width, s->to_width, s->where, e);
    for (int y = 0; y < s->from_height && !image_scaling_ends(s, e); y++)
        scale_row_of(image_row_from(s, y), image_row_to(s, y), &t, s->channels);
    free_taps(&t);
}

/* Brings the columns to the new height; their number stays. */
static void scale_down(const image_scaling *s, int filter, oc_error *e)
{
    const size_t size = (size_t)s->to_width * (size_t)s->channels;
    taps t = make_taps(filter, s->from_height, s->to_height, s->where, e);
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++)
        sum_rows(image_row_from(s, t.first[y]), size, t.weight + (size_t)y * (size_t)t.most,
                 t.count[y], image_row_to(s, y));
    free_taps(&t);
}

/* Writes which sample of `from` each of the n takes. */
static void find_nearest(int *index, int from, int n)
{
    const double scale = (double)from / n;
    double at = scale * 0.5; /* the steps are summed, as Pillow does */
    for (int i = 0; i < n; i++, at += scale)
        index[i] = oc_min((int)at, from - 1);
}

static void take_nearest(const image_scaling *s, oc_error *e)
{
    const size_t channels = (size_t)s->channels;
    int *column = data_alloc((size_t)s->to_width * sizeof *column, s->where, e);
    int *row = data_alloc((size_t)s->to_height * sizeof *row, s->where, e);
    if (e->code == OC_OK) {
        find_nearest(column, s->from_width, s->to_width);
        find_nearest(row, s->from_height, s->to_height);
    }
    uint8_t *to = s->to;
    for (int y = 0; y < s->to_height && !image_scaling_ends(s, e); y++) {
        const uint8_t *from = image_row_from(s, row[y]);
        for (int x = 0; x < s->to_width; x++)
            for (size_t c = 0; c < channels; c++)
                *to++ = from[(size_t)column[x] * channels + c];
    }
    data_free(column);
    data_free(row);
}

void image_scale_pil(const image_scaling *s, int filter, oc_error *e)
{
    const bool across = s->to_width != s->from_width, down = s->to_height != s->from_height;
    const size_t width = (size_t)s->to_width * (size_t)s->channels;
    if (filter == PIL_NEAREST) {
        take_nearest(s, e);
        return;
    }
    if (!across && !down) {
        memcpy(s->to, s->from, width * (size_t)s->to_height);
        return;
    }
    /* the first pass leaves the height, the second has the width already */
    image_scaling first = *s, second = *s;
    uint8_t *between = NULL;
    first.to_height = s->from_height;
    second.from_width = s->to_width;
    if (across && down)
        first.to = between = data_alloc(width * (size_t)s->from_height, s->where, e);
    if (across)
        second.from = first.to;
    if (across)
        scale_across(&first, filter, e);
    if (down)
        scale_down(&second, filter, e);
    data_free(between);
}
