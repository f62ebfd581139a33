/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c_simd.c - the tiles of tile_nchw16c.h.
 *
 * Their sizes are arguments that are constants where a function is called, so that its sums are
 * registers. */
#include "kernels/matmul/tile_nchw16c.h"

#include "kernels/common/half_limits.h"
#include "kernels/simd/chains.h"

/* Sizes of tiles whose sums of 16 output channels stay in registers, with some registers left
 * for weights and pixels. */
enum {
    SUMS = OC_SIMD_REGISTERS * 3 / 4 / (int)(sizeof(f32x16) / sizeof(f32v)),
#ifdef OC_SIMD_CHAINS
    BLOCKS = OC_CHAIN_COLUMNS / OC_BLOCK_CHANNELS,
    POSITIONS = OC_CHAIN_ROWS,
    GROUPED = 1,
    WIDENS = 0,
#else
    BLOCKS = SUMS >= OC_TILE_POSITIONS * OC_TILE_BLOCKS ? OC_TILE_BLOCKS : 1,
    POSITIONS = SUMS < 1                   ? 1
                : SUMS < OC_TILE_POSITIONS ? SUMS
                                           : OC_TILE_POSITIONS,
    GROUPED = POSITIONS, /* positions of a tile of small groups */
    WIDENS = POSITIONS > 1,
#endif
    HALF = (GROUPED + 1) / 2,
    LESS = POSITIONS > 1 ? POSITIONS - 1 : 1,
    ROUNDING = (int)f32v_N == OC_BLOCK_CHANNELS ? LESS : 0
};

typedef f32v load_fn(const uint16_t *p);

/* Makes the compiler believe that p changes in each round. Otherwise it computes the addresses
 * of all pixels before a loop, in registers that sums need. */
#define SET_ANEW(p) __asm__("" : "+r"(p))

/* A run of channels that are `step` apart. After it a longer step leads to the next run. In NCHW
 * all channels are one run. */
typedef struct walk_of_channels {
    int64_t together, step;
} walk_of_channels;

OC_INLINE walk_of_channels walk_channels(const oc_tile_nchw16c *t)
{
    return t->block == 1 ? (walk_of_channels){t->channels, t->x_block}
                         : (walk_of_channels){t->block, 1};
}

/* Loads line i of the weights of block v, which are halves, and also stores it as floats. */
OC_INLINE f32x16 load_half(const oc_tile_nchw16c *t, int64_t i, int v, load_fn *load)
{
    const uint16_t *half = t->half + i + v * t->half_block;
    f32x16 w;
    for (int k = 0; k < OC_BLOCK_CHANNELS / f32v_N; k++)
        w.r[k] = load(half + k * f32v_N);
    f32x16_store(t->wide + i + v * t->w_block, w);
    return w;
}

/* Adds the products of pixels, x_step apart, and a line of weights of each block. */
OC_INLINE void add_products(f32x16 sum[OC_TILE_POSITIONS][OC_TILE_ROW], const oc_tile_nchw16c *t,
                            const float *pixel, const float *w, const int rows, const int blocks,
                            load_fn *load)
{
    const int64_t x_step = t->x_step, w_block = t->w_block;
    f32x16 weight[OC_TILE_ROW];
    UNROLL (v, blocks)
        weight[v] = load ? load_half(t, w - t->w, v, load) : f32x16_load(w + v * w_block);
    UNROLL (r, rows) {
        const f32x16 factor = f32x16_splat(pixel[r * x_step]);
        UNROLL (v, blocks)
            sum[r][v] = f32x16_fma(factor, weight[v], sum[r][v]);
    }
}

