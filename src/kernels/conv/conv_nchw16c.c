/* SPDX-License-Identifier: Apache-2.0
 * conv_nchw16c.c - computes bands by tiles, and shares them among threads. */
#include "kernels/conv/conv_nchw16c.h"

#include "kernels/common/precondition.h"
#include "kernels/conv/conv_patch.h"
#include "kernels/matmul/half_row.h"

enum {
    PAIR = 2,    /* positions of a tile that read each other's taps too */
    AFTER = 128, /* positions that are worth a call of oc_tile_epilogue */
    HALF = OC_BLOCK_CHANNELS / 2
};

/* What every unit (oc_conv_bands_for) shares. */
typedef struct job {
    const oc_conv_nchw16c *g;
    const oc_tile_nchw16c_variant *v;
    const oc_conv_bands *bands;
    /* true: kernels that can round sums do so. For float16 with no epilogue but limits. */
    bool rounds;
    /* computes the only position and tap, with half weights; NULL: tiles do */
    oc_half_row_fn *half_row;
    oc_conv_places y;
    /* Of half numbers, sums become results from memory of the task: of some rows of a band and of
     * the blocks of a tile; or of all those of a unit, while patches hold some channels. */
    bool all_wait;
    int64_t sum_rows, sum_blocks;
    int64_t tile_weights; /* floats that the half weights of a tile are widened to */
    const oc_tile_tap *in_image, *in_patch;
    char *scratch; /* of the first task */
} job;

/* ---- scratch memory: both lists of taps, then for each task a line with the number of the band in
 * the patch, if it holds all channels, a list, a patch, sums, and weights of a tile ---- */

/* The scratch memory of a task. */
typedef struct room {
    int64_t *filled;
    oc_tile_tap *list;
    float *patch, *sums, *weights;
} room;

static uint64_t taps_bytes(const job *t)
{
    return oc_cache_lines((uint64_t)t->bands->taps * sizeof(oc_tile_tap));
}

static uint64_t patch_bytes(const job *t)
{
    return oc_cache_lines((uint64_t)oc_conv_patch_size(t->bands) * sizeof(float));
}

/* Returns the floats of one block of output channels. */
static int64_t block_sums(const job *t)
{
    return t->sum_rows * t->bands->cut.column.most * OC_BLOCK_CHANNELS;
}

static uint64_t task_bytes(const job *t)
{
    return OC_CACHE_LINE + taps_bytes(t) + patch_bytes(t) +
           (uint64_t)(t->sum_blocks * block_sums(t) + t->tile_weights) * sizeof(float);
}

static room room_of(const job *t, int task)
{
    char *memory = t->scratch + (size_t)task * task_bytes(t);
    char *list = memory + OC_CACHE_LINE, *patch = list + taps_bytes(t);
    float *sums = (float *)(void *)(patch + patch_bytes(t));
    return (room){(int64_t *)(void *)memory, (oc_tile_tap *)(void *)list, (float *)(void *)patch,
                  sums, sums + t->sum_blocks * block_sums(t)};
}

/* ---- units ---- */

/* Weights as a tile reads them: floats, with `block` from a block of output channels to the
 * next. */
typedef struct weights {
    const float *w;
    int64_t block;
    /* NULL: weights are floats. Else halves that are to be widened to `wide` */
    const uint16_t *half;
    float *wide;
    int64_t n, step; /* weights of a block; halves from a block to the next */
} weights;

/* What a band computes for the blocks of output channels of one tile. */
typedef struct pass {
    const oc_conv_band *band;
    oc_tile_nchw16c tile;
    oc_tile_nchw16c_fn *const *run; /* indexed by positions - 1 */
    int first_channel;              /* the channel of a block that is the tile's first */
    int64_t block;                  /* number of the first block among those of all images */
    /* number of blocks, and of those that are complete after these channels */
    int64_t blocks, complete;
    bool ends; /* true: these are the last channels */
    /* the epilogue that tiles leave over; NULL: there is none, or it must wait */
    oc_tile_epilogue_fn *after;
    oc_tile_tap *list; /* room for a list of taps */
    float *y;          /* sums of the first row, in y itself or in memory of the task */
    int64_t y_row;     /* floats from a row to the next */
    weights w;
    bool dense, begun; /* dense: the tile is a dense one; begun: the first tile is computed */
    bool rounds;       /* true: the kernel makes results, not sums */
} pass;

