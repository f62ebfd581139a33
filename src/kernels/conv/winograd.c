/* SPDX-License-Identifier: Apache-2.0
 * winograd.c - packs weights, and shares the tiles of 4 x 4 results among threads. */
#include "kernels/conv/winograd.h"

#include "kernels/common/precondition.h"
#include "kernels/conv/conv_patch.h"

OC_VARIANTS(oc_winograd_variant, oc_winograd_variants)

enum {
    OUT = OC_WINOGRAD_OUT,
    SUMS = OC_WINOGRAD_SUMS,
    LEAST_CHANNELS = 16, /* with fewer, or fewer output channels, transforms outweigh products */
    LEAST_TILES = 12,    /* of an image: with fewer, weights are read for too few products */
    ROOM = 128 * 1024,   /* floats of a band that the second cache keeps */
    FEW_TILES = 32,      /* of a band, although they take more room */
    TRANSFORMED = 6      /* products in the time of a number of 16 channels */
};

/* ---- does it suit? ---- */

bool oc_winograd_suits_weights(int64_t groups, int64_t channels, int64_t out_channels,
                               const oc_window *kernel)
{
    return groups == 1 && channels >= LEAST_CHANNELS && out_channels >= LEAST_CHANNELS &&
           kernel->axes == 2 && kernel->kernel[0] == 3 && kernel->kernel[1] == 3;
}

/* Returns the convolution with whole tiles: it also has results behind the last row and column. */
static oc_conv_nchw16c with_whole_tiles(const oc_conv_nchw16c *g)
{
    oc_conv_nchw16c whole = *g;
    for (int a = 0; a < 2; a++)
        whole.window.out[a] = oc_div_up(g->window.out[a], OUT) * OUT;
    return whole;
}

bool oc_winograd_suits(const oc_conv_nchw16c *g)
{
    const oc_window *w = &g->window;
    oc_conv_bands bands;
    if (!oc_winograd_suits_weights(g->groups, g->channels, g->out_channels, w))
        return false;
    for (int a = 0; a < 2; a++)
        if (w->stride[a] != 1 || w->dilation[a] != 1 || w->out[a] < 1 || w->out[a] > INT32_MAX)
            return false;
    const oc_conv_nchw16c whole = with_whole_tiles(g);
    const int64_t results = whole.window.out[0] * whole.window.out[1];
    return results / (OUT * OUT) >= LEAST_TILES && 2 * results <= 3 * w->out[0] * w->out[1] &&
           oc_conv_bands_of(&whole, &bands);
}

/* ---- weights ---- */

int64_t oc_winograd_packed(int64_t channels, int64_t out_channels)
{
    return SUMS * oc_channel_blocks(out_channels) * channels * OC_BLOCK_CHANNELS;
}

/* One number for each of 16 output channels. */
typedef struct sixteen {
    double of[OC_BLOCK_CHANNELS];
} sixteen;

/* Three weights become six numbers: those of each point, divided by the product of its distances
 * from the other points. */
static void three_to_six(sixteen *to, int to_step, const sixteen *w, int w_step)
{
    static const double point[5] = {0, 0.75, -0.75, 1.5, -1.5};
    for (int i = 0; i < 5; i++) {
        const double p = point[i], square = p * p;
        double product = 1;
        for (int j = 0; j < 5; j++)
            product *= j == i ? 1 : p - point[j];
        for (int l = 0; l < OC_BLOCK_CHANNELS; l++)
            to[i * to_step].of[l] =
                (w[0].of[l] + p * w[w_step].of[l] + square * w[2 * w_step].of[l]) / product;
    }
    to[5 * to_step] = w[2 * w_step];
}

/* The nine weights of one channel and n output channels, from one output channel to the next `step`
 * elements. */