OC_INLINE void finish_sums(f32x16 sum[OC_TILE_POSITIONS][OC_TILE_ROW], const oc_tile_finish *f,
                           int64_t out_channel, const int rows, const int blocks)
{
    UNROLL (v, blocks) {
        const int64_t at = out_channel + v * OC_BLOCK_CHANNELS;
        if (f->factor)
            UNROLL (r, rows)
                sum[r][v] =
                    f32x16_add(f32x16_mul(f32x16_sub(sum[r][v], f32x16_load(f->center + at)),
                                          f32x16_load(f->factor + at)),
                               f32x16_load(f->offset + at));
        if (f->least > -INFINITY)
            UNROLL (r, rows)
                sum[r][v] = f32x16_at_least(f->least, sum[r][v]);
        if (f->greatest < INFINITY)
            UNROLL (r, rows)
                sum[r][v] = f32x16_at_most(f->greatest, sum[r][v]);
    }
}

/* Finishes sums that are stored in memory. It serves rare tiles, whose code is smaller so. */
static __attribute__((noinline, cold)) void finish_stored(const oc_tile_nchw16c *t, int rows,
                                                          int blocks)
{
    for (int v = 0; v < blocks; v++)
        for (int r = 0; r < rows; r++) {
            float *y = t->y + v * t->y_block + r * t->y_step;
            f32x16 sum[OC_TILE_POSITIONS][OC_TILE_ROW];
            sum[0][0] = f32x16_load(y);
            finish_sums(sum, t->finish, t->out_channel + v * OC_BLOCK_CHANNELS, 1, 1);
            f32x16_store(y, sum[0][0]);
        }
}

OC_INLINE void store_f16(const oc_tile_nchw16c *t, f32x16 sum[OC_TILE_POSITIONS][OC_TILE_ROW],
                         const int rows, const int blocks)
{
    if (t->bounds) {
        const oc_half_limits limits = oc_half_limits_of(t->bounds);
        UNROLL (v, blocks)
            UNROLL (r, rows)
                sum[r][v].r[0] = oc_half_limited(sum[r][v].r[0], &limits);
    }
    UNROLL (v, blocks)
        UNROLL (r, rows)
            f32v_store_f16((uint16_t *)(void *)(t->y + v * t->y_block + r * t->y_step),
                           sum[r][v].r[0]);
}

/* some: the tile is of some channels and taps. load reads halves, in widening tiles; else NULL.
 * A single tap has a loop of its own with less around the products, which take no longer than
 * the rest there. */
OC_INLINE void any_tile(const oc_tile_nchw16c *t, const bool some, const int rows, const int blocks,
                        load_fn *load)
{
    const walk_of_channels walk = walk_channels(t);
    const float *w = t->w, *block = t->x;
    int64_t first = t->first;
    f32x16 sum[OC_TILE_POSITIONS][OC_TILE_ROW];
    UNROLL (r, rows)
        UNROLL (v, blocks)
            sum[r][v] = (some || load) && t->continues
                            ? f32x16_load(t->y + r * t->y_step + v * t->y_block)
                            : f32x16_zero();
    for (int64_t left = t->channels; left > 0; left -= walk.together, block += t->x_block) {
        const float *x = block + first;
        int64_t n = (left < walk.together ? left : walk.together) - first;
        first = 0;
        if ((some || f32v_N < 16) && t->taps == 1)
            for (x += t->tap->x; n > 0; n--, x += walk.step) {
                SET_ANEW(x);
                add_products(sum, t, x, w + (some ? t->tap->w : 0), rows, blocks, load);
                w += some ? t->w_channel : OC_BLOCK_CHANNELS;
            }
        else
            for (; n > 0; n--, x += walk.step, w += some ? t->w_channel : 0)
                for (int64_t k = 0; k < t->taps; k++, w += some ? 0 : OC_BLOCK_CHANNELS)
                    add_products(sum, t, x + t->tap[k].x, w + (some ? t->tap[k].w : 0), rows,
                                 blocks, load);
    }
    if (t->b)
        UNROLL (v, blocks) {
            const f32x16 b = f32x16_load(t->b + v * OC_BLOCK_CHANNELS);
            UNROLL (r, rows)
                sum[r][v] = f32x16_add(sum[r][v], b);
        }
    const bool finish = OC_TILE_FINISHES && !some && !load && t->finish, often = rows >= LESS;
    if (finish && often)
        finish_sums(sum, t->finish, t->out_channel, rows, blocks);
    if (t->own) {
        const f32x16 own = f32x16_load(t->own);
        UNROLL (r, rows)
            sum[r][0] = f32x16_choose(own, sum[r][0], f32x16_load(t->y + r * t->y_step));
    }
    if (ROUNDING > 0 && rows >= ROUNDING && !some && load != f32v_load_bf16 && t->rounds) {
        store_f16(t, sum, rows, blocks);
        return;
    }
    UNROLL (v, blocks)
        UNROLL (r, rows)
            f32x16_store(t->y + v * t->y_block + r * t->y_step, sum[r][v]);
    if (finish && !often)
        finish_stored(t, rows, blocks);
}

