/* SPDX-License-Identifier: Apache-2.0
 * half_matmul.c - packs matrices of halves, and shares the rows and columns of a product among
 * threads. */
#include "kernels/matmul/half_matmul.h"

#include "base/share.h"
#include "kernels/common/precondition.h"
#include "kernels/matmul/matmul_pieces.h"
#include "kernels/layout/nchw16c_bytes.h"
#include "kernels/matmul/half_row.h"

enum {
    BLOCK = OC_BLOCK_CHANNELS,
    ROWS = 32 * OC_TILE_POSITIONS, /* most rows of a unit, which use a panel together */
    PANEL = 256,                   /* least rows of b in a panel */
    /* a panel has at most as many rows as leave this many floats of a in the cache */
    PANELS = 64 * 1024,
    SUMS = 96 * 1024, /* floats of sums that fit in the second cache beside a panel */
    SPREAD = 16,      /* tiles among which the cache lines to be fetched ahead are spread */
    DEPTH = 1 << 12,  /* elements of each row of a transposed b that are packed at a time */
    PIECE = 1 << 10   /* elements that are finished, and then rounded, at a time */
};

/* ---- packing ---- */

/* Packs row i of b for all blocks of columns. */
static void pack_row(uint16_t *packed, const uint16_t *b, int64_t i, int64_t k, int64_t n)
{
    const uint16_t *from = b + i * n;
    uint16_t *to = packed + i * BLOCK;
    for (int64_t j = 0; j < n; j += BLOCK, to += k * BLOCK) {
        const size_t some = (size_t)oc_min(n - j, BLOCK);
        memset(to, 0, BLOCK * sizeof *to);
        memcpy(to, from + j, some * sizeof *to);
    }
}

void oc_half_matmul_pack(const oc_work *w, unsigned cpu, uint16_t *packed, const uint16_t *b,
                         int64_t k, int64_t n, bool transposed)
{
    const int64_t deep = oc_div_up(k, DEPTH);
    oc_nchw16c_in_fn *const transpose = oc_nchw16c_pick(oc_nchw16c_halves, cpu)->in;
    if (!transposed) {
        OC_LOOP (w, i, k, 16)
            pack_row(packed, b, i, k, n);
        return;
    }
    OC_LOOP (w, at, oc_channel_blocks(n) * deep, 1) {
        const int64_t j = at / deep * BLOCK, i = at % deep * DEPTH;
        transpose(packed + j * k + i * BLOCK, b + j * k + i, k, (int)oc_min(n - j, BLOCK),
                  oc_min(k - i, DEPTH));
    }
}

/* ---- a unit: some rows, and some blocks of columns ---- */

/* What every unit shares. */
typedef struct job {
    const oc_half_matmul *g;
    const oc_tile_nchw16c_variant *v;
    const oc_half_variant *half;
    oc_half_row_fn *row; /* NULL when there is more than one row */
    int each;            /* most blocks of a panel */
    int64_t blocks;      /* number of blocks of columns */
    oc_matmul_pieces pieces;
    int64_t rows, together; /* most rows of a unit; blocks of columns whose sums wait together */
    int64_t panel, step;    /* rows of b in a panel; floats from one row of a to the next */
    char *scratch;          /* scratch memory of the first task */
} job;

/* A range of rows, and of blocks of columns whose sums wait together, in the memory of a task. */
typedef struct part {
    oc_span rows;
    int64_t block, blocks;
    bool begins;  /* true: this part begins a unit, so its rows of a are not widened yet */
    float *panel; /* [block][row][16]: a panel of b, widened */
    float *a;     /* [row][step]: the columns of a that the panel is multiplied by */
    float *sums;  /* [row][blocks][16] */
} part;

static uint64_t task_floats(const job *t)
{
    return (uint64_t)(OC_TILE_BLOCKS * t->panel * BLOCK +
                      t->rows * (t->step + t->together * BLOCK));
}

static part part_of(const job *t, int task)
{
    float *panel = (float *)(void *)t->scratch + (size_t)task * task_floats(t);
    float *a = panel + OC_TILE_BLOCKS * t->panel * BLOCK;
    return (part){.panel = panel, .a = a, .sums = a + t->rows * t->step};
}