/* Computes one row of positions of groups of one channel, from a patch. */
static void run_depthwise_patch(const job *t, const pass *p)
{
    const oc_conv_bands *a = t->bands;
    const int64_t rows = a->cut.row.apart ? a->cut.row.most : a->row.dilation;
    const oc_depthwise_row r = {.x = p->tile.x,
                                .w = p->tile.w,
                                .b = p->tile.b,
                                .finish = p->tile.finish,
                                .out_channel = p->tile.out_channel,
                                .y = p->tile.y,
                                .pitch = rows * a->cut.column.pixels * OC_BLOCK_CHANNELS,
                                .rows = a->row.kernel,
                                .width = a->cut.column.pixels,
                                .positions = p->band->columns};
    t->bands->depthwise(&r);
}

/* As run_depthwise_patch, but from the image. */
static void run_depthwise(const job *t, pass *p, int64_t row)
{
    if (!t->bands->bare) {
        run_depthwise_patch(t, p);
        return;
    }
    const oc_conv_bands *a = t->bands;
    const oc_window_part taps = oc_window_side_taps(&a->row, row, 1);
    const int64_t line = a->column.in * OC_BLOCK_CHANNELS;
    const int64_t above = row * a->row.stride - a->row.pad + taps.first * a->row.dilation;
    const oc_depthwise_row r = {
        .x = oc_conv_element(a, p->tile.x, taps.end > taps.first ? above * line : 0),
        .w = p->tile.w + taps.first * a->column.kernel * OC_BLOCK_CHANNELS,
        .b = p->tile.b,
        .finish = p->tile.finish,
        .out_channel = p->tile.out_channel,
        .y = p->tile.y,
        .rounds = p->rounds,
        .bounds = p->rounds ? t->g->after.bounds : NULL,
        .pitch = a->row.dilation * line,
        .rows = taps.end - taps.first,
        .width = a->column.in,
        .from = p->band->column * a->column.stride - a->column.pad,
        .positions = p->band->columns};
    t->bands->depthwise(&r);
}

/* Computes one row of positions of small groups. Without patches taps in the padding are left
 * out: a tile begins at the first pixel of the plane, and positions whose taps all lie in the
 * image share tiles. */
static void run_groups(const job *t, pass *p, int64_t row)
{
    const oc_window_part *whole = &t->bands->whole;
    oc_tile_nchw16c tile = p->tile;
    int size = 0;
    while (1 << size < tile.channels)
        size++;
    if (!t->bands->bare) {
        t->v->groups[size](&tile, p->band->columns);
        return;
    }
    const int64_t end = p->band->column + p->band->columns;
    for (int64_t at = p->band->column, n; at < end; at += n) {
        const int64_t left = oc_min(whole->end, end) - at;
        n = at >= whole->first && left > 0 ? left : 1;
        tile.tap = p->list;
        tile.taps = oc_conv_taps_inside(t->bands, row, at, n,
                                        oc_conv_first_pixel(t->bands, row, at) * t->bands->block,
                                        p->tile.tap, p->list);
        t->v->groups[size](&tile, n);
        tile.y += n * tile.y_step;
    }
}

/* Does a row have so few pixels that neighbouring positions hardly share a tap in the image? */
static bool is_far_wider(const oc_window_side *column)
{
    return column->out >= 4 * column->in;
}

/* Runs the first tile of a pass, of n positions. Half weights are widened by this tile, or
 * before it. */
static void run_first(const job *t, pass *p, const oc_tile_nchw16c *tile, int64_t n)
{
    const weights *w = &p->w;
    const int64_t less = t->v->positions - n;
    oc_tile_nchw16c_fn *const widening =
        less < 2 ? t->v->widening[t->g->type == OC_BF16][less] : NULL;
    if (w->half && p->dense && p->blocks == t->v->blocks && widening) {
        widening(tile);
        return;
    }
    for (int v = 0; v < p->blocks && w->half; v++)
        t->bands->half->widen(w->wide + v * w->n, w->half + v * w->step, w->n);
    p->run[n - 1](tile);
}

