/* SPDX-License-Identifier: Apache-2.0
 * conv_bands.c - cuts the output of a convolution into bands. */
#include "kernels/conv/conv_bands.h"

#include "base/element_type.h"
#include "base/int.h"
#include "base/share.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/common/precondition.h"

static const double SPARSE = 0.75; /* share of taps in the image */
static const double WHOLE = 0.875; /* share of positions whose taps all are */

enum {
    ROOM = 100 * 1024,      /* floats of a patch that leave room for weights in the second cache */
    PANEL = 160 * 1024,     /* floats of widened weights */
    MOST = 4 * 1024 * 1024, /* floats of a patch that is not worth its memory */
    ENOUGH = 32,            /* positions for which it is worth while to read weights */
    MANY = 128,             /* the same where the sums are stored between channels */
    FEW = OC_TILE_POSITIONS
};

/* Is it shorter to copy the pixels under n positions for each tap by itself? */
static bool is_apart(const oc_window_side *s, int64_t n)
{
    return s->stride == 1 && s->kernel * n < oc_window_side_reach(s, n);
}

/* Pixels that a patch for n positions has. */
static int64_t extent(const oc_window_side *s, int64_t n)
{
    return is_apart(s, n) ? s->kernel * n : oc_window_side_reach(s, n);
}

/* Pixels of one channel. */
static int64_t patch_pixels(const oc_conv_bands *t, int64_t rows, int64_t columns)
{
    return t->outer_taps * extent(&t->row, rows) * extent(&t->column, columns);
}

static int64_t patch_size(const oc_conv_bands *t, int64_t rows, int64_t columns)
{
    return oc_div_up(t->depth, t->block) * t->block * patch_pixels(t, rows, columns);
}

int64_t oc_conv_patch_size(const oc_conv_bands *t)
{
    return patch_size(t, t->rows, t->columns);
}

/* Is a patch for a few positions of one row small? Sizes are compared, then multiplied. */
static bool is_bearable(const oc_conv_bands *t)
{
    const int64_t columns = oc_min(t->column.out, FEW);
    const int64_t many[] = {t->spanned + OC_BLOCK_CHANNELS, t->outer_taps, extent(&t->row, 1),
                            extent(&t->column, columns)};
    int64_t size = 1;
    for (int i = 0; i < 4; i++) {
        if (many[i] < 1 || many[i] > MOST / size)
            return false;
        size *= many[i];
    }
    return true;
}

/* The share of taps, counted at each position, that lies in the image. */
static double share_inside(const oc_window_side *s)
{
    double inside = 0;
    if (4 * (s->kernel - 1) * s->dilation < s->in) /* nearly all */
        return 1;
    for (int64_t i = 0; i < s->out; i++) {
        const oc_window_part k = oc_window_side_taps(s, i, 1);
        inside += k.end > k.first ? (double)(k.end - k.first) : 0;
    }
    return inside / ((double)s->out * (double)s->kernel);
}

/* The most places that n channels span in blocks of 16 where parts have n each: a part begins
 * behind a multiple of the greatest power of 2 that divides n. */
static int64_t spanned(int64_t parts, int64_t n)
{
    const int64_t step = n & -n;
    return parts > 1 && step < OC_BLOCK_CHANNELS ? n + OC_BLOCK_CHANNELS - step : n;
}

/* Decides whether taps in the padding are left out, which needs finite weights, and pixels that
 * are floats, unless a row of float16 is read without conversion. */
static void set_padding(const oc_conv_nchw16c *g, oc_conv_bands *t)
{
    const oc_window_part *whole = &t->whole;
    if (!g->finite)
        return;
    if (g->algorithm == OC_CONV_DEPTHWISE) {
        if (g->type == OC_F16)
            t->depthwise = oc_depthwise_nchw16c_pick_f16(g->cpu, &t->column);
        t->bare = !t->half || t->depthwise;
        if (!t->depthwise)
            t->depthwise = oc_depthwise_nchw16c_pick(g->cpu, &t->column);
    } else if (t->small) {
        t->bare = !t->half && t->outer == 0 &&
                  (double)(whole->end - whole->first) >= WHOLE * (double)t->column.out;
    } else {
        t->sparse = share_inside(&t->row) * share_inside(&t->column) < SPARSE;
    }
}

