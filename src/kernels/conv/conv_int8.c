/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.c - cuts the output into bands, and runs tiles over them. */
#include "kernels/conv/conv_int8.h"

#include "kernels/conv/conv_cut.h"
#include "kernels/common/precondition.h"

enum {
    ROOM = 192 * 1024,       /* bytes of a patch that leave room for weights in the second cache */
    MOST = 16 * 1024 * 1024, /* bytes of a patch that is not worth its memory */
    FASTER = 4               /* products in the time of one of floats */
};

/* Products of a line of weights in the time that as many bytes of pixels take to be written next
 * after several threads have read them. */
enum { SHARED = 25 };

/* ---- bands ---- */

/* What every unit shares: a band for one piece of the blocks of output channels. */
typedef struct job {
    const oc_conv_int8 *g;
    const oc_tile_int8_variant *v;
    const oc_depthwise_int8_variant *depthwise; /* NULL: it is not */
    oc_window_side row, column;
    int64_t taps, pixels, positions;
    int64_t block, in_blocks; /* bytes of a pixel in a block of channels; such blocks of an image */
    int64_t pixel;            /* bytes that `block` takes in a patch */
    int64_t out_blocks, w_block;
    oc_conv_cut cut;
    int64_t height, pitch;        /* of the patch of the largest band, in pixels */
    int64_t *in_image, *in_patch; /* taps */
    uint8_t *patches;             /* of each task: the number of the band in it, then its pixels */
} job;

/* Is each position along an axis on the pixel of the same number? */
static bool is_same(const oc_window_side *s)
{
    return s->kernel == 1 && s->stride == 1 && s->pad == 0 && s->in == s->out;
}

static bool set_shape(const oc_conv_int8 *g, job *t)
{
    const oc_window *w = &g->window;
    const int64_t all = g->groups * g->channels;
    *t = (job){.g = g,
               .row = oc_window_side_of(w, w->axes - 2),
               .column = oc_window_side_of(w, w->axes - 1),
               .pixels = 1,
               .positions = 1};
    t->block = g->nchw ? OC_INT8_TOGETHER : OC_BLOCK_CHANNELS;
    t->in_blocks = oc_div_up(all, t->block);
    t->out_blocks = oc_channel_blocks(g->groups * g->out_channels);
    for (int a = 0; a < w->axes; a++) {
        if (w->out[a] < 1 || w->in[a] < 1 || w->kernel[a] > MOST || w->stride[a] > MOST ||
            w->dilation[a] > MOST)
            return false;
        t->pixels *= w->in[a];
        t->positions *= w->out[a];
    }
    t->taps = t->row.kernel * t->column.kernel;
    if (is_same(&t->row) && is_same(&t->column)) { /* an image is one row */
        t->row.in = t->row.out = 1;
        t->column.in = t->column.out = t->positions;
    }
    const double least = (double)t->in_blocks * (double)t->block *
                         (double)oc_window_side_reach(&t->row, 1) *
                         (double)oc_window_side_reach(&t->column, OC_INT8_POSITIONS);
    return least <= MOST;
}

/* The pixels from the first tap to the last, which a patch has all of. */
static oc_window_side without_gaps(oc_window_side s)
{
    s.kernel = oc_window_side_reach(&s, 1);
    s.dilation = 1;
    return s;
}

static void cut_bands(job *t)
{
    const double pixel = (double)(t->in_blocks * t->pixel) / OC_INT8_LINE;
    const bool copied = t->depthwise || t->taps > 1 || t->g->flip || t->pixel != OC_BLOCK_CHANNELS;
    const oc_conv_load l = {.row = without_gaps(t->row),
                            .column = without_gaps(t->column),
                            .row_grain = 1,
                            .column_grain = OC_INT8_POSITIONS,
                            .low = 1,
                            .planes = t->g->images,
                            .pixel = t->in_blocks * t->pixel,
                            .room = ROOM,
                            .blocks = t->out_blocks,
                            .together = t->v->blocks,
                            .lines = (double)t->w_block / OC_INT8_LINE,
                            .copied = copied ? pixel : 0,
                            .shared = (double)(t->in_blocks * t->block * t->pixels) / OC_INT8_LINE *
                                      SHARED};
    t->cut = oc_conv_cut_for(&l, oc_work_most_tasks(&t->g->work));
    t->height = t->cut.row.pixels;
    t->pitch = t->cut.column.pixels;
}

