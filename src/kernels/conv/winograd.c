/* SPDX-License-Identifier: Apache-2.0
 * winograd.c - packs weights, and shares the tiles of 4 x 4 results among threads. */
#include "kernels/conv/winograd.h"

#include <math.h>
#include <string.h>

#include "base/int.h"
#include "kernels/common/precondition.h"
#include "base/share.h"
#include "kernels/conv/conv_patch.h"
#include "kernels/conv/conv_units.h"

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

/* What every unit shares. A unit is one band for one piece of the blocks of output channels. */
typedef struct job {
    const oc_conv_nchw16c *g;
    oc_conv_nchw16c whole;
    const oc_winograd_variant *v;
    const oc_tile_nchw16c_variant *products;
    oc_conv_bands bands;
    int64_t channels;      /* of a tile's numbers: whole blocks */
    int64_t across, tiles; /* tiles of a row of a band; of a band */
    int64_t pieces;
    int64_t patch, numbers, sums, results; /* floats of each, for one task */
    char *scratch;
} job;

/* Computes the 36 numbers of all channels of each tile, [36][tile][channels]. Places without a
 * channel are copied unchanged; no product reads them. */
static void transform_pixels(const job *t, const float *patch, float *numbers, int64_t tiles)
{
    const oc_conv_bands *b = &t->bands;
    const int64_t channels = t->channels, pitch = b->pitch * OC_BLOCK_CHANNELS;
    for (int64_t c = 0; c < channels; c += OC_BLOCK_CHANNELS, patch += b->height * pitch)
        for (int64_t i = 0; i < tiles; i++)
            t->v->in(numbers + i * channels + c, t->tiles * channels,
                     patch + i / t->across * OUT * pitch + i % t->across * OUT * OC_BLOCK_CHANNELS,
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
               .rows = oc_min(b->rows, g->window.out[0] - b->row),
               .columns = oc_min(b->columns, width - b->column),
               .block = b->image * t->bands.blocks + block,
               .position = b->row * width + b->column};
    if (t->bands.half)
        r.y = own, r.pitch = r.columns;
    else
        r.y = (float *)g->y + (r.block * positions + r.position) * OC_BLOCK_CHANNELS;
    return r;
}