/* Widens columns first to first+n-1 of the rows of a. */
static void widen_rows(const job *t, const part *p, int64_t first, int64_t n)
{
    const oc_half_matmul *g = t->g;
    const uint16_t *from = g->a + p->rows.first * g->k + first;
    for (int64_t i = 0; i < p->rows.end - p->rows.first; i++)
        t->half->widen(p->a + i * t->step, from + i * g->k, n);
}

/* Prefetches part i of n parts of some rows of b in one block of columns. */
static void fetch_part(const uint16_t *b, int64_t rows, int i, int n)
{
    enum { LINE = OC_CACHE_LINE / sizeof *b / BLOCK }; /* rows of a cache line */
    const oc_span some = oc_share(rows, n, i);
    for (int64_t k = some.first; k < some.end; k += LINE)
        OC_PREFETCH(b + k * BLOCK);
}

/* Returns the tile that widens the panel while it multiplies by it; NULL when there is none of
 * this size. */
static oc_tile_nchw16c_fn *widening_tile(const job *t, int64_t rows, int blocks)
{
    const int64_t less = t->v->positions - rows;
    return less >= 0 && less < 2 && blocks == t->v->blocks
               ? t->v->widening[t->g->type == OC_BF16][less]
               : NULL;
}

/* Adds the products of rows first to first+n-1 of b to the sums of all rows, for `blocks` blocks
 * of columns from number `at` of the part on. */
static void add_panel(const job *t, const part *p, int64_t at, int blocks, int64_t first, int64_t n)
{
    static const oc_tile_tap only = {0, 0};
    const int64_t k = t->g->k, rows = p->rows.end - p->rows.first;
    const int tiles = (int)oc_div_up(rows, t->v->positions);
    const uint16_t *b = t->g->b + ((p->block + at) * k + first) * BLOCK;
    oc_tile_nchw16c_fn *widening = widening_tile(t, oc_share(rows, tiles, 0).end, blocks);
    for (int i = 0; i < blocks && !widening; i++)
        t->half->widen(p->panel + i * t->panel * BLOCK, b + i * k * BLOCK, n * BLOCK);
    oc_tile_nchw16c tile = {.w = p->panel,
                            .tap = &only,
                            .taps = 1,
                            .channels = n,
                            .block = n,
                            .x_step = t->step,
                            .y_step = p->blocks * BLOCK,
                            .y_block = BLOCK,
                            .w_channel = BLOCK,
                            .w_block = t->panel * BLOCK,
                            .continues = first > 0,
                            .half = b,
                            .wide = p->panel,
                            .half_block = k * BLOCK};
    b += at + blocks < p->blocks ? blocks * k * BLOCK : 0; /* moves on to the next panel */
    for (int i = 0; i < tiles; i++) {
        const oc_span some = oc_share(rows, tiles, i);
        for (int v = 0; v < blocks && tiles >= SPREAD; v++)
            fetch_part(b + v * k * BLOCK, n, i, tiles);
        tile.x = p->a + some.first * t->step;
        tile.y = p->sums + (some.first * p->blocks + at) * BLOCK;
        (i == 0 && widening ? widening : t->v->some[blocks - 1][some.end - some.first - 1])(&tile);
    }
}

/* Runs the epilogue on n elements from number `at` of all results on, and rounds them. */
static void finish_sums(const job *t, float *sums, int64_t at, int64_t n)
{
    const oc_matmul_epilogue *after = &t->g->after;
    for (int64_t i = 0, some; i < n; i += some) {
        some = oc_min(n - i, PIECE);
        if (after->run)
            after->run(after->ctx, sums + i, at + i, some);
        t->half->narrow(t->g->y + at + i, sums + i, some);
    }
}

/* As add_panel, for a single row. */
static void add_row(const job *t, const part *p, int64_t at, int blocks, int64_t first, int64_t n)
{
    const int64_t step = t->g->k * BLOCK;
    float *y = p->sums + at * BLOCK;
    if (first == 0)
        memset(y, 0, (size_t)blocks * BLOCK * sizeof *y);
    t->row(&(oc_half_row){y, p->a, t->g->b + (p->block + at) * step + first * BLOCK, n, step},
           blocks);
}