static job make_job(const oc_conv_int8 *g)
{
    job t;
    OC_UNUSED const bool suits = set_shape(g, &t);
    assert(suits);
    t.v = oc_tile_int8_pick(g->cpu);
    t.depthwise = g->algorithm == OC_CONV_DEPTHWISE ? oc_depthwise_int8_pick(g->cpu) : NULL;
    t.w_block = oc_int8_block_bytes(g, t.taps);
    t.pixel = t.depthwise ? t.block : t.block * t.v->wide;
    cut_bands(&t);
    return t;
}

/* Does each tap under the band lie in the image, in the form that tiles read? */
static bool is_inside(const job *t, const oc_cut_band *b)
{
    return t->pixel == OC_BLOCK_CHANNELS && !t->g->flip && !t->depthwise &&
           oc_window_side_inside(&t->row, b->row, b->rows) &&
           oc_window_side_inside(&t->column, b->column, b->columns);
}

/* ---- patches ---- */

/* n pixels of a row, of up to 4 channels in NCHW, side by side. */
static void join_channels(const job *t, uint8_t *to, const uint8_t *from, int64_t n)
{
    const int64_t channels = t->g->channels;
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < OC_INT8_TOGETHER; c++)
            to[i * OC_INT8_TOGETHER + c] = c < channels ? from[c * t->pixels + i] : 0;
}

/* Of n bytes, a multiple of 4. */
static void invert_sign(uint8_t *p, int64_t n)
{
    for (int64_t i = 0; i < n; i += OC_INT8_TOGETHER) {
        uint32_t four;
        memcpy(&four, p + i, sizeof four);
        four ^= 0x01010101U * OC_INT8_SIGN;
        memcpy(p + i, &four, sizeof four);
    }
}

/* Row `row` of the image, in one block of channels, from pixel `from` on, which may be in the
 * padding. Bytes that become wide are the latter half before. */
static void fill_row(const job *t, uint8_t *to, const uint8_t *block, int64_t row, int64_t from)
{
    const oc_conv_int8 *g = t->g;
    const bool inside = row >= 0 && row < t->row.in;
    const int64_t in = t->column.in;
    const int64_t first = !inside ? t->pitch : from < 0 ? oc_min(-from, t->pitch) : 0;
    const int64_t end = oc_max(first, oc_min(in - from, t->pitch));
    uint8_t *bytes = to + t->pitch * (t->pixel - t->block), *image = bytes + first * t->block;
    memset(bytes, g->zero, (size_t)(first * t->block));
    if (end > first && g->nchw)
        join_channels(t, image, block + row * in + from + first, end - first);
    else if (end > first)
        memcpy(image, block + (row * in + from + first) * t->block,
               (size_t)((end - first) * t->block));
    if (g->flip)
        invert_sign(image, (end - first) * t->block);
    memset(bytes + end * t->block, g->zero, (size_t)((t->pitch - end) * t->block));
    if (bytes != to)
        oc_int8_widen(to, bytes, t->pitch * t->block, t->block);
}

