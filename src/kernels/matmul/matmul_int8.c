/* SPDX-License-Identifier: Apache-2.0
 * matmul_int8.c - packs matrices of 8-bit integers, and shares the rows and columns of a product
 * among threads. */
#include "kernels/matmul/matmul_int8.h"

#include "base/share.h"
#include "kernels/common/precondition.h"
#include "kernels/matmul/matmul_pieces.h"
#include "kernels/layout/nchw16c.h"

enum {
    ROOM = 256 * 1024, /* bytes of a that leave room for columns of b in the second cache */
    LEAST_ROWS = 4 * OC_INT8_POSITIONS,
    BLOCK = 64, /* numbers of a row whose places a tile lists */
    LINE = OC_BLOCK_CHANNELS * OC_INT8_TOGETHER,
    /* rows that are packed together, so that whole cache lines are read */
    ROWS = 8 * OC_INT8_TOGETHER
};

int64_t oc_matmul_int8_depth(int64_t k)
{
    return k ? oc_div_up(k, OC_INT8_TOGETHER) * OC_INT8_TOGETHER : OC_INT8_TOGETHER;
}

int64_t oc_matmul_int8_packed(int64_t k, int64_t n)
{
    return oc_channel_blocks(n) * oc_matmul_int8_depth(k) * OC_BLOCK_CHANNELS;
}

/* ---- packing */

/* A matrix as it is stored: the distances from row to row and from column to column. */
typedef struct stored {
    const uint8_t *b;
    int64_t k, n, row_step, column_step;
    uint8_t flip;
} stored;

/* Packs one line: four rows and 16 columns, from row i and column j on. */
static inline void pack_line(int8_t *line, int32_t *sum, const stored *s, int64_t i, int64_t j,
                             int rows, int columns)
{
    const uint8_t *b = s->b + i * s->row_step + j * s->column_step;
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) {
            const int8_t number = (int8_t)(b[r * s->row_step + c * s->column_step] ^ s->flip);
            line[c * OC_INT8_TOGETHER + r] = number;
            sum[c] = (int32_t)((uint32_t)sum[c] + (uint32_t)number);
        }
}

/* As pack_line, where some of the rows or columns may be missing. */
static void pack_some(int8_t *line, int32_t *sum, const stored *s, int64_t i, int64_t j)
{
    memset(line, 0, LINE);
    pack_line(line, sum, s, i, j, (int)oc_min(s->k - i, OC_INT8_TOGETHER),
              (int)oc_min(s->n - j, OC_BLOCK_CHANNELS));
}

/* Packs rows first to end-1 of all columns. */
static void pack_rows(const oc_tile_int8_variant *v, int8_t *packed, int32_t *sum, const stored *s,
                      int64_t first, int64_t end)
{
    const int64_t size = oc_matmul_int8_depth(s->k) * OC_BLOCK_CHANNELS;
    const int64_t lines = (oc_min(end, s->k) - first) / OC_INT8_TOGETHER;
    for (int64_t j = 0; j < s->n; j += OC_BLOCK_CHANNELS, packed += size) {
        const bool whole = s->n - j >= OC_BLOCK_CHANNELS;
        const int64_t done = whole ? first + lines * OC_INT8_TOGETHER : first;
        if (whole)
            v->pack(packed + first * OC_BLOCK_CHANNELS, sum + j, s->b + first * s->row_step + j,
                    lines, s->row_step, s->flip);
        for (int64_t i = done; i < end; i += OC_INT8_TOGETHER)
            pack_some(packed + i * OC_BLOCK_CHANNELS, sum + j, s, i, j);
    }
}

/* Packs all rows of 16 columns, from number j on, into [4 rows][16][4]. Each column is
 * contiguous. */