/* The results of a part. */
static void multiply_part(const job *t, const part *p)
{
    const oc_half_matmul *g = t->g;
    const int64_t first = p->rows.first, rows = p->rows.end - first;
    const int64_t column = p->block * BLOCK, step = p->blocks * BLOCK;
    const int64_t columns = oc_min(g->n - column, step), across = oc_div_up(p->blocks, t->each);
    OC_LOOP (&g->work, i, oc_div_up(g->k, t->panel) * across, 1) {
        const int64_t row = i / across * t->panel, n = oc_min(g->k - row, t->panel);
        const int64_t at = i % across * t->each;
        if (at == 0 && (g->k > t->panel || p->begins))
            widen_rows(t, p, row, n);
        (t->row ? add_row : add_panel)(t, p, at, (int)oc_min(p->blocks - at, t->each), row, n);
    }
    const bool dense = columns == g->n && step == g->n;
    OC_LOOP (&g->work, i, dense ? 1 : rows, 1)
        finish_sums(t, p->sums + i * step, (first + i) * g->n + column,
                    dense ? rows * g->n : columns);
}

static void multiply_parts(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    part p = part_of(t, task);
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t row = unit / t->pieces.columns, column = unit % t->pieces.columns;
        const oc_span blocks = oc_share(t->blocks, (int)t->pieces.columns, (int)column);
        p.rows = oc_share(t->g->m, (int)t->pieces.rows, (int)row);
        for (p.block = blocks.first; p.block < blocks.end; p.block += p.blocks) {
            p.blocks = oc_min(blocks.end - p.block, t->together);
            p.begins = p.block == blocks.first;
            multiply_part(t, &p);
        }
    }
}

/* ---- the product ---- */

/* Decides how many rows use a panel together, and how many blocks of columns have sums that wait
 * together. */
static void cut(job *t, int threads)
{
    const int64_t m = t->g->m;
    t->pieces = oc_matmul_cut(m, ROWS, oc_div_up(t->blocks, t->each), threads);
    t->rows = oc_div_up(m, t->pieces.rows);
    const int64_t most = oc_max(SUMS / (t->rows * BLOCK) / t->each, 1) * t->each;
    const int64_t blocks = oc_div_up(t->blocks, t->pieces.columns);
    const int64_t even = oc_div_up(blocks, oc_div_up(blocks, most)); /* makes parts of one size */
    t->together = oc_min(oc_div_up(even, t->each) * t->each, blocks);
    const int64_t panels = oc_div_up(t->g->k, oc_max(PANELS / t->rows, PANEL));
    t->panel = oc_div_up(oc_div_up(t->g->k, panels), BLOCK) * BLOCK;
    t->step = t->panel + BLOCK;
}

static job make_job(const oc_half_matmul *g)
{
    job t = {.g = g,
             .v = oc_tile_nchw16c_pick(g->cpu),
             .half = oc_half_pick(g->type, g->cpu),
             .row = g->m == 1 ? oc_half_row_pick(g->type, g->cpu) : NULL,
             .blocks = oc_channel_blocks(g->n)};
    t.each = t.row ? OC_HALF_ROW_BLOCKS : t.v->blocks;
    cut(&t, oc_work_most_tasks(&g->work));
    return t;
}

uint64_t oc_half_matmul_scratch(const oc_half_matmul *g)
{
    const job t = make_job(g);
    return (uint64_t)oc_work_most_tasks(&g->work) * task_floats(&t) * sizeof(float);
}

void oc_half_matmul_run(const oc_half_matmul *g, void *scratch)
{
    job t = make_job(g);
    assert(g->m > 0 && g->k > 0 && g->n > 0 && oc_is_aligned(scratch, OC_CACHE_LINE));
    t.scratch = scratch;
    oc_work_run(&g->work, t.pieces.rows * t.pieces.columns, multiply_parts, &t);
}