static void fill_patch(const job *t, const oc_cut_band *b, uint8_t *patch)
{
    const oc_conv_int8 *g = t->g;
    const int64_t channels = g->nchw ? g->channels : t->in_blocks * OC_BLOCK_CHANNELS;
    const uint8_t *image = g->x + b->plane * channels * t->pixels;
    const int64_t row = b->row * t->row.stride - t->row.pad;
    const int64_t height = oc_window_side_reach(&t->row, b->rows);
    for (int64_t c = 0; c < t->in_blocks; c++, patch += t->height * t->pitch * t->pixel)
        for (int64_t i = 0; i < height; i++)
            fill_row(t, patch + i * t->pitch * t->pixel, image + c * t->pixels * t->block, row + i,
                     b->column * t->column.stride - t->column.pad);
}

/* ---- tiles ---- */

/* Where tiles find the pixel under the first tap of a band, and how pixels lie there. */
typedef struct source {
    const uint8_t *x;
    const int64_t *tap;
    int64_t block, row; /* bytes to the next block of channels, and to the next row of pixels */
} source;

static source source_of(const job *t, const oc_cut_band *b, const uint8_t *patch)
{
    if (patch)
        return (source){patch, t->in_patch, t->height * t->pitch * t->pixel, t->pitch * t->pixel};
    const int64_t row = b->row * t->row.stride - t->row.pad;
    const int64_t at = row * t->column.in + b->column * t->column.stride - t->column.pad;
    return (source){t->g->x + (b->plane * t->in_blocks * t->pixels + at) * t->block, t->in_image,
                    t->pixels * t->block, t->column.in * t->block};
}

/* One row of positions, as even tiles as can be. */
static void run_row(const job *t, oc_tile_int8 tile, int blocks, int64_t columns)
{
    const int64_t size = tile.rescale ? 1 : (int64_t)sizeof(int32_t);
    const int64_t pieces = oc_div_up(columns, t->v->positions);
    for (int64_t i = 0; i < pieces; i++) {
        const int64_t n = columns / pieces + (i < columns % pieces);
        t->v->tile[blocks - 1][n - 1](&tile);
        tile.x += n * tile.x_step;
        tile.y = (char *)tile.y + n * OC_BLOCK_CHANNELS * size;
        if (tile.less)
            tile.less += n;
    }
}

/* What a tile reads for some blocks of output channels, which read the same channels. */
static oc_tile_int8 tile_of(const job *t, const source *from, int64_t block)
{
    const oc_int8_reach r = oc_int8_reach_of(t->g, block);
    return (oc_tile_int8){.x = from->x + r.first / t->block * from->block,
                          .w = t->g->w + block * t->w_block,
                          .b = t->g->b + block * OC_BLOCK_CHANNELS,
                          .tap = from->tap,
                          .taps = t->taps,
                          .channels = r.n,
                          .block = t->block,
                          .x_block = from->block,
                          .x_step = t->column.stride * t->pixel,
                          .y_step = OC_BLOCK_CHANNELS,
                          .y_block = t->positions * OC_BLOCK_CHANNELS,
                          .w_block = t->w_block};
}

/* The sums of the pixels under each window of a band, less what zero points are of them. room: for
 * a row of positions. */
static void sum_pixels(const job *t, const oc_cut_band *b, const source *from, int32_t *less,
                       int32_t *room)
{
    static const int32_t none[OC_BLOCK_CHANNELS];
    const uint32_t zeros = (uint32_t)(t->g->channels * t->taps) * t->g->zero;
    oc_tile_int8 tile = tile_of(t, from, 0);
    tile.w = t->g->w + t->out_blocks * t->w_block;
    tile.b = none;
    tile.y = room;
    for (int64_t i = 0; i < b->rows; i++, tile.x += t->row.stride * from->row) {
        run_row(t, tile, 1, b->columns);
        for (int64_t k = 0; k < b->columns; k++)
            *less++ = (int32_t)((uint32_t)room[k * OC_BLOCK_CHANNELS] - zeros);
    }
}