static void pack_columns(int8_t *to, int32_t *sum, const stored *s, int64_t j)
{
    const stored whole = {s->b, s->k, s->n, 1, s->column_step, s->flip};
    int32_t all[OC_BLOCK_CHANNELS] = {0};
    int64_t i = 0;
    for (; i + OC_INT8_TOGETHER <= s->k && s->n - j >= OC_BLOCK_CHANNELS; i += OC_INT8_TOGETHER)
        pack_line(to + i * OC_BLOCK_CHANNELS, all, &whole, i, j, OC_INT8_TOGETHER,
                  OC_BLOCK_CHANNELS);
    for (; i < oc_matmul_int8_depth(s->k); i += OC_INT8_TOGETHER)
        pack_some(to + i * OC_BLOCK_CHANNELS, all, s, i, j);
    memcpy(sum, all, sizeof all);
}

void oc_matmul_int8_pack(unsigned cpu, int8_t *packed, int32_t *sum, const uint8_t *b, int64_t k,
                         int64_t n, bool transposed, uint8_t flip, const oc_work *by)
{
    const oc_tile_int8_variant *v = oc_tile_int8_pick(cpu);
    const stored s = {b, k, n, transposed ? 1 : n, transposed ? k : 1, flip};
    const int64_t depth = oc_matmul_int8_depth(k), blocks = oc_channel_blocks(n);
    memset(sum, 0, (size_t)(blocks * OC_BLOCK_CHANNELS) * sizeof *sum);
    OC_LOOP (by, i, transposed ? blocks : 0, 1)
        pack_columns(packed + i * depth * OC_BLOCK_CHANNELS, sum + i * OC_BLOCK_CHANNELS, &s,
                     i * OC_BLOCK_CHANNELS);
    OC_LOOP (by, i, transposed ? 0 : oc_div_up(depth, ROWS), 1)
        pack_rows(v, packed, sum, &s, i * ROWS, oc_min(depth, (i + 1) * ROWS));
}

static int64_t row_bytes(const oc_tile_int8_variant *v, int64_t depth)
{
    return v->wide == 1 ? depth : oc_div_up(depth, BLOCK) * BLOCK * v->wide;
}

int64_t oc_matmul_int8_row(unsigned cpu, int64_t depth)
{
    return row_bytes(oc_tile_int8_pick(cpu), depth);
}

void oc_matmul_int8_rows(unsigned cpu, uint8_t *to, const uint8_t *a, int64_t rows, int64_t k,
                         uint8_t flip, const oc_work *by)
{
    const oc_tile_int8_variant *v = oc_tile_int8_pick(cpu);
    const int64_t size = row_bytes(v, oc_matmul_int8_depth(k));
    const bool wide = v->wide > 1;
    OC_LOOP (by, i, rows, 64) {
        uint8_t *row = to + i * size, *bytes = wide ? row + size / 2 : row;
        for (int64_t j = 0; j < k; j++)
            bytes[j] = a[i * k + j] ^ flip;
        memset(bytes + k, 0, (size_t)(row + size - bytes - k));
        if (wide)
            oc_int8_widen(row, bytes, size / 2, BLOCK);
    }
}

void oc_matmul_int8_sums(int32_t *sum, const uint8_t *a, int64_t rows, int64_t k, uint8_t flip,
                         int32_t off, const oc_work *by)
{
    OC_LOOP (by, i, rows, 64) {
        uint32_t all = 0;
        for (int64_t j = 0; j < k; j++)
            all += (uint32_t)(a[i * k + j] ^ flip);
        sum[i] = (int32_t)(all - (uint32_t)off);
    }
}

/* ---- the product */

/* What every unit shares. A unit is a range of rows and a range of blocks of columns. */
typedef struct job {
    const oc_matmul_int8 *g;
    const oc_tile_int8_variant *v;
    oc_matmul_pieces pieces;
    int64_t row, blocks, elem;
} job;

/* Computes the last block of columns, which is not full, by way of a tile in local memory. */
static void multiply_last_block(const job *t, oc_tile_int8 *tile, int64_t rows, char *y)
{
    _Alignas(OC_CACHE_LINE) int32_t room[OC_INT8_POSITIONS * OC_BLOCK_CHANNELS];
    const int64_t line = OC_BLOCK_CHANNELS * t->elem, n = t->g->n;
    tile->y = room;
    tile->y_step = OC_BLOCK_CHANNELS;
    t->v->tile[0][rows - 1](tile);
    for (int64_t i = 0; i < rows; i++)
        memcpy(y + i * n * t->elem, (char *)room + i * line,
               (size_t)(n % OC_BLOCK_CHANNELS * t->elem));
}