#ifdef OC_SIMD_CHAINS
#include "kernels/matmul/tile_chains.inc"
#endif

OC_INLINE void tile(const oc_tile_nchw16c *t, const bool some, const int rows, const int blocks)
{
#ifdef OC_SIMD_CHAINS
    chain_tile(t, some, rows, blocks * OC_BLOCK_CHANNELS);
#else
    any_tile(t, some, rows, blocks, NULL);
#endif
}

static void f16_tile(const oc_tile_nchw16c *t)
{
    any_tile(t, false, POSITIONS, BLOCKS, f32v_load_f16);
}

static void f16_less(const oc_tile_nchw16c *t)
{
    any_tile(t, false, LESS, BLOCKS, f32v_load_f16);
}

static void bf16_tile(const oc_tile_nchw16c *t)
{
    any_tile(t, false, POSITIONS, BLOCKS, f32v_load_bf16);
}

static void bf16_less(const oc_tile_nchw16c *t)
{
    any_tile(t, false, LESS, BLOCKS, f32v_load_bf16);
}

static void row_tile(const oc_tile_nchw16c *t)
{
    tile(t, false, 1, OC_TILE_ROW);
}

#ifdef OC_SIMD_CHAINS
OC_INLINE void narrow_tile(const oc_tile_nchw16c *t, const int rows)
{
    chain_tile(t, false, rows, OC_BLOCK_CHANNELS / 2);
}
#else
OC_INLINE void add_narrow(f32x8 sum[OC_TILE_POSITIONS], const float *pixel, const float *w,
                          int64_t x_step, const int rows)
{
    const f32x8 weight = f32x8_load(w);
    UNROLL (r, rows)
        sum[r] = f32x8_fma(f32x8_splat(pixel[r * x_step]), weight, sum[r]);
}

/* Computes a tile of all channels and taps for 8 output channels. */
OC_INLINE void narrow_tile(const oc_tile_nchw16c *t, const int rows)
{
    const walk_of_channels walk = walk_channels(t);
    const int64_t x_step = t->x_step;
    const float *w = t->w, *block = t->x;
    int64_t first = t->first;
    f32x8 sum[OC_TILE_POSITIONS];
    UNROLL (r, rows)
        sum[r] = f32x8_zero();
    for (int64_t left = t->channels; left > 0; left -= walk.together, block += t->x_block) {
        const float *x = block + first;
        int64_t n = (left < walk.together ? left : walk.together) - first;
        first = 0;
        if (t->taps == 1)
            for (x += t->tap->x; n > 0; n--, x += walk.step, w += OC_BLOCK_CHANNELS) {
                SET_ANEW(x);
                add_narrow(sum, x, w, x_step, rows);
            }
        else
            for (; n > 0; n--, x += walk.step)
                for (int64_t k = 0; k < t->taps; k++, w += OC_BLOCK_CHANNELS)
                    add_narrow(sum, x + t->tap[k].x, w, x_step, rows);
    }
    if (t->b) {
        const f32x8 b = f32x8_load(t->b);
        UNROLL (r, rows)
            sum[r] = f32x8_add(sum[r], b);
    }
    UNROLL (r, rows)
        f32x8_store(t->y + r * t->y_step, sum[r]);
}
#endif