/* Computes one row of positions of large groups. */
static void run_tiles(const job *t, pass *p, int64_t row)
{
    const int64_t columns = p->band->columns;
    oc_tile_nchw16c tile = p->tile;
    const bool apart = t->bands->sparse && is_far_wider(&t->bands->column);
    const int64_t most = apart ? oc_min(PAIR, t->v->positions) : t->v->positions;
    const int64_t pieces = oc_div_up(columns, most);
    const int64_t each = columns / pieces, more = columns % pieces;
    for (int64_t i = 0, column = p->band->column; i < pieces; i++) {
        const int64_t n = each + (i < more);
        if (t->bands->sparse) {
            tile.tap = p->list;
            tile.taps = oc_conv_taps_inside(t->bands, row, column, n, 0, p->tile.tap, p->list);
        }
        if (p->begun)
            p->run[n - 1](&tile);
        else
            run_first(t, p, &tile, n);
        p->begun = true;
        column += n;
        tile.x += n * tile.x_step;
        tile.y += n * tile.y_step;
    }
}

/* Computes the only position of an image. It reads weights once, so they are widened where they
 * are used. */
static void run_half_row(const job *t, const pass *p)
{
    float *const y = p->tile.y;
    const int64_t n = p->blocks * OC_BLOCK_CHANNELS;
    const oc_half_row r = {y, p->tile.x + p->tile.first, p->w.half, p->w.n / OC_BLOCK_CHANNELS,
                           p->w.step};
    if (!p->tile.continues)
        memset(y, 0, (size_t)n * sizeof *y);
    t->half_row(&r, (int)p->blocks);
    for (int64_t i = 0; i < n && p->tile.b; i++)
        y[i] += p->tile.b[i];
}

/* Returns the number of the image's row that is row i of a band. */
static int64_t row_of(const job *t, const oc_conv_band *b, int64_t i)
{
    return b->outer_index * t->bands->row.out + b->row + i;
}

/* Returns where row i of a band lies in y, for a block numbered among those of all images. */
static int64_t place_of(const job *t, const oc_conv_band *b, int64_t block, int64_t i)
{
    return (block * t->y.all + row_of(t, b, i) * t->y.row + b->column * t->y.column) *
           OC_BLOCK_CHANNELS;
}

/* Returns where the sums of row i of a band are. Rows from number `ready` on still have all
 * their sums. */
static float *sums_of(const job *t, const pass *p, int64_t i, int64_t ready)
{
    return p->y + (t->bands->half && !t->all_wait && !p->rounds ? i - ready : i) * p->y_row;
}

/* Rounds the sums of rows first to end - 1 of a band to halves, limited by bounds unless that is
 * NULL; or back: widens what other groups wrote to sums. */
static void convert_rows(const job *t, const oc_conv_band *b, int64_t block, oc_span rows,
                         float *sums, bool back, const oc_half_bounds *bounds)
{
    const oc_half_variant *half = t->bands->half;
    const int64_t step = t->y.column;
    const bool dense = step == 1 && t->y.row == b->columns;
    const int64_t n = dense ? (rows.end - rows.first) * b->columns : b->columns;
    const int64_t each = step == 1 ? n : 1;
    for (int64_t row = rows.first; row < rows.end; row += dense ? rows.end - rows.first : 1) {
        uint16_t *y = (uint16_t *)t->g->y + place_of(t, b, block, row);
        for (int64_t i = 0; i < n; i += each, sums += each * OC_BLOCK_CHANNELS) {
            if (back)
                half->widen(sums, y + i * step * OC_BLOCK_CHANNELS, each * OC_BLOCK_CHANNELS);
            else
                half->narrow_limited(y + i * step * OC_BLOCK_CHANNELS, sums,
                                     each * OC_BLOCK_CHANNELS, bounds);
        }
    }
}

/* Runs the epilogue on rows first to end - 1 of a band: one row, or rows that follow each other
 * without a gap. */
static void finish_rows(const job *t, const pass *p, int64_t first, int64_t end)
{
    const oc_tile_epilogue *all = &t->g->after;
    const oc_conv_band *b = p->band;
    const int64_t position = row_of(t, b, first) * t->bands->column.out + b->column;
    float *sums = sums_of(t, p, first, first);
    for (int64_t m = 0; m < p->blocks; m++, sums += p->tile.y_block) {
        const bool whole = m < p->complete;
        if (p->after && whole)
            p->after(all->ctx, sums, p->block + m, position, (end - first) * b->columns);
        if (t->bands->half)
            convert_rows(t, b, p->block + m, (oc_span){first, end}, sums, false,
                         whole ? all->bounds : NULL);
    }
}

