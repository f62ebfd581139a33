/* SPDX-License-Identifier: Apache-2.0
 * lane_bands.c - cuts the output of a convolution into bands, and copies the pixels under one. */
#include "kernels/lanes/lane_bands.h"

#include <string.h>

#include "kernels/common/lanes.h"
#include "kernels/common/precondition.h"

static const double SPARSE = 0.75; /* share of taps in the image */

enum {
    ROOM = 100 * 1024,      /* floats of a patch that leave room for weights in the second cache */
    MOST = 4 * 1024 * 1024, /* floats of a patch that is not worth its memory */
    ENOUGH = 32,            /* positions for which it is worth while to read weights */
    MANY = 128,             /* the same where the sums are stored between channels */
    FEW = OC_TILE_POSITIONS
};

/* Pixels from the first to the last under n positions. */
static int64_t reach(const oc_window_side *s, int64_t n)
{
    return (n - 1) * s->stride + (s->kernel - 1) * s->dilation + 1;
}

/* Is it shorter to copy the pixels under n positions for each tap by itself? */
static bool is_apart(const oc_window_side *s, int64_t n)
{
    return s->stride == 1 && s->kernel * n < reach(s, n);
}

/* Pixels that a patch for n positions has. */
static int64_t extent(const oc_window_side *s, int64_t n)
{
    return is_apart(s, n) ? s->kernel * n : reach(s, n);
}

/* Pixels of one channel. */
static int64_t patch_pixels(const oc_lane_bands *t, int64_t rows, int64_t columns)
{
    return t->outer_taps * extent(&t->row, rows) * extent(&t->column, columns);
}

static int64_t patch_size(const oc_lane_bands *t, int64_t rows, int64_t columns)
{
    return (t->depth + t->lanes - 1) / t->lanes * t->lanes * patch_pixels(t, rows, columns);
}

int64_t oc_lane_patch_size(const oc_lane_bands *t)
{
    return patch_size(t, t->rows, t->columns);
}

