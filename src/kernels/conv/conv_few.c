/* SPDX-License-Identifier: Apache-2.0
 * conv_few.c - copies bands of rows, and sums over them. */
#include "kernels/conv/conv_few.h"

#include "base/element_type.h"
#include "kernels/common/precondition.h"
#include "kernels/conv/conv_cut.h"

OC_VARIANTS(oc_conv_few_variant, oc_conv_few_variants)

enum {
    ROOM = 256 * 1024, /* bytes of a band that leave room for others in the second cache */
    MOST = 256 * 1024, /* floats of a band that is not worth its memory */
    MOST_TAPS = 1024,
    FLOATS = OC_CACHE_LINE / sizeof(float),
    SOME = 32 /* positions that are converted at once */
};

/* What every unit shares: a band of rows of one image. */
typedef struct job {
    const oc_conv *g;
    const oc_few_part *part;
    int parts;
    const oc_conv_few_variant *v;
    oc_nchw16c_out_fn *out;      /* NULL: x is in NCHW */
    const oc_half_variant *half; /* converts x and y; NULL: they are floats */
    oc_window_side row, column;  /* of one window that all parts' windows lie in */
    oc_conv_cut cut;
    int64_t height, pitch, plane; /* rows, columns and floats of a band's pixels, of one channel */
    int64_t positions; /* of a band, the places at the end of each row but the last too */
    int64_t *tap;      /* of all parts */
    char *scratch;     /* of the first task */
} job;

static int64_t taps_of(const oc_few_part *p)
{
    return p->row.kernel * p->column.kernel;
}

static int64_t all_taps(const job *t)
{
    int64_t n = 0;
    for (int i = 0; i < t->parts; i++)
        n += taps_of(&t->part[i]);
    return n;
}

static int64_t band_floats(const job *t)
{
    return t->g->channels * t->plane + OC_FEW_SLACK;
}

/* Makes a side long enough for another one, which begins as far in front of the image or less. */
static void cover(oc_window_side *s, const oc_window_side *other)
{
    const int64_t kernel = s->pad - other->pad + oc_window_side_reach(other, 1);
    s->kernel = oc_max(s->kernel, kernel);
    s->out = oc_max(s->out, other->out);
}

static job cut(const oc_conv *g, const oc_few_part part[], int n, int threads)
{
    job t = {.g = g, .part = part, .parts = n, .row = part[0].row, .column = part[0].column};
    for (int i = 1; i < n; i++) {
        t.row.pad = oc_max(t.row.pad, part[i].row.pad);
        t.column.pad = oc_max(t.column.pad, part[i].column.pad);
    }
    t.row.kernel = t.column.kernel = t.row.dilation = t.column.dilation = 1;
    for (int i = 0; i < n; i++) {
        cover(&t.row, &part[i].row);
        cover(&t.column, &part[i].column);
    }
    const double lines = (double)g->channels / OC_BLOCK_CHANNELS;
    const oc_conv_load l = {.row = t.row,
                            .column = t.column,
                            .row_grain = 1,
                            .column_grain = t.column.out,
                            .low = 1,
                            .planes = g->images,
                            .pixel = g->channels * (int64_t)sizeof(float),
                            .room = ROOM,
                            .blocks = 1,
                            .together = 1,
                            .lines = lines * (double)(g->out_channels * all_taps(&t)),
                            .copied = lines};
    t.cut = oc_conv_cut_for(&l, threads);
    t.height = t.cut.row.pixels;
    t.pitch = t.cut.column.pixels;
    t.plane = (t.height * t.pitch) | FLOATS; /* channels 4 KB apart share a place of the cache */
    t.positions = (t.cut.row.most - 1) * t.pitch + t.column.out;
    return t;
}

static uint64_t task_bytes(const job *t)
{
    const int64_t sums = t->g->out_channels * (t->positions + OC_FEW_SLACK);
    return oc_cache_lines((uint64_t)(band_floats(t) + sums) * sizeof(float));
}

static uint64_t taps_bytes(const job *t)
{
    return oc_cache_lines((uint64_t)all_taps(t) * sizeof(int64_t));
}

static bool is_bearable(const oc_window_side *s)
{
    return s->in >= 1 && s->in <= MOST && s->out >= 1 && s->out <= MOST && s->kernel >= 1 &&
           s->kernel <= MOST_TAPS && s->dilation <= MOST && s->pad <= MOST && s->pad >= -MOST &&
           s->stride == 1;
}