/* The rows of a band for some blocks of output channels. less: of sum_pixels, NULL without z. */
static void run_blocks(const job *t, const oc_cut_band *b, const source *from, const int32_t *less,
                       int64_t block, int blocks)
{
    const oc_conv_int8 *g = t->g;
    const int64_t size = g->rescale ? 1 : (int64_t)sizeof(int32_t);
    const int64_t first = b->row * t->column.out + b->column;
    oc_rescale rescale;
    oc_tile_int8 tile = tile_of(t, from, block);
    if (g->rescale) {
        rescale = *g->rescale;
        rescale.factor += block * OC_BLOCK_CHANNELS;
        tile.rescale = &rescale;
    }
    tile.less = less;
    tile.z = less ? g->z + block * OC_BLOCK_CHANNELS : NULL;
    tile.y = (char *)g->y +
             ((b->plane * t->out_blocks + block) * t->positions + first) * OC_BLOCK_CHANNELS * size;
    for (int64_t i = 0; i < b->rows; i++) {
        run_row(t, tile, blocks, b->columns);
        tile.x += t->row.stride * from->row;
        tile.y = (char *)tile.y + t->column.out * OC_BLOCK_CHANNELS * size;
        if (less)
            tile.less += b->columns;
    }
}

/* ---- scratch memory: two lists of taps, then for each task the number of the band in its
 * patch, in a line, the patch, and sums of pixels ---- */

/* Has room for the last four pixels of depthwise_int8.h. */
static uint64_t patch_room(const job *t)
{
    const int64_t pixels =
        t->in_blocks * t->height * t->pitch + 2 * OC_INT8_POSITIONS + t->column.kernel;
    return oc_cache_lines((uint64_t)(pixels * t->pixel));
}

static int64_t band_positions(const job *t)
{
    return t->cut.row.most * t->cut.column.most;
}

/* Of a band, and of a row before they are that. */
static uint64_t sums_room(const job *t)
{
    const int64_t n = band_positions(t) + t->cut.column.most * OC_BLOCK_CHANNELS;
    return t->g->groups == 1 ? oc_cache_lines((uint64_t)n * sizeof(int32_t)) : 0;
}

static uint64_t task_bytes(const job *t)
{
    return OC_CACHE_LINE + patch_room(t) + sums_room(t);
}

/* ---- units ---- */

/* The rows of a band for one block of channels, each a group by itself. */
static void run_depthwise(const job *t, const oc_cut_band *b, const source *from, int64_t block)
{
    const oc_conv_int8 *g = t->g;
    const int64_t size = g->rescale ? 1 : (int64_t)sizeof(int32_t);
    const int64_t first = b->row * t->column.out + b->column;
    const int64_t at = (b->plane * t->out_blocks + block) * t->positions + first;
    oc_rescale rescale;
    oc_depthwise_int8 d = {.y = (char *)g->y + at * OC_BLOCK_CHANNELS * size,
                           .x = from->x + block * from->block,
                           .w = g->w + block * t->w_block,
                           .b = g->b + block * OC_BLOCK_CHANNELS,
                           .form = oc_int8_form(g),
                           .rows = t->row.kernel,
                           .row = t->row.dilation * from->row,
                           .step = t->column.stride * t->block,
                           .positions = b->columns,
                           .height = b->rows,
                           .x_down = t->row.stride * from->row,
                           .y_down = t->column.out * OC_BLOCK_CHANNELS * size};
    if (g->rescale) {
        rescale = *g->rescale;
        rescale.factor += block * OC_BLOCK_CHANNELS;
        d.rescale = &rescale;
    }
    t->depthwise->run(&d);
}

/* How many blocks of output channels from number m on, before `end`, a tile computes together. */
static int blocks_together(const job *t, int64_t m, int64_t end)
{
    const int64_t most = oc_min(end - m, t->v->blocks);
    const oc_int8_reach own = oc_int8_reach_of(t->g, m),
                        last = oc_int8_reach_of(t->g, m + most - 1);
    return own.first == last.first && own.n == last.n ? (int)most : 1;
}