/* Computes the rows of a band for some blocks of output channels. */
static void run_rows(const job *t, pass *p, const oc_conv_source *from)
{
    const oc_conv_bands *a = t->bands;
    const oc_conv_band *b = p->band;
    const bool whole = b->columns == a->column.out; /* true: rows follow each other without a gap */
    const bool finish = p->ends && (a->half || p->after) && !p->rounds;
    for (int64_t i = 0, ready = 0; i < b->rows; i++) {
        float *const sums = sums_of(t, p, i, ready);
        p->tile.x = from->x + i * a->row.stride * from->pitch;
        p->tile.y = sums + p->first_channel;
        if (a->half && p->tile.own && !p->tile.continues)
            convert_rows(t, b, p->block, (oc_span){i, i + 1}, sums, true, NULL);
        if (t->half_row)
            run_half_row(t, p);
        else
            (a->depthwise ? run_depthwise : a->small ? run_groups : run_tiles)(t, p, b->row + i);
        if (!finish || (whole && i + 1 < b->rows && (i + 1 - ready) * b->columns < AFTER))
            continue;
        finish_rows(t, p, ready, i + 1);
        ready = i + 1;
    }
}

/* Is half of block m of the band's part enough? *first becomes the half's first channel. */
static bool is_half(const oc_conv_bands *a, const oc_conv_band *b, int64_t m, int *first)
{
    const bool upper = m == 0 && b->keep == HALF, whole = m == 0 && b->keep > 0;
    *first = upper ? HALF : 0;
    return upper || (!whole && b->keep + a->out_channels - m * OC_BLOCK_CHANNELS <= HALF);
}

/* Sets the weights of a pass: those of the channels of a source, from block number `block` of an
 * image's output channels on. Halves are to be widened once for all positions of the band. */
static void set_weights(const job *t, pass *p, const oc_conv_source *from, int64_t block,
                        const room *r)
{
    const oc_conv_bands *a = t->bands;
    const int64_t channels = a->small ? t->g->channels : a->channels;
    const int64_t line = a->taps * OC_BLOCK_CHANNELS; /* weights of a channel */
    const int64_t before = from->first == 0 ? 0 : from->first - p->band->skip;
    const int64_t first = (block * channels + before) * line;
    if (a->half_weights) {
        p->w.w = p->w.wide = r->weights;
        p->w.half = (const uint16_t *)t->g->w + first;
        p->w.step = channels * line;
        p->w.n = (from->channels - (from->first == 0 ? p->band->skip : 0)) * line;
        p->w.block = p->w.n;
    } else {
        p->w = (weights){.w = (const float *)t->g->w + first};
        p->w.block = channels * line;
    }
}

/* Returns `own` of a tile for block m of the band's part: numbers below 0 for the first b->keep
 * channels. */
static const float *own_of(const oc_conv_band *b, int64_t m)
{
    static const float counted[] = {-15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5,
                                    -4,  -3,  -2,  -1,  0,   1,   2,  3,  4,  5,  6,
                                    7,   8,   9,   10,  11,  12,  13, 14, 15};
    return m == 0 && b->keep > 0 ? counted + OC_BLOCK_CHANNELS - 1 - b->keep : NULL;
}

/* Gives tiles what they can do of the epilogue, if the pass is the last to write their blocks. */
static void set_after(const job *t, pass *p, int64_t block)
{
    const oc_tile_epilogue *after = &t->g->after;
    p->after = after->run;
    if (!OC_TILE_FINISHES || !after->finish || !p->dense ||
        (t->bands->small && !t->bands->depthwise) || t->bands->half || p->tile.own ||
        p->complete < p->blocks)
        return;
    p->tile.finish = after->finish;
    p->tile.out_channel = block * OC_BLOCK_CHANNELS;
    p->after = after->rest;
}

/* Can tiles round the sums of blocks m to m + blocks - 1 of a band? No other group may share
 * these blocks. */
static bool can_round(const job *t, const oc_conv_band *b, int64_t m, int blocks)
{
    const int64_t pieces = oc_div_up(b->columns, t->v->positions);
    return t->v->rounding > 0 && b->columns / pieces >= t->v->rounding && !t->bands->small &&
           (m > 0 || b->keep == 0) && b->complete - m >= blocks;
}