bool oc_conv_bands_of(const oc_conv_nchw16c *g, oc_conv_bands *t)
{
    const oc_window *w = &g->window;
    *t = (oc_conv_bands){.row = oc_window_side_of(w, w->axes - 2),
                         .column = oc_window_side_of(w, w->axes - 1),
                         .outer = w->axes > 2 ? w->axes - 2 : 0,
                         .outer_taps = 1,
                         .outer_out = 1,
                         .pixels = 1,
                         .positions = 1};
    for (int a = 0; a < w->axes; a++) {
        if (w->out[a] < 1 || w->in[a] < 1 || w->kernel[a] < 1 || w->kernel[a] > MOST ||
            w->stride[a] > MOST || w->dilation[a] > MOST)
            return false;
        t->pixels *= w->in[a];
        t->positions *= w->out[a];
        if (a < t->outer && w->kernel[a] > MOST / t->outer_taps)
            return false;
        t->outer_taps *= a < t->outer ? w->kernel[a] : 1;
        t->outer_out *= a < t->outer ? w->out[a] : 1;
    }
    t->small = g->algorithm == OC_CONV_GROUPS || g->algorithm == OC_CONV_DEPTHWISE;
    t->parts = t->small ? oc_channel_blocks(g->groups * g->out_channels) : g->groups;
    t->channels = t->small ? OC_BLOCK_CHANNELS : g->channels;
    t->out_channels = t->small ? OC_BLOCK_CHANNELS : g->out_channels;
    t->block = g->nchw ? 1 : OC_BLOCK_CHANNELS;
    t->spanned = t->block > 1 ? spanned(t->parts, t->channels) : t->channels;
    t->blocks = oc_channel_blocks(spanned(t->parts, t->out_channels));
    t->together = t->out_channels % OC_BLOCK_CHANNELS ? t->parts : 1;
    if (!is_bearable(t))
        return false;
    t->taps = t->outer_taps * t->row.kernel * t->column.kernel;
    t->whole = oc_window_side_whole(&t->column);
    t->half = oc_type_is_half(g->type) ? oc_half_pick(g->type, g->cpu) : NULL;
    t->half_weights = oc_type_is_half(g->w_type);
    set_padding(g, t);
    return true;
}

/* Returns the size of pieces that are as even as can be and not larger than `most`. */
static int64_t even(int64_t n, int64_t most)
{
    const int64_t pieces = oc_div_up(n, most);
    return oc_div_up(n, pieces);
}

/* Returns how many channels of a patch leave room for that many positions. */
static int64_t depth_for(const oc_conv_bands *t, int64_t positions)
{
    const int64_t columns = t->column.out < 2 * positions ? t->column.out : positions;
    const int64_t all_rows = oc_div_up(positions, columns);
    const int64_t rows = oc_min(t->row.out, all_rows);
    return ROOM / patch_pixels(t, rows, columns) / OC_BLOCK_CHANNELS * OC_BLOCK_CHANNELS;
}

/* Channels whose weights, widened for a tile, leave room in the second cache. */
static int64_t depth_of_panel(const oc_conv_bands *t)
{
    const int64_t line = OC_TILE_BLOCKS * OC_BLOCK_CHANNELS * t->taps;
    return PANEL / line / OC_BLOCK_CHANNELS * OC_BLOCK_CHANNELS;
}

/* All channels if that leaves room for a few positions, else so few that there is room for many. */
static void cut_depth(oc_conv_bands *t)
{
    const int64_t wide = t->half_weights ? depth_of_panel(t) : t->spanned;
    t->depth = t->spanned;
    if (t->small || t->spanned <= oc_min(depth_for(t, ENOUGH), wide))
        return;
    const int64_t depth = oc_min(depth_for(t, MANY), wide);
    t->depth = depth < OC_BLOCK_CHANNELS ? OC_BLOCK_CHANNELS
               : depth < t->spanned      ? depth
                                         : t->spanned;
}

