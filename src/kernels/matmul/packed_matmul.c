/* SPDX-License-Identifier: Apache-2.0
 * packed_matmul.c - packs matrices of floats, and shares the rows and columns of a product among
 * threads. */
#include "kernels/matmul/packed_matmul.h"

#include "kernels/common/precondition.h"
#include "kernels/matmul/matmul_pieces.h"
#include "base/share.h"

enum {
    ROOM = 160 * 1024, /* floats of a that leave room for columns of b in the second cache */
    LEAST_ROWS = 4 * OC_TILE_POSITIONS,
    DEPTH = 1 << 12, /* elements of each row of a transposed b that are packed at a time */
    /* rows of b that are packed at a time: whole lines are read, and 1 KB is written at once */
    ROWS = 16
};

int64_t oc_packed_matmul_size(int64_t k, int64_t n)
{
    return oc_channel_blocks(n) * k * OC_BLOCK_CHANNELS;
}

/* Packs rows first to end-1 of b for all blocks of columns. */
static void pack_rows(float *packed, const float *b, int64_t first, int64_t end, int64_t k,
                      int64_t n)
{
    for (int64_t j = 0; j < n; j += OC_BLOCK_CHANNELS, packed += k * OC_BLOCK_CHANNELS) {
        const int64_t columns = n - j;
        for (int64_t i = first; i < end; i++) {
            float *to = packed + i * OC_BLOCK_CHANNELS;
            if (columns >= OC_BLOCK_CHANNELS) {
                memcpy(to, b + i * n + j, OC_BLOCK_CHANNELS * sizeof *b);
                continue;
            }
            memcpy(to, b + i * n + j, (size_t)columns * sizeof *b);
            memset(to + columns, 0, (size_t)(OC_BLOCK_CHANNELS - columns) * sizeof *b);
        }
    }
}

static void pack_transposed(const oc_work *w, unsigned cpu, float *packed, const float *b,
                            int64_t k, int64_t n)
{
    oc_nchw16c_in_fn *const transpose = oc_nchw16c_pick(oc_nchw16c_F32, cpu)->in;
    const int64_t deep = oc_div_up(k, DEPTH);
    OC_LOOP (w, at, oc_channel_blocks(n) * deep, 1) {
        const int64_t j = at / deep * OC_BLOCK_CHANNELS, i = at % deep * DEPTH;
        transpose(packed + j * k + i * OC_BLOCK_CHANNELS, b + j * k + i, k,
                  n - j < OC_BLOCK_CHANNELS ? (int)(n - j) : OC_BLOCK_CHANNELS,
                  oc_min(k - i, DEPTH));
    }
}

void oc_packed_matmul_pack(const oc_work *w, unsigned cpu, float *packed, const float *b, int64_t k,
                           int64_t n, bool transposed)
{
    if (transposed) {
        pack_transposed(w, cpu, packed, b, k, n);
        return;
    }
    OC_LOOP (w, i, oc_div_up(k, ROWS), 1)
        pack_rows(packed, b, i * ROWS, k - i * ROWS < ROWS ? k : (i + 1) * ROWS, k, n);
}

/* 16 columns, which are rows of b, are packed into the place of these rows. */
void oc_packed_matmul_pack_over(const oc_work *w, unsigned cpu, float *b, float *room, int64_t k,
                                int64_t n)
{
    assert(n % OC_BLOCK_CHANNELS == 0);
    for (int64_t at = 0; at < n && !oc_work_ended(w); at += OC_BLOCK_CHANNELS) {
        oc_work_copy(w, room, b + at * k, (size_t)(OC_BLOCK_CHANNELS * k) * sizeof *b);
        pack_transposed(w, cpu, b + at * k, room, k, OC_BLOCK_CHANNELS);
    }
}

/* What every unit shares. A unit is a range of rows and a range of blocks of columns. */
typedef struct job {
    const oc_packed_matmul *g;
    const oc_tile_nchw16c_variant *v;
    oc_matmul_pieces pieces;
    int64_t blocks;
} job;