/* Sets where a pass, for blocks from number m of its unit on, has its sums; or its results, with
 * 16 halves in the place of 8 floats. */
static void set_y(const job *t, pass *p, int64_t m, float *sums)
{
    const bool waits = t->bands->half && !p->rounds;
    const int64_t block = p->rounds ? HALF : OC_BLOCK_CHANNELS;
    p->tile.rounds = p->rounds;
    p->tile.bounds = t->g->after.bounds;
    p->tile.y_step = waits ? block : t->y.column * block;
    p->tile.y_block = waits ? block_sums(t) : t->y.all * block;
    p->y_row = (waits ? t->bands->cut.column.most : t->y.row) * block;
    p->y = waits ? sums + (t->all_wait ? m * block_sums(t) : 0)
                 : (float *)t->g->y + place_of(t, p->band, p->block, 0) / OC_BLOCK_CHANNELS * block;
}

static void run_band(const job *t, const oc_conv_band *b, oc_span out_channels,
                     const oc_conv_source *from, const room *r)
{
    const oc_conv_nchw16c *g = t->g;
    const oc_conv_bands *a = t->bands;
    const bool begins = from->first == 0, ends = from->first + from->channels == b->channels;
    const bool some = a->sparse || !begins || !ends;
    const int64_t of_image = b->image * oc_channel_blocks(g->groups * g->out_channels);
    for (int64_t m = out_channels.first; m < out_channels.end;) {
        pass p; /* not initialised, as all members are set below and zeroing would take longer */
        int next;
        p.band = b;
        p.first_channel = 0;
        p.ends = ends;
        p.list = r->list;
        p.begun = false;
        const bool half = !some && is_half(a, b, m, &p.first_channel);
        const bool row = !some && (a->half ? a->column.out : b->columns) == 1 && t->v->row &&
                         (m > 0 || b->keep == 0) && out_channels.end - m >= OC_TILE_ROW &&
                         !a->half_weights;
        const int most = row || t->half_row                               ? OC_TILE_ROW
                         : half || (!some && is_half(a, b, m + 1, &next)) ? 1
                                                                          : t->v->blocks;
        const int blocks = out_channels.end - m < most ? (int)(out_channels.end - m) : most;
        const int64_t block = b->block + m;
        if (!t->half_row)
            p.run = row    ? &t->v->row
                    : half ? t->v->narrow
                           : (some ? t->v->some : t->v->dense)[blocks - 1];
        set_weights(t, &p, from, block, r);
        p.dense = !half && !some && !row && !t->half_row;
        p.rounds = t->rounds && (a->bare || (p.dense && can_round(t, b, m, blocks)));
        p.tile = (oc_tile_nchw16c){
            .w = p.w.w + p.first_channel,
            .b = g->b && ends ? g->b + block * OC_BLOCK_CHANNELS + p.first_channel : NULL,
            .own = own_of(b, m),
            .tap = from->tap,
            .taps = a->taps,
            .first = begins ? b->skip : 0,
            .channels = a->small ? g->channels : from->channels,
            .block = a->block,
            .x_block = from->block,
            .x_step = a->column.stride * a->block,
            .w_channel = a->taps * OC_BLOCK_CHANNELS,
            .w_block = p.w.block,
            .continues = !begins,
            .half = p.w.half,
            .wide = p.w.wide,
            .half_block = p.w.step};
        p.block = of_image + block;
        p.blocks = blocks;
        p.complete = b->complete - m;
        set_after(t, &p, block);
        set_y(t, &p, m - out_channels.first, r->sums);
        run_rows(t, &p, from);
        m += blocks;
    }
}

/* The bands of a unit. */
static void convolve_piece(const job *t, int64_t unit, const room *r)
{
    const oc_conv_bands *a = t->bands;
    const int64_t first = unit / a->cut.pieces * a->together;
    for (int64_t i = first; i < first + a->together; i++) {
        const oc_conv_band b = oc_conv_band_at(a, &t->g->window, i);
        const oc_span out_channels =
            oc_share(b.blocks, (int)a->cut.pieces, (int)(unit % a->cut.pieces));
        if (a->bare || oc_conv_band_inside(t->g, a, &b)) {
            const oc_conv_source from = oc_conv_image_source(t->g, a, &b, t->in_image);
            run_band(t, &b, out_channels, &from, r);
            continue;
        }
        for (int64_t c = 0; c < b.channels; c += a->depth) {
            const oc_conv_source from = oc_conv_patch_source(a, &b, r->patch, c, t->in_patch);
            if (a->depth < b.channels || *r->filled != i)
                oc_conv_patch_fill(t->g, a, &b, c, from.channels, r->patch);
            run_band(t, &b, out_channels, &from, r);
        }
        *r->filled = i;
    }
}

