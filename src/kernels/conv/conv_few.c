/* SPDX-License-Identifier: Apache-2.0
 * conv_few.c - copies bands of rows, and sums over them. */
#include "kernels/conv/conv_few.h"

#include <string.h>

#include "base/int.h"
#include "kernels/common/precondition.h"
#include "kernels/layout/nchw16c.h"

OC_VARIANTS(oc_conv_few_variant, oc_conv_few_variants)

enum {
    ROOM = 64 * 1024,  /* floats of a band that leave room for others in the second cache */
    MOST = 256 * 1024, /* floats of a band that is not worth its memory */
    MOST_TAPS = 1024
};

/* What every unit shares: a band of rows of one image. */
typedef struct job {
    const oc_conv *g;
    const oc_conv_few_variant *v;
    oc_nchw16c_out_fn *out; /* NULL: x is in NCHW */
    oc_window_side row, column;
    int64_t rows, bands;          /* rows of a band; bands of an image */
    int64_t height, pitch, plane; /* rows, columns and floats of a band's pixels, of one channel */
    int64_t positions; /* of a band, the places at the end of each row but the last too */
    const int64_t *tap;
    char *scratch; /* of the first task */
} job;

static int64_t band_floats(const job *t)
{
    return t->g->channels * t->plane + OC_FEW_SLACK;
}

static void set_rows(job *t, int64_t rows)
{
    t->rows = rows;
    t->height = oc_window_side_reach(&t->row, rows);
    t->plane = t->height * t->pitch;
    t->positions = (rows - 1) * t->pitch + t->column.out;
}

/* As many rows as there is room for, and for two bands or more for each thread. */
static job cut(const oc_conv *g, int threads)
{
    const int axes = g->window.axes;
    job t = {.g = g,
             .row = oc_window_side_of(&g->window, axes - 2),
             .column = oc_window_side_of(&g->window, axes - 1)};
    const int64_t least = threads > 1 ? 2 * (int64_t)threads : 1;
    const int64_t most = oc_max(oc_min(t.row.out, t.row.out * g->images / least), 1);
    t.pitch = oc_window_side_reach(&t.column, t.column.out);
    set_rows(&t, 1);
    while (t.rows < most && band_floats(&t) + g->channels * t.pitch <= ROOM)
        set_rows(&t, t.rows + 1);
    t.bands = oc_div_up(t.row.out, t.rows);
    set_rows(&t, oc_div_up(t.row.out, t.bands));
    return t;
}

static size_t task_bytes(const job *t)
{
    const int64_t sums = t->g->out_channels * (t->positions + OC_FEW_SLACK);
    return oc_cache_lines((size_t)(band_floats(t) + sums) * sizeof(float));
}

static size_t taps_bytes(const job *t)
{
    return oc_cache_lines((size_t)(t->row.kernel * t->column.kernel) * sizeof(int64_t));
}

static bool is_bearable(const oc_window_side *s)
{
    return s->in >= 1 && s->in <= MOST && s->out >= 1 && s->out <= MOST && s->kernel >= 1 &&
           s->kernel <= MOST_TAPS && s->dilation <= MOST && s->pad <= MOST && s->pad >= -MOST &&
           s->stride == 1;
}

bool oc_conv_few_suits(const oc_conv *g)
{
    const int axes = g->window.axes;
    if (g->type != OC_F32 || g->groups != 1 || axes < 1 || axes > 2 || g->images < 1 ||
        g->channels < 1 || g->channels > MOST || g->out_channels < 1 ||
        g->out_channels > OC_FEW_MOST)
        return false;
    const oc_window_side row = oc_window_side_of(&g->window, axes - 2),
                         column = oc_window_side_of(&g->window, axes - 1);
    if (!is_bearable(&row) || !is_bearable(&column) || row.kernel * column.kernel > MOST_TAPS)
        return false;
    const double plane =
        (double)oc_window_side_reach(&row, 1) * (double)oc_window_side_reach(&column, column.out);
    return plane * (double)g->channels <= MOST;
}

/* ---- pixels ---- */

/* The part of one row of pixels that lies in the image, of up to 16 channels. x: its first pixel.
 */
static void fill_row(const job *t, float *to, const float *x, int channels)
{
    const int64_t pad = t->column.pad, first = oc_max(pad, 0);
    const int64_t end = oc_min(t->column.in + pad, t->pitch);
    if (end <= first)
        return;
    if (t->out)
        t->out(to + first, t->plane, x + (first - pad) * OC_BLOCK_CHANNELS, channels, end - first);
    else
        for (int c = 0; c < channels; c++)
            memcpy(to + c * t->plane + first, x + c * t->row.in * t->column.in + first - pad,
                   (size_t)(end - first) * sizeof *to);
}