/* Computes the last block of columns, which is not full, by way of a tile in local memory. */
static void multiply_last_block(const job *t, oc_tile_nchw16c *tile, int64_t rows, float *y)
{
    _Alignas(OC_CACHE_LINE) float sums[OC_TILE_POSITIONS * OC_BLOCK_CHANNELS];
    const int64_t n = t->g->n, columns = n % OC_BLOCK_CHANNELS;
    tile->y = sums;
    tile->y_step = OC_BLOCK_CHANNELS;
    t->v->dense[0][rows - 1](tile);
    for (int64_t i = 0; i < rows; i++)
        memcpy(y + i * n, sums + i * OC_BLOCK_CHANNELS, (size_t)columns * sizeof *y);
}

static void multiply_tile(const job *t, int64_t row, int64_t rows, int64_t block, int blocks)
{
    static const oc_tile_tap only = {0, 0};
    const oc_packed_matmul *g = t->g;
    float *y = g->y + row * g->n + block * OC_BLOCK_CHANNELS;
    oc_tile_nchw16c tile = {.y = y,
                            .x = g->a + row * g->k,
                            .w = g->b + block * g->k * OC_BLOCK_CHANNELS,
                            .tap = &only,
                            .taps = 1,
                            .channels = g->k,
                            .block = g->k,
                            .x_step = g->k,
                            .y_step = g->n,
                            .y_block = OC_BLOCK_CHANNELS,
                            .w_block = g->k * OC_BLOCK_CHANNELS};
    const int whole = (block + blocks) * OC_BLOCK_CHANNELS <= g->n ? blocks : blocks - 1;
    for (int done = 0, some; done < whole; done += some) {
        const int most = oc_min(whole - done, t->v->blocks);
        const bool wide = rows == 1 && whole - done >= OC_TILE_ROW && t->v->row;
        some = wide ? OC_TILE_ROW : most;
        (wide ? t->v->row : t->v->dense[some - 1][rows - 1])(&tile);
        tile.y += some * OC_BLOCK_CHANNELS;
        tile.w += some * tile.w_block;
    }
    if (whole < blocks)
        multiply_last_block(t, &tile, rows, tile.y);
}

/* Returns the most blocks of columns that a tile of `rows` rows can have. */
static int most_blocks(const job *t, int64_t rows)
{
    return rows == 1 && t->v->row ? OC_TILE_ROW : t->v->blocks;
}

static void multiply_part(const job *t, int64_t unit)
{
    const oc_span rows = oc_share(t->g->m, (int)t->pieces.rows, (int)(unit / t->pieces.columns));
    const oc_span columns =
        oc_share(t->blocks, (int)t->pieces.columns, (int)(unit % t->pieces.columns));
    const int tiles = (int)(oc_div_up(rows.end - rows.first, t->v->positions));
    const int most = most_blocks(t, rows.end - rows.first);
    const int64_t across = oc_div_up(columns.end - columns.first, most);
    OC_LOOP (&t->g->work, i, across * tiles, 1) {
        const int64_t j = columns.first + i / tiles * most, left = columns.end - j;
        const oc_span part = oc_share(rows.end - rows.first, tiles, (int)(i % tiles));
        multiply_tile(t, rows.first + part.first, part.end - part.first, j,
                      left < most ? (int)left : most);
    }
    oc_matmul_finish(&t->g->after, t->g->y, t->g->n, rows.first, rows.end - rows.first,
                     columns.first * OC_BLOCK_CHANNELS,
                     oc_min(columns.end * OC_BLOCK_CHANNELS, t->g->n));
}

static void multiply_parts(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t unit = first; unit < end; unit++)
        multiply_part(t, unit);
}

void oc_packed_matmul_run(const oc_packed_matmul *g)
{
    job t = {.g = g, .v = oc_tile_nchw16c_pick(g->cpu), .blocks = oc_channel_blocks(g->n)};
    assert(g->m > 0 && g->k > 0 && g->n > 0 && oc_is_aligned(g->b, OC_CACHE_LINE));
    t.pieces = oc_matmul_cut(g->m, oc_max(ROOM / g->k, LEAST_ROWS),
                             oc_div_up(t.blocks, t.v->blocks), oc_work_most_tasks(&g->work));
    oc_work_run(&g->work, t.pieces.rows * t.pieces.columns, multiply_parts, &t);
}