bool oc_few_parts_suit(const oc_conv *g, const oc_few_part part[], int n)
{
    if (g->type != OC_F32 || g->groups != 1 || g->images < 1 || g->channels < 1 ||
        g->channels > MOST || g->out_channels < 1 || g->out_channels > OC_FEW_MOST)
        return false;
    for (int i = 0; i < n; i++)
        if (!is_bearable(&part[i].row) || !is_bearable(&part[i].column) ||
            taps_of(&part[i]) > MOST_TAPS)
            return false;
    const job t = cut(g, part, n, 1);
    const double plane = (double)oc_window_side_reach(&t.row, 1) * (double)t.pitch;
    return plane * (double)g->channels <= MOST;
}

/* ---- pixels ---- */

/* Element number i of x or y. */
static void *element(const job *t, const void *x, int64_t i)
{
    return (char *)x + i * (int64_t)(t->half ? sizeof(uint16_t) : sizeof(float));
}

/* n pixels of blocks of 16 channels. */
static void fill_blocks(const job *t, float *to, const void *x, int channels, int64_t n)
{
    _Alignas(OC_CACHE_LINE) float wide[SOME * OC_BLOCK_CHANNELS];
    if (!t->half) {
        t->out(to, t->plane, x, channels, n);
        return;
    }
    for (int64_t i = 0; i < n; i += SOME) {
        const int64_t some = oc_min(n - i, SOME);
        t->half->widen(wide, element(t, x, i * OC_BLOCK_CHANNELS), some * OC_BLOCK_CHANNELS);
        t->out(to + i, t->plane, wide, channels, some);
    }
}

static void fill_pixels(const job *t, float *to, const void *x, int64_t n)
{
    if (t->half)
        t->half->widen(to, x, n);
    else
        memcpy(to, x, (size_t)n * sizeof *to);
}

/* The part of one row of pixels that lies in the image, of up to 16 channels. x: its first pixel.
 */
static void fill_row(const job *t, float *to, const void *x, int channels)
{
    const int64_t pad = t->column.pad, first = oc_max(pad, 0);
    const int64_t end = oc_min(t->column.in + pad, t->pitch);
    if (end <= first)
        return;
    if (t->out)
        fill_blocks(t, to + first, element(t, x, (first - pad) * OC_BLOCK_CHANNELS), channels,
                    end - first);
    else
        for (int c = 0; c < channels; c++)
            fill_pixels(t, to + c * t->plane + first,
                        element(t, x, c * t->row.in * t->column.in + first - pad), end - first);
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
        const int64_t x = (image * stored + c) * pixels;
        for (int64_t i = 0; i < t->height; i++) {
            const int64_t at = row - t->row.pad + i;
            if (at >= 0 && at < t->row.in)
                fill_row(t, band + c * t->plane + i * t->pitch, element(t, g->x, x + at * width),
                         channels);
        }
    }
}

/* ---- sums ---- */

/* As many output channels at a time as a line makes. tap: of the part. */
static void sum_part(const job *t, const oc_few_part *p, const int64_t *tap, const float *band,
                     float *sums, int64_t positions)
{
    const oc_conv *g = t->g;
    oc_few_line l = {.x = band,
                     .tap = tap,
                     .x_channel = t->plane,
                     .w_out = g->channels * taps_of(p),
                     .y_out = t->positions + OC_FEW_SLACK,
                     .channels = g->channels,
                     .taps = taps_of(p),
                     .positions = positions};
    const int64_t most = oc_div_up(g->out_channels, oc_div_up(g->out_channels, OC_FEW_LINE));
    for (int64_t m = 0, n; m < g->out_channels; m += n) {
        n = oc_min(g->out_channels - m, most);
        l.w = p->w + m * l.w_out;
        l.b = g->b ? (const float *)g->b + m : NULL;
        l.y = sums + m * l.y_out;
        t->v->line[n - 1](&l);
    }
}

static void store_halves(const job *t, uint16_t *y, const float *sums, int64_t step, int64_t n)
{
    uint16_t some[SOME];
    if (step == 1)
        t->half->narrow(y, sums, n);
    for (int64_t i = 0; i < n && step > 1; i++) {
        if (i % SOME == 0)
            t->half->narrow(some, sums + i, oc_min(n - i, SOME));
        y[i * step] = some[i % SOME];
    }
}

static void store_floats(float *restrict y, const float *restrict sums, int64_t step, int64_t n)
{
    if (step == 1)
        memcpy(y, sums, (size_t)n * sizeof *y);
    else
        for (int64_t i = 0; i < n; i++)
            y[i * step] = sums[i];
}

