/* SPDX-License-Identifier: Apache-2.0
 * image_fill.c - writes the samples of a picture as the elements of a tensor. */
#include "files/image_fill.h"

#include "common/number.h"
#include "common/signals.h"

int image_divisor(oc_type type, int white)
{
    return number_is_float(type) ? white : type == OC_U8 && white == 65535 ? 257 : 1;
}

double image_std(const image_options *o, int channel)
{
    return o->std[channel] != 0 ? o->std[channel] : 1;
}

/* What an element is made with. */
typedef struct filling {
    const image *m;
    const image_options *o;
    int order;
    oc_type type;
    double divisor;
} filling;

static double element(const filling *f, double sample, int channel)
{
    const double scaled = f->o->scale != 0 ? sample * f->o->scale : sample / f->divisor;
    return (scaled - f->o->mean[channel]) / image_std(f->o, channel);
}

/* ---- a channel that is made of one sample of each pixel ---- */

enum { BYTES = 256, WHITE = -1, MIXED = -2 };

/* Returns the number of the sample of a pixel that the channel of the tensor shows; WHITE when the
 * picture lacks it, MIXED when it is made of several. */
static int source_of(const filling *f, int channel)
{
    const int n = f->m->channels;
    if (channel == 3)
        return n % 2 == 0 ? n - 1 : WHITE;
    if (n < 3)
        return 0;
    return f->order == IMAGE_GRAY ? MIXED : f->order == IMAGE_BGR ? 2 - channel : channel;
}

/* Copies for each of n samples its element from the table, where elements are as wide as those of
 * the tensor. */
OC_INLINE void take_row(const uint16_t *sample, int step, const char *table, char *to,
                        int64_t to_step, int n, size_t size)
{
    for (int i = 0; i < n; i++, sample += step, to += to_step * (int64_t)size)
        memcpy(to, table + *sample * size, size);
}

static void take_row_of(const uint16_t *sample, int step, const char *table, char *to,
                        int64_t to_step, int n, size_t size)
{
    if (size == 1)
        take_row(sample, step, table, to, to_step, n, 1);
    else if (size == 2)
        take_row(sample, step, table, to, to_step, n, 2);
    else if (size == 4)
        take_row(sample, step, table, to, to_step, n, 4);
    else
        take_row(sample, step, table, to, to_step, n, size);
}

/* Fills a channel of a picture of 8-bit samples by a table of all elements. */
static void fill_by_table(const filling *f, oc_value *t, const image_view *v, int channel)
{
    static const uint16_t white = BYTES - 1;
    const size_t size = oc_type_size(f->type);
    const int source = source_of(f, channel), n = f->m->channels;
    const int step = source == WHITE ? 0 : n;
    void *table = tool_alloc(BYTES, size);
    for (int i = 0; i < BYTES; i++)
        number_set(f->type, table, i, element(f, i, channel));
    for (int y = 0; y < v->height && !signals_cancelled(NULL); y++) {
        const uint16_t *row = f->m->sample + (size_t)y * (size_t)v->width * (size_t)n;
        const int64_t at = channel * v->channel_step + y * v->row_step;
        take_row_of(source == WHITE ? &white : row + source, step, table,
                    (char *)oc_value_mutable_data(t) + at * (int64_t)size, v->pixel_step, v->width,
                    size);
    }
    free(table);
}

/* ---- any other channel ---- */

static double sample_at(const filling *f, const uint16_t *pixel, int channel)
{
    const int source = source_of(f, channel);
    if (source == MIXED)
        return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
    return source == WHITE ? f->m->white : pixel[source];
}

static void fill_by_number(const filling *f, oc_value *t, const image_view *v, int channel)
{
    const uint16_t *pixel = f->m->sample;
    void *data = oc_value_mutable_data(t);
    for (int y = 0; y < v->height && !signals_cancelled(NULL); y++)
        for (int x = 0; x < v->width; x++, pixel += f->m->channels)
            number_set(f->type, data,
                       channel * v->channel_step + y * v->row_step + x * v->pixel_step,
                       element(f, sample_at(f, pixel, channel), channel));
}

void image_fill(oc_value *t, const image *m, const image_view *v, int order, const image_options *o)
{
    const oc_type type = oc_value_type(t);
    const filling f = {m, o, order, type, image_divisor(type, m->white)};
    for (int c = 0; c < v->channels; c++)
        if (m->white == BYTES - 1 && source_of(&f, c) != MIXED)
            fill_by_table(&f, t, v, c);
        else
            fill_by_number(&f, t, v, c);
}