/* Is a patch for a few positions of one row small? Sizes are compared, then multiplied. */
static bool is_bearable(const oc_lane_bands *t)
{
    const int64_t columns = t->column.out < FEW ? t->column.out : FEW;
    const int64_t many[] = {t->channels + OC_LANE_FLOATS, t->outer_taps, extent(&t->row, 1),
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

bool oc_lane_bands_of(const oc_lane_conv *g, oc_lane_bands *t)
{
    const oc_window *w = &g->window;
    *t = (oc_lane_bands){.row = oc_window_side_of(w, w->axes - 2),
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
    t->small = g->groups > 1 && g->maps < OC_LANE_FLOATS;
    t->parts = t->small ? oc_lane_blocks(g->groups * g->maps) : g->groups;
    t->channels = t->small ? OC_LANE_FLOATS : g->channels;
    t->blocks = t->small ? 1 : oc_lane_blocks(g->maps);
    t->lanes = g->planes && !t->small ? 1 : OC_LANE_FLOATS;
    if (!is_bearable(t))
        return false;
    t->taps = t->outer_taps * t->row.kernel * t->column.kernel;
    t->sparse = !t->small && g->finite && share_inside(&t->row) * share_inside(&t->column) < SPARSE;
    return true;
}

/* As even as can be: the size of each of so many pieces that none is larger than `most`. */
static int64_t even(int64_t n, int64_t most)
{
    const int64_t pieces = (n + most - 1) / most;
    return (n + pieces - 1) / pieces;
}

/* Channels of a patch that leave room for so many positions. */
static int64_t depth_for(const oc_lane_bands *t, int64_t positions)
{
    const int64_t columns = t->column.out < 2 * positions ? t->column.out : positions;
    const int64_t all_rows = (positions + columns - 1) / columns;
    const int64_t rows = t->row.out < all_rows ? t->row.out : all_rows;
    return ROOM / patch_pixels(t, rows, columns) / OC_LANE_FLOATS * OC_LANE_FLOATS;
}

/* All channels if that leaves room for a few positions, else so few that there is room for many. */
static void cut_depth(oc_lane_bands *t)
{
    t->depth = t->channels;
    if (t->small || t->channels <= depth_for(t, ENOUGH))
        return;
    const int64_t depth = depth_for(t, MANY);
    t->depth = depth < OC_LANE_FLOATS ? OC_LANE_FLOATS : depth < t->channels ? depth : t->channels;
}

void oc_lane_bands_cut(oc_lane_bands *t, int64_t least)
{
    const int64_t rows_out = t->row.out, columns_out = t->column.out;
    int64_t columns = columns_out, rows = 1;
    cut_depth(t);
    while (columns > FEW && (patch_size(t, 1, columns) > ROOM ||
                             t->outer_out * rows_out * (columns_out / columns) < least))
        columns = columns / 2 < FEW ? FEW : columns / 2;
    columns = even(columns_out, columns);
    if (columns < columns_out && columns % FEW)
        columns += FEW - columns % FEW;
    const int64_t beside = (columns_out + columns - 1) / columns * t->outer_out;
    while (rows < rows_out && patch_size(t, rows + 1, columns) <= ROOM &&
           rows_out / (rows + 1) * beside >= least)
        rows++;
    t->rows = even(rows_out, rows);
    t->columns = columns;
    t->height = extent(&t->row, t->rows);
    t->pitch = extent(&t->column, t->columns);
    t->rows_apart = is_apart(&t->row, t->rows);
    t->columns_apart = is_apart(&t->column, t->columns);
    t->row_bands = (rows_out + t->rows - 1) / t->rows;
    t->column_bands = (columns_out + t->columns - 1) / t->columns;
}

oc_lane_band oc_lane_band_at(const oc_lane_bands *t, const oc_window *w, int64_t i)
{
    oc_lane_band b;
    b.column = i % t->column_bands * t->columns;
    i /= t->column_bands;
    b.row = i % t->row_bands * t->rows;
    i /= t->row_bands;
    b.outer_index = i % t->outer_out;
    i /= t->outer_out;
    b.part = i % t->parts;
    b.image = i / t->parts;
    oc_window_outer_position(w, t->outer, b.outer_index, b.outer);
    b.rows = t->row.out - b.row < t->rows ? t->row.out - b.row : t->rows;
    b.columns = t->column.out - b.column < t->columns ? t->column.out - b.column : t->columns;
    return b;
}

/* ---- pixels ---- */

static bool side_inside(const oc_window_side *s, int64_t first, int64_t n)
{
    const int64_t from = first * s->stride - s->pad;
    return from >= 0 && from + reach(s, n) <= s->in;
}

bool oc_lane_band_inside(const oc_lane_conv *g, const oc_lane_bands *t, const oc_lane_band *b)
{
    const oc_window *w = &g->window;
    if (g->planes && t->small)
        return false;
    for (int a = 0; a < t->outer; a++) {
        const oc_window_side s = oc_window_side_of(w, a);
        if (!side_inside(&s, b->outer[a], 1))
            return false;
    }
    return side_inside(&t->row, b->row, b->rows) && side_inside(&t->column, b->column, b->columns);
}

/* Where some pixels of a row of a patch come from: pixels first .. end-1 of all lie in the image,
 * the first of them at pixel `at` of its row. */
typedef struct span {
    int64_t at, first, end, all;
} span;

/* `all` pixels from pixel number `from` on, which may be in the padding. */
static span span_of(const oc_lane_bands *t, int64_t from, int64_t all)
{
    span s = {.all = all};
    s.first = from < 0 ? (-from < all ? -from : all) : 0;
    s.end = t->column.in - from < all ? t->column.in - from : all;
    s.end = s.end < s.first ? s.first : s.end;
    s.at = from + s.first;
    return s;
}

/* Pixels of `lanes` floats, or where turn is not NULL pixels of as many planes; zeros where there
 * are none. row NULL: all are in the padding. */
static void fill_span(const oc_lane_bands *t, float *to, const float *row, const span *s,
                      oc_lanes_in_fn *turn, int channels)
{
    const int64_t lanes = t->lanes;
    if (!row || s->first == s->end) {
        memset(to, 0, (size_t)(s->all * lanes) * sizeof *to);
        return;
    }
    memset(to, 0, (size_t)(s->first * lanes) * sizeof *to);
    if (turn)
        turn(to + s->first * lanes, row + s->at, t->pixels, channels, s->end - s->first);
    else
        memcpy(to + s->first * lanes, row + s->at * lanes,
               (size_t)((s->end - s->first) * lanes) * sizeof *to);
    memset(to + s->end * lanes, 0, (size_t)((s->all - s->end) * lanes) * sizeof *to);
}

/* The columns under a band, in one piece or tap by tap. */
static void fill_row(const oc_lane_bands *t, const oc_lane_band *b, float *to, const float *row,
                     oc_lanes_in_fn *turn, int channels)
{
    const oc_window_side *c = &t->column;
    const int64_t from = b->column * c->stride - c->pad;
    const int64_t pieces = t->columns_apart ? c->kernel : 1;
    for (int64_t k = 0; k < pieces; k++, to += t->columns * t->lanes) {
        const span s = span_of(t, from + k * c->dilation,
                               t->columns_apart ? b->columns : reach(c, b->columns));
        fill_span(t, to, row, &s, turn, channels);
    }
}

/* The image's row that row i of a patch is; -1 where the band has none. */
static int64_t row_at(const oc_lane_bands *t, const oc_lane_band *b, int64_t i)
{
    const oc_window_side *r = &t->row;
    const int64_t first = b->row * r->stride - r->pad;
    if (!t->rows_apart)
        return i < reach(r, b->rows) ? first + i : -1;
    return i % t->rows < b->rows ? first + i % t->rows + i / t->rows * r->dilation : -1;
}

void oc_lane_patch_fill(const oc_lane_conv *g, const oc_lane_bands *t, const oc_lane_band *b,
                        int64_t first, float *patch)
{
    oc_lanes_in_fn *const turn = g->planes && t->lanes > 1 ? oc_lanes_in(OC_F32, g->cpu) : NULL;
    const int64_t beside = turn ? 1 : t->lanes; /* floats of a pixel of x */
    const int64_t all = g->groups * g->channels, channel = b->part * t->channels + first;
    const int64_t depth = t->channels - first < t->depth ? t->channels - first : t->depth;
    const int64_t left = all - channel < depth ? all - channel : depth;
    const int64_t stored = g->planes ? all : oc_lane_blocks(all) * OC_LANE_FLOATS;
    const int64_t width = t->pitch * t->lanes;
    const float *x = g->x + (b->image * stored + channel) * t->pixels;
    for (int64_t c = 0; c < left; c += t->lanes, x += t->lanes * t->pixels)
        for (int64_t k = 0; k < t->outer_taps; k++, patch += t->height * width) {
            const int64_t outer = oc_window_outer_pixel(&g->window, t->outer, b->outer, k);
            for (int64_t i = 0; i < t->height; i++) {
                const int64_t row = row_at(t, b, i);
                const bool inside = outer >= 0 && row >= 0 && row < t->row.in;
                fill_row(t, b, patch + i * width,
                         inside ? x + (outer * t->row.in + row) * t->column.in * beside : NULL,
                         turn, (int)(left - c < t->lanes ? left - c : t->lanes));
            }
        }
}

int64_t oc_lane_taps_inside(const oc_lane_bands *t, int64_t row, int64_t column, int64_t n,
                            const oc_lane_tap *all, oc_lane_tap *some)
{
    const oc_window_part rows = oc_window_side_taps(&t->row, row, 1);
    const oc_window_part columns = oc_window_side_taps(&t->column, column, n);
    int64_t many = 0;
    for (int64_t o = 0; o < t->outer_taps; o++)
        for (int64_t r = rows.first; r < rows.end; r++)
            for (int64_t c = columns.first; c < columns.end; c++)
                some[many++] = all[(o * t->row.kernel + r) * t->column.kernel + c];
    return many;
}