/* Computes `blocks` blocks of columns; the tile is set up for the first of them. */
static void multiply_blocks(const job *t, oc_tile_int8 *tile, int64_t rows, int64_t block,
                            int blocks)
{
    const oc_matmul_int8 *g = t->g;
    const int64_t j = block * OC_BLOCK_CHANNELS;
    const bool narrow = j + blocks * OC_BLOCK_CHANNELS > g->n;
    char *y = (char *)tile->y + j * t->elem;
    oc_rescale rescale;
    for (int part = 0; part < 2; part++) {
        const int whole = part ? 1 : blocks - narrow;
        const int64_t at = part ? (blocks - 1) * OC_BLOCK_CHANNELS : 0;
        if (part ? !narrow : !whole)
            continue;
        tile->w = g->b + (j + at) * g->k;
        tile->b = g->first + j + at;
        tile->z = g->z ? g->z + j + at : NULL;
        if (g->rescale) {
            rescale = *g->rescale;
            rescale.factor += j + at;
            tile->rescale = &rescale;
        }
        if (part) {
            multiply_last_block(t, tile, rows, y + at * t->elem);
            return;
        }
        tile->y = y;
        t->v->tile[whole - 1][rows - 1](tile);
    }
}

static void multiply_part(const job *t, int64_t unit)
{
    static const int64_t tap[BLOCK / OC_INT8_TOGETHER] = {0,  4,  8,  12, 16, 20, 24, 28,
                                                          32, 36, 40, 44, 48, 52, 56, 60};
    const oc_matmul_int8 *g = t->g;
    const oc_span rows = oc_share(g->m, (int)t->pieces.rows, (int)(unit / t->pieces.columns));
    const oc_span columns =
        oc_share(t->blocks, (int)t->pieces.columns, (int)(unit % t->pieces.columns));
    const int tiles = (int)oc_div_up(rows.end - rows.first, t->v->positions);
    const int64_t across = oc_div_up(columns.end - columns.first, t->v->blocks);
    OC_LOOP (&g->work, i, across * tiles, 1) {
        const int64_t j = columns.first + i / tiles * t->v->blocks;
        const oc_span part = oc_share(rows.end - rows.first, tiles, (int)(i % tiles));
        const int64_t row = rows.first + part.first;
        oc_tile_int8 tile = {.y = (char *)g->y + row * g->n * t->elem,
                             .x = g->a + row * t->row,
                             .less = g->less ? g->less + row : NULL,
                             .tap = tap,
                             .taps = 1,
                             .channels = g->k,
                             .block = BLOCK,
                             .x_block = BLOCK * t->v->wide,
                             .x_step = t->row,
                             .y_step = g->n,
                             .y_block = OC_BLOCK_CHANNELS,
                             .w_block = g->k * OC_BLOCK_CHANNELS};
        multiply_blocks(t, &tile, part.end - part.first, j,
                        (int)oc_min(columns.end - j, t->v->blocks));
    }
}

static void multiply_parts(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t unit = first; unit < end; unit++)
        multiply_part(t, unit);
}

void oc_matmul_int8_run(const oc_matmul_int8 *g)
{
    job t = {.g = g,
             .v = oc_tile_int8_pick(g->cpu),
             .blocks = oc_channel_blocks(g->n),
             .elem = g->rescale ? 1 : sizeof(int32_t)};
    assert(g->m > 0 && g->k > 0 && g->n > 0 && g->k % OC_INT8_TOGETHER == 0);
    assert(oc_is_aligned(g->b, OC_CACHE_LINE));
    t.row = row_bytes(t.v, g->k);
    t.pieces = oc_matmul_cut(g->m, oc_max(ROOM / t.row, LEAST_ROWS),
                             oc_div_up(t.blocks, t.v->blocks), oc_work_most_tasks(&g->work));
    oc_work_run(&g->work, t.pieces.rows * t.pieces.columns, multiply_parts, &t);
}