/* Computes `rows` positions of 16 output channels in groups of `size`. */
OC_INLINE void group_tile(const oc_tile_nchw16c *t, const float *x, float *y, const int rows,
                          const int size)
{
    const float *w = t->w;
    f32x16 sum[OC_TILE_POSITIONS];
    UNROLL (r, rows)
        sum[r] = f32x16_zero();
    for (int c = 0; c < size; c++, w += t->w_channel)
        for (int64_t k = 0; k < t->taps; k++) {
            const float *pixel = x + t->tap[k].x;
            const f32x16 weight = f32x16_load(w + t->tap[k].w);
            UNROLL (r, rows)
                sum[r] =
                    f32x16_fma(f32x16_of_group(pixel + r * t->x_step, size, c), weight, sum[r]);
        }
    const f32x16 b = t->b ? f32x16_load(t->b) : f32x16_zero();
    UNROLL (r, rows)
        f32x16_store(y + r * t->y_step, t->b ? f32x16_add(sum[r], b) : sum[r]);
}

/* Positions that whole tiles leave over are computed by a tile that begins earlier and writes a
 * few results a second time. */
OC_INLINE void groups(const oc_tile_nchw16c *t, int64_t positions, const int size)
{
    const int64_t many = positions >= GROUPED ? GROUPED : positions >= HALF ? HALF : 1;
    for (int64_t r = 0; r < positions; r += many) {
        const int64_t at = positions - r < many ? positions - many : r;
        const float *x = t->x + at * t->x_step;
        float *y = t->y + at * t->y_step;
        if (many == GROUPED)
            group_tile(t, x, y, GROUPED, size);
        else if (many == HALF)
            group_tile(t, x, y, HALF, size);
        else
            group_tile(t, x, y, 1, size);
    }
}

/* Functions of each size, and the lists of the sizes that an instruction set has. */
/* clang-format off */
#define TILE(rows)                                                                                 \
    static void dense_##rows##_1(const oc_tile_nchw16c *t) { tile(t, false, rows, 1); }               \
    static void dense_##rows##_2(const oc_tile_nchw16c *t) { tile(t, false, rows, 2); }               \
    static void some_##rows##_1(const oc_tile_nchw16c *t) { tile(t, true, rows, 1); }                 \
    static void some_##rows##_2(const oc_tile_nchw16c *t) { tile(t, true, rows, 2); }                 \
    static void narrow_##rows(const oc_tile_nchw16c *t) { narrow_tile(t, rows); }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7) TILE(8)

#define GROUPS(size)                                                                               \
    static void groups_##size(const oc_tile_nchw16c *t, int64_t n) { groups(t, n, size); }
GROUPS(1) GROUPS(2) GROUPS(4) GROUPS(8)

#define MANY(name) WIDENS ? name : NULL
#define LISTED(name, rows, blocks) (rows) <= POSITIONS && (blocks) <= BLOCKS ? name : NULL
#define LIST(name, end, blocks)                                                                    \
    {LISTED(name##_1##end, 1, blocks), LISTED(name##_2##end, 2, blocks),                           \
     LISTED(name##_3##end, 3, blocks), LISTED(name##_4##end, 4, blocks),                           \
     LISTED(name##_5##end, 5, blocks), LISTED(name##_6##end, 6, blocks),                           \
     LISTED(name##_7##end, 7, blocks), LISTED(name##_8##end, 8, blocks)}
    /* clang-format on */

    OC_ISA_VARIANT(oc_tile_nchw16c_variant, oc_tile_nchw16c_variants, POSITIONS, BLOCKS, ROUNDING,
                   {LIST(dense, _1, 1), LIST(dense, _2, 2)}, {LIST(some, _1, 1), LIST(some, _2, 2)},
                   LIST(narrow, , 1), SUMS >= (int)OC_TILE_ROW ? row_tile : NULL,
                   {{MANY(f16_tile), MANY(f16_less)}, {MANY(bf16_tile), MANY(bf16_less)}},
                   {groups_1, groups_2, groups_4, groups_8})