static void convolve_bands(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const room r = room_of(t, task);
    for (int64_t unit = first; unit < end; unit++)
        convolve_piece(t, unit, &r);
}

double oc_conv_nchw16c_work(const oc_conv_nchw16c *g)
{
    const double out_channels = (double)(g->groups * g->out_channels),
                 channels = (double)g->channels;
    double area = 1;
    for (int a = 0; a < g->window.axes; a++)
        area *= (double)g->window.kernel[a];
    const double pixels = (double)(g->images * g->groups) * channels * oc_window_taps(&g->window);
    return pixels * (double)(g->out_channels + OC_ELEMENT / 2) +
           OC_WEIGHTS_STREAMED * out_channels * channels * area;
}

/* Sets how many sums and weights of halves a task holds as floats. */
static void set_floats(job *t)
{
    const oc_conv_bands *b = t->bands;
    const int64_t columns = b->cut.column.most;
    const int64_t some = columns == b->column.out ? oc_div_up(AFTER, columns) : 1;
    t->all_wait = b->depth < b->spanned;
    t->sum_rows = t->all_wait ? b->cut.row.most : oc_min(b->cut.row.most, some);
    t->sum_blocks = t->all_wait          ? oc_div_up(b->blocks, b->cut.pieces)
                    : b->column.out == 1 ? OC_TILE_ROW
                                         : t->v->blocks;
    if (b->half_weights && b->positions == 1 && b->taps == 1 && b->parts == 1)
        t->half_row = oc_half_row_pick(t->g->type, t->g->cpu);
    t->tile_weights = b->half_weights ? t->v->blocks * b->depth * b->taps * OC_BLOCK_CHANNELS : 0;
}

static job make_job(const oc_conv_nchw16c *g, const oc_conv_bands *bands)
{
    job t = {.g = g,
             .v = oc_tile_nchw16c_pick(g->cpu),
             .bands = bands,
             .rounds = g->type == OC_F16 && !g->after.run &&
                       !(g->after.bounds && g->after.bounds->instead)};
    t.y = g->part.all ? g->part : (oc_conv_places){bands->positions, bands->column.out, 1};
    if (bands->half)
        set_floats(&t);
    return t;
}

uint64_t oc_conv_nchw16c_scratch(const oc_conv_nchw16c *g, const oc_conv_bands *bands)
{
    const job t = make_job(g, bands);
    return 2 * taps_bytes(&t) + (uint64_t)oc_work_most_tasks(&g->work) * task_bytes(&t);
}

void oc_conv_nchw16c_run(const oc_conv_nchw16c *g, const oc_conv_bands *bands, void *scratch)
{
    const int threads = oc_work_most_tasks(&g->work);
    assert(oc_is_aligned(g->w, OC_CACHE_LINE));
    assert(oc_is_aligned(g->y, OC_BLOCK_CHANNELS * oc_type_size(g->type)));
    assert(oc_is_aligned(g->b, OC_CACHE_LINE) && oc_is_aligned(scratch, OC_CACHE_LINE));
    assert(g->nchw ? g->algorithm == OC_CONV_TILES : oc_is_aligned(g->x, OC_CACHE_LINE));
    job t = make_job(g, bands);
    assert(!bands->half_weights || (g->w_type == g->type && !bands->small));
    oc_tile_tap *const in_image = scratch;
    oc_tile_tap *const in_patch = (oc_tile_tap *)((char *)scratch + taps_bytes(&t));
    oc_conv_taps_list(bands, &g->window, in_image, in_patch);
    t.in_image = in_image;
    t.in_patch = in_patch;
    t.scratch = (char *)scratch + 2 * taps_bytes(&t);
    for (int i = 0; i < threads; i++)
        *room_of(&t, i).filled = -1;
    oc_work_run(&g->work, bands->cut.units, convolve_bands, &t);
}