/* Is there room for a patch of that many rows, and are there `least` bands of them? */
static bool has_room(const oc_conv_bands *t, int64_t rows, int64_t columns, int64_t least)
{
    return t->row.out / rows >= least && patch_size(t, rows, columns) <= ROOM;
}

void oc_conv_bands_cut(oc_conv_bands *t, int64_t least)
{
    const int64_t rows_out = t->row.out, columns_out = t->column.out;
    int64_t columns = columns_out, rows = 1;
    cut_depth(t);
    while (columns > FEW &&
           (patch_size(t, 1, columns) > ROOM || (t->half && !t->half_weights && columns > MANY) ||
            t->outer_out * rows_out * (columns_out / columns) < least))
        columns = columns / 2 < FEW ? FEW : columns / 2;
    columns = even(columns_out, columns);
    if (columns < columns_out && columns % FEW)
        columns += FEW - columns % FEW;
    const int64_t beside = oc_div_up(columns_out, columns) * t->outer_out;
    const int64_t below = oc_div_up(least, beside);
    if (has_room(t, rows_out, columns, below))
        rows = rows_out;
    while (rows < rows_out && has_room(t, rows + 1, columns, below))
        rows++;
    t->rows = even(rows_out, rows);
    t->columns = columns;
    t->height = extent(&t->row, t->rows);
    t->pitch = extent(&t->column, t->columns);
    t->rows_apart = is_apart(&t->row, t->rows);
    t->columns_apart = is_apart(&t->column, t->columns);
    t->row_bands = oc_div_up(rows_out, t->rows);
    t->column_bands = oc_div_up(columns_out, t->columns);
}

void oc_conv_bands_share(oc_conv_bands *t, int threads, int64_t each, int64_t grain)
{
    const int64_t rows = oc_div_up(oc_div_up(t->row.out / grain, threads), each) * grain;
    t->shares = threads;
    t->grain = grain;
    t->rows = rows;
    t->height = extent(&t->row, rows);
    t->rows_apart = is_apart(&t->row, rows);
    t->row_bands = threads * each;
}

/* The channels and output channels of the band's part. */
static void set_part(const oc_conv_bands *t, oc_conv_band *b)
{
    const int64_t channel = b->part * t->channels, out_channel = b->part * t->out_channels,
                  end = out_channel + t->out_channels;
    b->skip = channel % t->block;
    b->channel = channel - b->skip;
    b->channels = b->skip + t->channels;
    b->keep = out_channel % OC_BLOCK_CHANNELS;
    b->block = out_channel / OC_BLOCK_CHANNELS;
    b->blocks = oc_channel_blocks(end) - b->block;
    b->complete = b->part + 1 < t->parts ? end / OC_BLOCK_CHANNELS - b->block : b->blocks;
}

static void set_rows(const oc_conv_bands *t, oc_conv_band *b, int64_t i)
{
    if (!t->shares) {
        b->row = i * t->rows;
        b->rows = oc_min(t->row.out - b->row, t->rows);
        return;
    }
    const oc_span s = oc_share_twice(t->row.out / t->grain, t->shares, t->row_bands, i);
    b->row = s.first * t->grain;
    b->rows = (s.end - s.first) * t->grain;
}

/* *i modulo n; *i becomes the rest. A division takes as long as all else, and n is often 1. */
static int64_t take(int64_t *i, int64_t n)
{
    const int64_t all = *i;
    *i = n == 1 ? all : all / n;
    return n == 1 ? 0 : all % n;
}

oc_conv_band oc_conv_band_at(const oc_conv_bands *t, const oc_window *w, int64_t i)
{
    oc_conv_band b;
    const int64_t part = take(&i, t->together);
    b.column = take(&i, t->column_bands) * t->columns;
    const int64_t row_band = take(&i, t->row_bands);
    b.outer_index = take(&i, t->outer_out);
    b.part = take(&i, t->together == 1 ? t->parts : t->parts / t->together) * t->together + part;
    b.image = i;
    oc_window_outer_position(w, t->outer, b.outer_index, b.outer);
    set_rows(t, &b, row_band);
    b.columns = oc_min(t->column.out - b.column, t->columns);
    set_part(t, &b);
    return b;
}