/* y: the image's first element. The band's rows of a part from number `row` on. */
static void store_part(const job *t, const oc_few_part *p, int64_t y, const float *sums,
                       int64_t row, int64_t rows)
{
    const oc_window *w = &t->g->window;
    const int64_t width = w->out[w->axes - 1], height = w->axes > 1 ? w->out[0] : 1;
    for (int64_t m = 0; m < t->g->out_channels; m++, sums += t->positions + OC_FEW_SLACK)
        for (int64_t i = 0; i < rows; i++) {
            const int64_t at = m * height + p->row_at + (row + i) * p->row_step;
            void *to = element(t, t->g->y, y + at * width + p->column_at);
            if (t->half)
                store_halves(t, to, sums + i * t->pitch, p->column_step, p->column.out);
            else
                store_floats(to, sums + i * t->pitch, p->column_step, p->column.out);
        }
}

static void convolve_band(const job *t, int64_t unit, float *band)
{
    const oc_conv *g = t->g;
    const oc_cut_band b = oc_cut_band_at(&t->cut, unit);
    const int64_t positions = g->window.out[0] * (g->window.axes > 1 ? g->window.out[1] : 1);
    float *const sums = band + band_floats(t);
    const int64_t *tap = t->tap;
    fill_band(t, band, b.plane, b.row);
    for (int i = 0; i < t->parts; i++) {
        const oc_few_part *p = &t->part[i];
        const int64_t rows = oc_min(p->row.out - b.row, b.rows);
        if (rows > 0) {
            sum_part(t, p, tap, band, sums, (rows - 1) * t->pitch + p->column.out);
            store_part(t, p, b.plane * g->out_channels * positions, sums, b.row, rows);
        }
        tap += taps_of(p);
    }
}

static void convolve_bands(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    float *band = (float *)(void *)(t->scratch + (size_t)task * task_bytes(t));
    for (int64_t unit = first; unit < end; unit++)
        convolve_band(t, unit, band);
}

uint64_t oc_few_parts_scratch(const oc_conv *g, const oc_few_part part[], int n)
{
    const int threads = oc_work_most_tasks(&g->work);
    const job t = cut(g, part, n, threads);
    return taps_bytes(&t) + task_bytes(&t) * (uint64_t)threads;
}

/* Where taps lie in a band, from the first pixel of the window that covers all parts. */
static void list_taps(const job *t, int64_t *tap)
{
    for (int i = 0; i < t->parts; i++) {
        const oc_window_side *row = &t->part[i].row, *column = &t->part[i].column;
        const int64_t first = (t->row.pad - row->pad) * t->pitch + t->column.pad - column->pad;
        for (int64_t k = 0; k < taps_of(&t->part[i]); k++)
            *tap++ = first + k / column->kernel * row->dilation * t->pitch +
                     k % column->kernel * column->dilation;
    }
}

void oc_few_parts_run(const oc_conv *g, const oc_few_part part[], int n)
{
    const oc_conv_few_variant *v;
    job t = cut(g, part, n, oc_work_most_tasks(&g->work));
    assert(oc_few_parts_suit(g, part, n) && oc_is_aligned(g->scratch, OC_CACHE_LINE));
    OC_VARIANT_PICK(v, oc_conv_few_variants, line[0], g->cpu);
    t.v = v;
    t.half = oc_type_is_half(g->half) ? oc_half_pick(g->half, g->cpu) : NULL;
    t.out = g->nchw16c ? oc_nchw16c_out(OC_F32, g->cpu) : NULL;
    t.tap = g->scratch;
    list_taps(&t, t.tap);
    t.scratch = (char *)g->scratch + taps_bytes(&t);
    oc_work_run(&g->work, t.cut.units, convolve_bands, &t);
}

/* ---- one part, which is all ---- */

static oc_few_part whole(const oc_conv *g)
{
    const int axes = g->window.axes;
    return (oc_few_part){.row = oc_window_side_of(&g->window, axes - 2),
                         .column = oc_window_side_of(&g->window, axes - 1),
                         .w = g->w,
                         .row_step = 1,
                         .column_step = 1};
}

bool oc_conv_few_suits(const oc_conv *g)
{
    if (g->window.axes < 1 || g->window.axes > 2)
        return false;
    const oc_few_part p = whole(g);
    return oc_few_parts_suit(g, &p, 1);
}

uint64_t oc_conv_few_scratch(const oc_conv *g)
{
    const oc_few_part p = whole(g);
    return oc_few_parts_scratch(g, &p, 1);
}

void oc_conv_few_run(const oc_conv *g)
{
    const oc_few_part p = whole(g);
    oc_few_parts_run(g, &p, 1);
}
