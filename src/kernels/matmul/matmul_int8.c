/* SPDX-License-Identifier: Apache-2.0
 * matmul_int8.c - packs matrices, and shares the rows and columns of a product among threads. */
#include "kernels/matmul/matmul_int8.h"

#include <string.h>

#include "base/int.h"
#include "base/share.h"
#include "kernels/common/precondition.h"
#include "kernels/layout/nchw16c.h"

enum {
    ROOM = 256 * 1024, /* bytes of a that leave room for columns of b in the second cache */
    LEAST_ROWS = 4 * OC_INT8_POSITIONS,
    BLOCK = 64, /* numbers of a row that tiles list places of */
    LINE = OC_BLOCK_CHANNELS * OC_INT8_TOGETHER
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

/* Four rows or fewer of 16 columns or fewer become a line: [16][4]. steps: from one row, and one
 * column, to the next. */
static inline void pack_line(int8_t *to, int32_t *sum, const uint8_t *b, int64_t row_step,
                             int64_t column_step, int rows, int columns, uint8_t flip)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            const int8_t number = (int8_t)(b[i * row_step + j * column_step] ^ flip);
            to[j * OC_INT8_TOGETHER + i] = number;
            sum[j] = (int32_t)((uint32_t)sum[j] + (uint32_t)number);
        }
}

/* 16 columns or fewer; to: [4 rows][16][4]. The compiler makes a loop of its own of each usual
 * case.
 */
static void pack_columns(int8_t *to, int32_t *sum, const uint8_t *b, int64_t k, int64_t row_step,
                         int64_t column_step, int columns, uint8_t flip)
{
    int32_t all[OC_BLOCK_CHANNELS] = {0};
    for (int64_t i = 0; i < k;
         i += OC_INT8_TOGETHER, to += LINE, b += OC_INT8_TOGETHER * row_step) {
        const int rows = (int)oc_min(k - i, OC_INT8_TOGETHER);
        const bool whole = rows == OC_INT8_TOGETHER && columns == OC_BLOCK_CHANNELS;
        if (whole && column_step == 1)
            pack_line(to, all, b, row_step, 1, OC_INT8_TOGETHER, OC_BLOCK_CHANNELS, flip);
        else if (whole)
            pack_line(to, all, b, 1, column_step, OC_INT8_TOGETHER, OC_BLOCK_CHANNELS, flip);
        else {
            memset(to, 0, LINE);
            pack_line(to, all, b, row_step, column_step, rows, columns, flip);
        }
    }
    memcpy(sum, all, sizeof all);
}

void oc_matmul_int8_pack(int8_t *packed, int32_t *sum, const uint8_t *b, int64_t k, int64_t n,
                         bool transposed, uint8_t flip, const oc_work *by)
{
    const int64_t size = oc_matmul_int8_depth(k) * OC_BLOCK_CHANNELS;
    const int64_t row_step = transposed ? 1 : n, column_step = transposed ? k : 1;
    if (k == 0)
        memset(packed, 0, (size_t)(oc_channel_blocks(n) * size));
    OC_LOOP (by, i, oc_channel_blocks(n), 1) {
        const int64_t j = i * OC_BLOCK_CHANNELS;
        pack_columns(packed + i * size, sum + j, b + j * column_step, k, row_step, column_step,
                     (int)oc_min(n - j, OC_BLOCK_CHANNELS), flip);
    }
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

/* What every unit shares: some rows and some blocks of columns. */
typedef struct job {
    const oc_matmul_int8 *g;
    const oc_tile_int8_variant *v;
    int64_t row, row_pieces, column_pieces, blocks, elem;
} job;

/* The last block of columns where it is not full: by way of a tile of its own. */
static void run_narrow(const job *t, oc_tile_int8 *tile, int64_t rows, char *y)
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

/* The tile begins at a block of columns, which it is to compute with `blocks` - 1 more. */
static void run_blocks(const job *t, oc_tile_int8 *tile, int64_t rows, int64_t block, int blocks)
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
            run_narrow(t, tile, rows, y + at * t->elem);
            return;
        }
        tile->y = y;
        t->v->tile[whole - 1][rows - 1](tile);
    }
}

static void run_unit(const job *t, int64_t unit)
{
    static const int64_t tap[BLOCK / OC_INT8_TOGETHER] = {0,  4,  8,  12, 16, 20, 24, 28,
                                                          32, 36, 40, 44, 48, 52, 56, 60};
    const oc_matmul_int8 *g = t->g;
    const oc_span rows = oc_share(g->m, (int)t->row_pieces, (int)(unit / t->column_pieces));
    const oc_span columns =
        oc_share(t->blocks, (int)t->column_pieces, (int)(unit % t->column_pieces));
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
        run_blocks(t, &tile, part.end - part.first, j, (int)oc_min(columns.end - j, t->v->blocks));
    }
}

static void run_units(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    (void)task;
    for (int64_t unit = first; unit < end; unit++)
        run_unit(t, unit);
}

/* Rows that leave room in the cache; then columns, until all threads have as much to do. */
static void cut(job *t, int threads)
{
    const oc_matmul_int8 *g = t->g;
    int64_t rows = oc_max(ROOM / t->row, LEAST_ROWS);
    rows = oc_max(rows, g->m / (INT32_MAX / 2));
    const int64_t most = oc_div_up(t->blocks, t->v->blocks);
    t->row_pieces = oc_div_up(g->m, rows);
    t->column_pieces = 1;
    while (t->column_pieces < most && t->column_pieces < INT32_MAX &&
           t->row_pieces * t->column_pieces < 4 * (int64_t)threads &&
           t->row_pieces * t->column_pieces % threads)
        t->column_pieces++;
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
    cut(&t, oc_work_most_tasks(&g->work));
    oc_work_run(&g->work, t.row_pieces * t.column_pieces, run_units, &t);
}