static void pack_channel(float *to, int64_t to_step, const float *w, int64_t step, int64_t n)
{
    sixteen wide[9] = {0}, columns[18], all[SUMS];
    for (int64_t l = 0; l < n; l++)
        for (int i = 0; i < 9; i++)
            wide[i].of[l] = (double)w[l * step + i];
    for (int j = 0; j < 3; j++)
        three_to_six(columns + j, 3, wide + j, 3);
    for (int i = 0; i < 6; i++)
        three_to_six(all + 6 * i, 1, columns + 3 * i, 1);
    for (int k = 0; k < SUMS; k++)
        for (int l = 0; l < OC_BLOCK_CHANNELS; l++)
            to[k * to_step + l] = (float)all[k].of[l];
}

void oc_winograd_pack(float *packed, const float *w, int64_t channels, int64_t out_channels,
                      const oc_work *by)
{
    const int64_t step = oc_channel_blocks(out_channels) * channels * OC_BLOCK_CHANNELS;
    OC_LOOP (by, i, oc_channel_blocks(out_channels) * channels, 16) {
        const int64_t c = i % channels, m = i / channels * OC_BLOCK_CHANNELS;
        pack_channel(packed + m * channels + c * OC_BLOCK_CHANNELS, step,
                     w + (m * channels + c) * 9, channels * 9,
                     out_channels - m < OC_BLOCK_CHANNELS ? out_channels - m : OC_BLOCK_CHANNELS);
    }
}

/* ---- bands of tiles ---- */

/* What every unit shares. Positions of bands are tiles of 4 x 4 results, which read 6 x 6 pixels.
 */
typedef struct job {
    const oc_conv_nchw16c *g;
    oc_conv_nchw16c whole;
    const oc_winograd_variant *v;
    const oc_tile_nchw16c_variant *products;
    oc_conv_bands bands;
    int64_t channels;                      /* of a tile's numbers: whole blocks */
    int64_t tiles;                         /* of a band */
    int64_t patch, numbers, sums, results; /* floats of each, for one task */
    char *scratch;
} job;

/* Computes the 36 numbers of all channels of each tile, [36][tile][channels]. Places without a
 * channel are copied unchanged; no product reads them. */
static void transform_pixels(const job *t, const float *patch, float *numbers, int64_t tiles)
{
    const oc_conv_bands *b = &t->bands;
    const int64_t channels = t->channels, across = b->cut.column.most;
    const int64_t pitch = b->cut.column.pixels * OC_BLOCK_CHANNELS;
    for (int64_t c = 0; c < channels; c += OC_BLOCK_CHANNELS, patch += b->cut.row.pixels * pitch)
        for (int64_t i = 0; i < tiles; i++)
            t->v->in(numbers + i * channels + c, t->tiles * channels,
                     patch + i / across * OUT * pitch + i % across * OUT * OC_BLOCK_CHANNELS,
                     pitch);
}

/* The 36 sums of the output channels of some blocks for each tile, [36][block][tile][16]. */
static void multiply(const job *t, const float *numbers, float *sums, oc_span blocks, int64_t tiles)
{
    static const oc_tile_tap only = {0, 0};
    const oc_tile_nchw16c_variant *v = t->products;
    const int64_t channels = t->channels, all = blocks.end - blocks.first;
    const int64_t w_block = t->bands.channels * OC_BLOCK_CHANNELS;
    const int rows = (int)(oc_div_up(tiles, v->positions));
    const int64_t groups = oc_div_up(all, v->blocks);
    OC_LOOP (&t->g->work, at, SUMS * groups, 1) {
        const int64_t k = at / groups, m = at % groups * v->blocks;
        const int64_t some = oc_min(all - m, v->blocks);
        for (int i = 0; i < rows; i++) {
            const oc_span part = oc_share(tiles, rows, i);
            const oc_tile_nchw16c tile = {
                .y = sums + ((k * all + m) * t->tiles + part.first) * OC_BLOCK_CHANNELS,
                .x = numbers + (k * t->tiles + part.first) * channels,
                .w = (const float *)t->g->w + (k * t->bands.blocks + blocks.first + m) * w_block,
                .tap = &only,
                .taps = 1,
                .channels = t->bands.channels,
                .block = t->bands.channels,
                .x_step = channels,
                .y_step = OC_BLOCK_CHANNELS,
                .y_block = t->tiles * OC_BLOCK_CHANNELS,
                .w_block = w_block};
            v->dense[some - 1][part.end - part.first - 1](&tile);
        }
    }
}

