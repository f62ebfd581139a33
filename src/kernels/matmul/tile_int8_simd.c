/* SPDX-License-Identifier: Apache-2.0
 * tile_int8_simd.c - the tiles of tile_int8.h.
 *
 * Their sizes are arguments that are constants where a function is called, so that its sums are
 * registers. */
#include "kernels/matmul/tile_int8.h"

#include "kernels/matmul/rescale.h"

enum {
    LINE = 16, /* output channels */
    BLOCKS = (int)i32x16_SUMS < OC_INT8_POSITIONS * OC_INT8_BLOCKS ? 1 : OC_INT8_BLOCKS,
    POSITIONS = (int)i32x16_SUMS < (int)OC_INT8_POSITIONS ? i32x16_SUMS : OC_INT8_POSITIONS
};

/* Stores block v of the tile, rescaled, four positions at a time. */
OC_INLINE void store_rescaled(const oc_tile_int8 *t, i32x16 sum[OC_INT8_POSITIONS][OC_INT8_BLOCKS],
                              const int rows, const int v)
{
    UNROLL (f, (rows + 3) / 4) {
        i32x16 four[4];
        const int n = rows - 4 * f < 4 ? rows - 4 * f : 4;
        UNROLL (r, n)
            four[r] = sum[4 * f + r][v];
        rescale_store((uint8_t *)t->y + v * t->y_block + 4 * f * t->y_step, t->y_step, four, n,
                      t->rescale, v * LINE);
    }
}

OC_INLINE void tile(const oc_tile_int8 *t, const int rows, const int blocks)
{
    const int64_t x_step = t->x_step, w_block = t->w_block;
    const int64_t whole = t->block / OC_INT8_TOGETHER * t->taps;
    const int8_t *w = t->w;
    const uint8_t *x = t->x;
    i32x16 sum[OC_INT8_POSITIONS][OC_INT8_BLOCKS];
    i8x64 weight[OC_INT8_BLOCKS];
    UNROLL (r, rows)
        UNROLL (v, blocks)
            sum[r][v] = i32x16_load(t->b + v * LINE);
    if (t->less)
        UNROLL (v, blocks) {
            const i32x16 z = i32x16_load(t->z + v * LINE);
            UNROLL (r, rows)
                sum[r][v] = i32x16_less(sum[r][v], i32x16_splat(t->less[r]), z);
        }
    for (int64_t left = t->channels; left > 0; left -= t->block, x += t->x_block) {
        const int64_t *tap = t->tap;
        const int64_t *end = tap + (left < t->block ? left / OC_INT8_TOGETHER * t->taps : whole);
        for (; tap < end; tap++, w += LINE * OC_INT8_TOGETHER)
            UNROLL (half, i8x64_HALVES) {
                const uint8_t *pixel = x + *tap + half * t->block;
                UNROLL (v, blocks)
                    weight[v] = i8x64_load(w + v * w_block, half);
                UNROLL (r, rows) {
                    const u8x4 factor = u8x4_splat(pixel + r * x_step);
                    UNROLL (v, blocks)
                        sum[r][v] = i32x16_dot(sum[r][v], factor, weight[v]);
                }
            }
    }
    if (t->rescale)
        UNROLL (v, blocks)
            store_rescaled(t, sum, rows, v);
    else
        UNROLL (v, blocks)
            UNROLL (r, rows)
                i32x16_store((int32_t *)t->y + v * t->y_block + r * t->y_step, sum[r][v]);
}

static void pack(int8_t *to, int32_t *sum, const uint8_t *rows, int64_t lines, int64_t step,
                 uint8_t flip)
{
    /* here a half register holds the upper bytes of 16 bits */
    enum { ODD = (int)i8x64_HALVES == 1 };
    static const uint8_t ones[OC_INT8_TOGETHER] = {1, ODD, 1, ODD};
    const u8x4 one = u8x4_splat(ones);
    i32x16 all = i32x16_load(sum);
    for (int64_t i = 0; i < lines; i++, to += LINE * OC_INT8_TOGETHER) {
        turn_rows(to, rows + i * OC_INT8_TOGETHER * step, step, flip);
        UNROLL (half, i8x64_HALVES)
            all = i32x16_dot(all, one, i8x64_load(to, half));
    }
    i32x16_store(sum, all);
}

/* Functions of each size, and the lists of the sizes that an instruction set has. */
/* clang-format off */
#define TILE(rows)                                                                                 \
    static void tile_##rows##_1(const oc_tile_int8 *t) { tile(t, rows, 1); }                       \
    static void tile_##rows##_2(const oc_tile_int8 *t) { tile(t, rows, 2); }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7) TILE(8)

#define LISTED(name, rows, blocks) (rows) <= POSITIONS && (blocks) <= BLOCKS ? name : NULL
#define LIST(end, blocks)                                                                          \
    {LISTED(tile_1##end, 1, blocks), LISTED(tile_2##end, 2, blocks),                               \
     LISTED(tile_3##end, 3, blocks), LISTED(tile_4##end, 4, blocks),                               \
     LISTED(tile_5##end, 5, blocks), LISTED(tile_6##end, 6, blocks),                               \
     LISTED(tile_7##end, 7, blocks), LISTED(tile_8##end, 8, blocks)}
    /* clang-format on */

    OC_ISA_VARIANT(oc_tile_int8_variant, oc_tile_int8_variants, POSITIONS, BLOCKS, i8x64_HALVES,
                   {LIST(_1, 1), LIST(_2, 2)}, pack)