static void convolve_piece(const job *t, int64_t unit, const oc_cut_band *b, const source *from,
                           const int32_t *less)
{
    const oc_span some = oc_share(t->out_blocks, (int)t->cut.pieces, (int)(unit % t->cut.pieces));
    for (int64_t m = some.first; m < some.end;) {
        const int n = t->depthwise ? 1 : blocks_together(t, m, some.end);
        if (t->depthwise)
            run_depthwise(t, b, from, m);
        else
            run_blocks(t, b, from, less, m, n);
        m += n;
    }
}

static void convolve_bands(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    uint8_t *memory = t->patches + (size_t)task * task_bytes(t), *patch = memory + OC_CACHE_LINE;
    int64_t *filled = (int64_t *)(void *)memory;
    int32_t *sums = (int32_t *)(void *)(patch + patch_room(t));
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t at = unit / t->cut.pieces;
        const oc_cut_band b = oc_cut_band_at(&t->cut, at);
        const bool inside = is_inside(t, &b);
        const source from = source_of(t, &b, inside ? NULL : patch);
        if (!inside && *filled != at)
            fill_patch(t, &b, patch);
        if (t->g->z && *filled != at)
            sum_pixels(t, &b, &from, sums, sums + band_positions(t));
        *filled = at;
        convolve_piece(t, unit, &b, &from, t->g->z ? sums : NULL);
    }
}

/* ---- a convolution ---- */

bool oc_conv_int8_suits(const oc_conv_int8 *g)
{
    job t;
    return g->window.axes <= 2 && g->channels >= 1 && g->out_channels >= 1 && set_shape(g, &t);
}

bool oc_conv_int8_takes_nchw(const oc_conv_int8 *g)
{
    return g->groups == 1 && g->channels <= OC_INT8_TOGETHER;
}

double oc_conv_int8_work(const oc_conv_int8 *g)
{
    const double positions = (double)g->images * oc_window_taps(&g->window);
    return positions * (double)(g->groups * g->channels) *
           (double)(g->out_channels + OC_ELEMENT / 2) / FASTER;
}

static uint64_t taps_bytes(const job *t)
{
    return oc_cache_lines((uint64_t)(t->block / OC_INT8_TOGETHER * t->taps) * sizeof(int64_t));
}

uint64_t oc_conv_int8_scratch(const oc_conv_int8 *g)
{
    const job t = make_job(g);
    return 2 * taps_bytes(&t) + (uint64_t)oc_work_most_tasks(&g->work) * task_bytes(&t);
}

static void list_taps(const job *t, int64_t *tap, int64_t width)
{
    for (int64_t i = 0; i < t->block; i += OC_INT8_TOGETHER)
        for (int64_t k = 0; k < t->taps; k++) {
            const int64_t row = k / t->column.kernel * t->row.dilation;
            const int64_t column = k % t->column.kernel * t->column.dilation;
            *tap++ = (row * width + column) * t->pixel + i;
        }
}

void oc_conv_int8_run(const oc_conv_int8 *g, void *scratch)
{
    const int threads = oc_work_most_tasks(&g->work);
    assert(oc_is_aligned(g->w, OC_CACHE_LINE) && oc_is_aligned(scratch, OC_CACHE_LINE));
    assert(!g->nchw || oc_conv_int8_takes_nchw(g));
    job t = make_job(g);
    t.in_image = scratch;
    t.in_patch = (int64_t *)(void *)((char *)scratch + taps_bytes(&t));
    t.patches = (uint8_t *)scratch + 2 * taps_bytes(&t);
    list_taps(&t, t.in_image, t.column.in);
    list_taps(&t, t.in_patch, t.pitch);
    for (int i = 0; i < threads; i++)
        *(int64_t *)(void *)(t.patches + (size_t)i * task_bytes(&t)) = -1;
    oc_work_run(&g->work, t.cut.units, convolve_bands, &t);
}