/* The results of a band for one block of output channels: rows of pixels, `pitch` apart. */
typedef struct plane {
    float *y;
    int64_t pitch, rows, columns;
    int64_t block,
        position; /* the block among those of all images; the first result in its plane */
} plane;

/* Those in y itself, or of half numbers in memory of the task. */
static plane results_of(const job *t, const oc_conv_band *b, int64_t block, float *own)
{
    const oc_conv_nchw16c *g = t->g;
    const int64_t width = g->window.out[1], positions = g->window.out[0] * width;
    plane r = {.pitch = width,
               .rows = oc_min(b->rows * OUT, g->window.out[0] - b->row * OUT),
               .columns = oc_min(b->columns * OUT, width - b->column * OUT),
               .block = b->image * t->bands.blocks + block,
               .position = (b->row * width + b->column) * OUT};
    if (t->bands.half)
        r.y = own, r.pitch = r.columns;
    else
        r.y = (float *)g->y + (r.block * positions + r.position) * OC_BLOCK_CHANNELS;
    return r;
}

static void transform_sums(const job *t, const plane *y, const float *sums, int64_t step,
                           const float *bias)
{
    const int64_t across = t->bands.cut.column.most;
    for (int64_t i = 0; i / across * OUT < y->rows; i++) {
        _Alignas(OC_CACHE_LINE) float results[OUT * OUT * OC_BLOCK_CHANNELS];
        const int64_t row = i / across * OUT, column = i % across * OUT;
        const int64_t columns = oc_min(y->columns - column, OUT);
        if (columns <= 0)
            continue;
        t->v->out(results, sums + i * OC_BLOCK_CHANNELS, step, bias);
        for (int64_t r = 0; r < OUT && row + r < y->rows; r++)
            memcpy(y->y + ((row + r) * y->pitch + column) * OC_BLOCK_CHANNELS,
                   results + r * OUT * OC_BLOCK_CHANNELS,
                   (size_t)(columns * OC_BLOCK_CHANNELS) * sizeof(float));
    }
}

/* What follows: row by row, or all at once where rows follow each other without a gap. */
static void finish(const job *t, const plane *y)
{
    const oc_conv_nchw16c *g = t->g;
    const oc_half_variant *half = t->bands.half;
    const int64_t width = g->window.out[1], positions = g->window.out[0] * width;
    const int64_t each = y->columns == width ? y->rows : 1, n = each * y->columns;
    for (int64_t i = 0; (g->after.run || half) && i < y->rows; i += each) {
        float *row = y->y + i * y->pitch * OC_BLOCK_CHANNELS;
        const int64_t position = y->position + i * width;
        if (g->after.run)
            g->after.run(g->after.ctx, row, y->block, position, n);
        if (half)
            half->narrow_limited((uint16_t *)g->y +
                                     (y->block * positions + position) * OC_BLOCK_CHANNELS,
                                 row, n * OC_BLOCK_CHANNELS, g->after.bounds);
    }
}

/* Memory of a task: a line with the number of the band whose numbers are there, then those. */
static uint64_t task_bytes(const job *t)
{
    return OC_CACHE_LINE + (uint64_t)(t->patch + t->numbers + t->sums + t->results) * sizeof(float);
}