static void transform_sums(const job *t, const plane *y, const float *sums, int64_t step,
                           const float *bias)
{
    for (int64_t i = 0; i / t->across * OUT < y->rows; i++) {
        _Alignas(OC_CACHE_LINE) float results[OUT * OUT * OC_BLOCK_CHANNELS];
        const int64_t row = i / t->across * OUT, column = i % t->across * OUT;
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
static size_t task_bytes(const job *t)
{
    return OC_CACHE_LINE + (size_t)(t->patch + t->numbers + t->sums + t->results) * sizeof(float);
}

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    char *memory = t->scratch + (size_t)task * task_bytes(t);
    int64_t *const filled = (int64_t *)(void *)memory;
    float *patch = (float *)(void *)(memory + OC_CACHE_LINE);
    float *numbers = patch + t->patch, *sums = numbers + t->numbers, *own = sums + t->sums;
    for (int64_t unit = first; unit < end; unit++) {
        const oc_conv_band b = oc_conv_band_at(&t->bands, &t->whole.window, unit / t->pieces);
        const oc_span blocks = oc_share(t->bands.blocks, (int)t->pieces, (int)(unit % t->pieces));
        const int64_t tiles = b.rows / OUT * t->across;
        if (*filled != unit / t->pieces) {
            if (b.columns < t->bands.columns) /* tiles behind the last column */
                memset(patch, 0, (size_t)t->patch * sizeof *patch);
            oc_conv_patch_fill(&t->whole, &t->bands, &b, 0, b.channels, patch);
            transform_pixels(t, patch, numbers, tiles);
        }
        *filled = unit / t->pieces;
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

/* Chooses rows of tiles that keep a band in the second cache. All are as long as the image, or
 * half, a quarter and so on of it. */
static void cut_bands(job *t, int64_t least)
{
    oc_conv_bands *b = &t->bands;
    const int64_t of_tile = SUMS * (t->channels + b->blocks * OC_BLOCK_CHANNELS);
    const int64_t most = ROOM / of_tile < FEW_TILES ? FEW_TILES : ROOM / of_tile;
    const int64_t down = b->row.out / OUT, across = b->column.out / OUT;
    int64_t pieces = oc_div_up(across, most);
    t->across = oc_div_up(across, pieces);
    int64_t rows = most / t->across < 1 ? 1 : most / t->across;
    pieces = oc_div_up(down, rows);
    pieces = pieces < least && least <= down ? least : pieces;
    rows = oc_div_up(down, pieces);
    t->tiles = rows * t->across;
    b->rows = rows * OUT;
    b->columns = t->across * OUT;
    b->height = b->rows + 2;
    b->pitch = b->columns + 2;
    b->row_bands = oc_div_up(down, rows);
    b->column_bands = oc_div_up(across, t->across);
}

static int64_t n_bands(const job *t)
{
    return t->g->images * t->bands.row_bands * t->bands.column_bands;
}

/* What the thread with the most units does, in products of 16 channels. */
static double most_work(const job *t, int threads)
{
    const int64_t rounds = (n_bands(t) * t->pieces + threads - 1) / threads;
    const int64_t transforms = oc_div_up(rounds, t->pieces);
    const int64_t blocks = oc_div_up(t->bands.blocks, t->pieces);
    return (double)(rounds * blocks) * (double)t->bands.channels *
               (double)(t->tiles + OC_WEIGHTS_STREAMED) +
           (double)transforms * (double)(t->channels / OC_BLOCK_CHANNELS) * (double)t->tiles *
               TRANSFORMED;
}

/* The rows of tiles of one image in even parts, if that is less work for the busiest thread. */
static void share_rows(job *t, job *best, double least_work, int threads)
{
    const int64_t down = t->bands.row.out / OUT;
    cut_bands(t, 1);
    if (threads < 2 || t->g->images > 1 || t->bands.column_bands > 1 || down < threads)
        return;
    const int64_t each = oc_div_up(t->bands.row_bands, threads);
    oc_conv_bands_share(&t->bands, threads, each, OUT);
    t->tiles = t->bands.rows / OUT * t->across;
    t->pieces = 1;
    const double tiles = (double)(oc_div_up(down, threads) * t->across);
    const double work = (double)(t->bands.blocks * t->bands.channels) *
                            (tiles + (double)(each * OC_WEIGHTS_STREAMED)) +
                        (double)(t->channels / OC_BLOCK_CHANNELS) * tiles * TRANSFORMED;
    if (work < least_work)
        *best = *t;
}

/* Few large bands read weights seldom; pieces of the output channels each need the numbers of all
 * channels. */
static void cut(job *t, int threads)
{
    job best = *t;
    double least_work = INFINITY;
    const int64_t most = (t->bands.blocks + 1) / 2;
    for (int64_t many = 1; many <= (threads > 1 ? 4 * (int64_t)threads : 1); many *= 2) {
        cut_bands(t, oc_div_up(many, t->g->images));
        for (t->pieces = 1; t->pieces <= most && t->pieces <= threads; t->pieces++) {
            const double work = most_work(t, threads);
            if (work < least_work) {
                least_work = work;
                best = *t;
            }
        }
    }
    share_rows(t, &best, least_work, threads);
    *t = best;
}

static job make_job(const oc_conv_nchw16c *g)
{
    job t = {.g = g, .whole = with_whole_tiles(g)};
    OC_VARIANT_PICK(t.v, oc_winograd_variants, in, g->cpu);
    t.products = oc_tile_nchw16c_pick(g->cpu);
    const bool suits = oc_conv_bands_of(&t.whole, &t.bands);
    assert(suits && g->images > 0);
    (void)suits;
    t.bands.depth = t.bands.channels;
    t.channels = oc_channel_blocks(t.bands.channels) * OC_BLOCK_CHANNELS;
    cut(&t, oc_work_most_tasks(&g->work));
    t.patch = oc_conv_patch_size(&t.bands);
    t.numbers = SUMS * t.tiles * t.channels;
    t.sums = SUMS * t.tiles * OC_BLOCK_CHANNELS * oc_div_up(t.bands.blocks, t.pieces);
    t.results = t.bands.half ? t.bands.rows * t.bands.columns * OC_BLOCK_CHANNELS : 0;
    return t;
}

size_t oc_winograd_scratch(const oc_conv_nchw16c *g)
{
    const job t = make_job(g);
    return task_bytes(&t) * (size_t)oc_work_most_tasks(&g->work);
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
    oc_work_run(&g->work, n_bands(&t) * t.pieces, run_units, &t);
}
