/* SPDX-License-Identifier: Apache-2.0
 * conv_bands.c - cuts the output of a convolution into bands. */
#include "kernels/conv/conv_bands.h"

#include "base/element_type.h"
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

/* Channels of a patch, in whole blocks. */
static int64_t patch_depth(const oc_conv_bands *t)
{
    return oc_div_up(t->depth, t->block) * t->block;
}

int64_t oc_conv_patch_size(const oc_conv_bands *t)
{
    return patch_depth(t) * t->outer_taps * t->cut.row.pixels * t->cut.column.pixels;
}

/* Is a patch for a few positions of one row small? Sizes are compared, then multiplied. */
static bool is_bearable(const oc_conv_bands *t)
{
    const int64_t columns = oc_min(t->column.out, FEW);
    const int64_t many[] = {t->spanned + OC_BLOCK_CHANNELS, t->outer_taps,
                            oc_cut_pixels(&t->row, 1), oc_cut_pixels(&t->column, columns)};
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

/* How many channels a patch may have so that this number of positions has room beside it. */
static int64_t depth_for(const oc_conv_bands *t, int64_t positions)
{
    const int64_t columns = t->column.out < 2 * positions ? t->column.out : positions;
    const int64_t all_rows = oc_div_up(positions, columns);
    const int64_t rows = oc_min(t->row.out, all_rows);
    const int64_t pixels =
        t->outer_taps * oc_cut_pixels(&t->row, rows) * oc_cut_pixels(&t->column, columns);
    return ROOM / pixels / OC_BLOCK_CHANNELS * OC_BLOCK_CHANNELS;
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

oc_conv_bands oc_conv_bands_for(const oc_conv_nchw16c *g)
{
    oc_conv_bands all, *const t = &all;
    OC_UNUSED const bool suits = oc_conv_bands_of(g, t);
    assert(suits);
    cut_depth(t);
    const bool sums_wait = t->half && !t->half_weights; /* in memory of the task */
    const double taps = (double)(t->small ? g->channels : t->channels) * (double)t->taps;
    const int64_t spanned = t->outer_taps * t->spanned * t->together;
    const oc_conv_load l = {.row = t->row,
                            .column = t->column,
                            .row_grain = 1,
                            .column_grain = FEW,
                            .low = 1,
                            .widest = sums_wait ? MANY : 0,
                            .planes = g->images * (t->parts / t->together) * t->outer_out,
                            .pixel = patch_depth(t) * t->outer_taps * (int64_t)sizeof(float),
                            .room = ROOM * sizeof(float),
                            .blocks = t->together > 1 ? 1 : t->blocks,
                            .together = t->together > 1 ? 1 : oc_tile_nchw16c_pick(g->cpu)->blocks,
                            .lines =
                                t->together > 1 ? taps * (double)(t->blocks * t->together) : taps,
                            .copied = t->bare ? 0 : (double)spanned / OC_BLOCK_CHANNELS};
    t->cut = oc_conv_cut_for(&l, oc_work_most_tasks(&g->work));
    return all;
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

oc_conv_band oc_conv_band_at(const oc_conv_bands *t, const oc_window *w, int64_t i)
{
    oc_conv_band b;
    const int64_t part = oc_cut_take(&i, t->together);
    const oc_cut_band at = oc_cut_band_at(&t->cut, i);
    b.row = at.row;
    b.rows = at.rows;
    b.column = at.column;
    b.columns = at.columns;
    i = at.plane;
    b.outer_index = oc_cut_take(&i, t->outer_out);
    b.part =
        oc_cut_take(&i, t->together == 1 ? t->parts : t->parts / t->together) * t->together + part;
    b.image = i;
    oc_window_outer_position(w, t->outer, b.outer_index, b.outer);
    set_part(t, &b);
    return b;
}