static void convolve_bands(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    char *memory = t->scratch + (size_t)task * task_bytes(t);
    int64_t *const filled = (int64_t *)(void *)memory;
    float *patch = (float *)(void *)(memory + OC_CACHE_LINE);
    float *numbers = patch + t->patch, *sums = numbers + t->numbers, *own = sums + t->sums;
    const oc_conv_cut *cut = &t->bands.cut;
    for (int64_t unit = first; unit < end; unit++) {
        const oc_conv_band b = oc_conv_band_at(&t->bands, &t->whole.window, unit / cut->pieces);
        const oc_span blocks =
            oc_share(t->bands.blocks, (int)cut->pieces, (int)(unit % cut->pieces));
        const int64_t tiles = b.rows * cut->column.most;
        if (*filled != unit / cut->pieces) {
            if (b.columns < cut->column.most) /* tiles behind the last column */
                memset(patch, 0, (size_t)t->patch * sizeof *patch);
            oc_conv_patch_fill(&t->whole, &t->bands, &b, 0, b.channels, patch);
            transform_pixels(t, patch, numbers, tiles);
        }
        *filled = unit / cut->pieces;
        multiply(t, numbers, sums, blocks, tiles);
        for (int64_t m = blocks.first; m < blocks.end; m++) {
            const plane y = results_of(t, &b, m, own);
            transform_sums(t, &y, sums + (m - blocks.first) * t->tiles * OC_BLOCK_CHANNELS,
                           (blocks.end - blocks.first) * t->tiles * OC_BLOCK_CHANNELS,
                           t->g->b ? t->g->b + m * OC_BLOCK_CHANNELS : NULL);
            finish(t, &y);
        }
    }
}

/* The axis of an image, counted in tiles of Winograd's instead of pixels. */
static oc_window_side side_of_tiles(oc_window_side s)
{
    s.out /= OUT;
    s.kernel = OC_WINOGRAD_IN;
    s.stride = OUT;
    return s;
}

/* Bands whose numbers and sums the second cache keeps. */
static void cut_bands(job *t)
{
    oc_conv_bands *b = &t->bands;
    const int64_t numbers = SUMS * (t->channels + b->blocks * OC_BLOCK_CHANNELS);
    b->depth = b->channels;
    b->row = side_of_tiles(b->row);
    b->column = side_of_tiles(b->column);
    const oc_conv_load l = {.row = b->row,
                            .column = b->column,
                            .row_grain = 1,
                            .column_grain = 1,
                            .low = 1,
                            .planes = t->g->images,
                            .position = numbers * (int64_t)sizeof(float),
                            .room = oc_max(ROOM, FEW_TILES * numbers) * (int64_t)sizeof(float),
                            .blocks = b->blocks,
                            .together = 2,
                            .lines = (double)b->channels,
                            .prepared = (double)(t->channels / OC_BLOCK_CHANNELS) * TRANSFORMED};
    b->cut = oc_conv_cut_for(&l, oc_work_most_tasks(&t->g->work));
}

static job make_job(const oc_conv_nchw16c *g)
{
    job t = {.g = g, .whole = with_whole_tiles(g)};
    OC_VARIANT_PICK(t.v, oc_winograd_variants, in, g->cpu);
    t.products = oc_tile_nchw16c_pick(g->cpu);
    OC_UNUSED const bool suits = oc_conv_bands_of(&t.whole, &t.bands);
    assert(suits && g->images > 0);
    t.channels = oc_channel_blocks(t.bands.channels) * OC_BLOCK_CHANNELS;
    cut_bands(&t);
    t.tiles = t.bands.cut.row.most * t.bands.cut.column.most;
    t.patch = oc_conv_patch_size(&t.bands);
    t.numbers = SUMS * t.tiles * t.channels;
    t.sums = SUMS * t.tiles * OC_BLOCK_CHANNELS * oc_div_up(t.bands.blocks, t.bands.cut.pieces);
    t.results = t.bands.half ? t.tiles * OUT * OUT * OC_BLOCK_CHANNELS : 0;
    return t;
}

uint64_t oc_winograd_scratch(const oc_conv_nchw16c *g)
{
    const job t = make_job(g);
    return task_bytes(&t) * (uint64_t)oc_work_most_tasks(&g->work);
}

void oc_winograd_run(const oc_conv_nchw16c *g, void *scratch)
{
    assert(oc_is_aligned(g->w, OC_CACHE_LINE) && oc_is_aligned(scratch, OC_CACHE_LINE));
    assert(!g->nchw && oc_is_aligned(g->x, OC_CACHE_LINE));
    const int threads = oc_work_most_tasks(&g->work);
    job t = make_job(g);
    t.scratch = scratch;
    for (int i = 0; i < threads; i++)
        *(int64_t *)(void *)(t.scratch + (size_t)i * task_bytes(&t)) = -1;
    oc_work_run(&g->work, t.bands.cut.units, convolve_bands, &t);
}