/* The pixels under the rows of a band from number `row` on; zeros in the padding. */
static void fill_band(const job *t, float *band, int64_t image, int64_t row)
{
    const oc_conv *g = t->g;
    const int64_t pixels = t->row.in * t->column.in;
    const int64_t stored =
        t->out ? oc_channel_blocks(g->channels) * OC_BLOCK_CHANNELS : g->channels;
    const int64_t width = t->column.in * (t->out ? OC_BLOCK_CHANNELS : 1);
    memset(band, 0, (size_t)(g->channels * t->plane) * sizeof *band);
    for (int64_t c = 0; c < g->channels; c += OC_BLOCK_CHANNELS) {
        const int channels = (int)oc_min(g->channels - c, OC_BLOCK_CHANNELS);
        const float *x = (const float *)g->x + (image * stored + c) * pixels;
        for (int64_t i = 0; i < t->height; i++) {
            const int64_t at = row - t->row.pad + i;
            if (at >= 0 && at < t->row.in)
                fill_row(t, band + c * t->plane + i * t->pitch, x + at * width, channels);
        }
    }
}

/* ---- sums ---- */

/* As many output channels at a time as a line makes. */
static void sum_band(const job *t, const float *band, float *sums, int64_t positions)
{
    const oc_conv *g = t->g;
    const int64_t taps = t->row.kernel * t->column.kernel;
    oc_few_line l = {.x = band,
                     .tap = t->tap,
                     .x_channel = t->plane,
                     .w_out = g->channels * taps,
                     .y_out = t->positions + OC_FEW_SLACK,
                     .channels = g->channels,
                     .taps = taps,
                     .positions = positions};
    const int64_t most = oc_div_up(g->out_channels, oc_div_up(g->out_channels, OC_FEW_LINE));
    for (int64_t m = 0, n; m < g->out_channels; m += n) {
        n = oc_min(g->out_channels - m, most);
        l.w = (const float *)g->w + m * l.w_out;
        l.b = g->b ? (const float *)g->b + m : NULL;
        l.y = sums + m * l.y_out;
        t->v->line[n - 1](&l);
    }
}

static void run_unit(const job *t, int64_t unit, float *band)
{
    const oc_conv *g = t->g;
    const int64_t image = unit / t->bands, row = unit % t->bands * t->rows;
    const int64_t rows = oc_min(t->row.out - row, t->rows), width = t->column.out;
    float *const sums = band + band_floats(t);
    const int64_t step = t->positions + OC_FEW_SLACK;
    fill_band(t, band, image, row);
    sum_band(t, band, sums, (rows - 1) * t->pitch + width);
    float *y = (float *)g->y + (image * g->out_channels * t->row.out + row) * width;
    for (int64_t m = 0; m < g->out_channels; m++, y += t->row.out * width)
        for (int64_t i = 0; i < rows; i++)
            memcpy(y + i * width, sums + m * step + i * t->pitch, (size_t)width * sizeof *y);
}

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    float *band = (float *)(void *)(t->scratch + (size_t)task * task_bytes(t));
    for (int64_t unit = first; unit < end; unit++)
        run_unit(t, unit, band);
}

size_t oc_conv_few_scratch(const oc_conv *g, int threads)
{
    const job t = cut(g, threads);
    return taps_bytes(&t) + task_bytes(&t) * (size_t)oc_max(threads, 1);
}

void oc_conv_few_run(const oc_conv *g)
{
    const oc_conv_few_variant *v;
    job t = cut(g, oc_work_most_tasks(&g->work));
    assert(oc_conv_few_suits(g) && oc_is_aligned(g->scratch, OC_CACHE_LINE));
    OC_VARIANT_PICK(v, oc_conv_few_variants, line[0], g->cpu);
    t.v = v;
    t.out = g->nchw16c ? oc_nchw16c_out(OC_F32, g->cpu) : NULL;
    int64_t *tap = g->scratch;
    for (int64_t k = 0; k < t.row.kernel * t.column.kernel; k++)
        tap[k] = k / t.column.kernel * t.row.dilation * t.pitch +
                 k % t.column.kernel * t.column.dilation;
    t.tap = tap;
    t.scratch = (char *)g->scratch + taps_bytes(&t);
    oc_work_run(&g->work, g->images * t.bands, run_units, &t);
}
