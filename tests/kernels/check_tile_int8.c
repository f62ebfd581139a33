/* SPDX-License-Identifier: Apache-2.0
 * check_tile_int8.c - sums of products of 8-bit integers, and the results that become of them, by
 * every variant and in tiles of every size, against sums written out. */
#include "bench.h"
#include "int8.h"
#include "kernels/matmul/tile_int8.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    ROUNDS = 3000,
    LINE = 16,
    TAPS = 9,
    CHANNELS = 32,
    POSITIONS = OC_INT8_POSITIONS,
    BLOCKS = OC_INT8_BLOCKS,
    PIXELS = 64, /* of a block of channels */
    STEP = 3,    /* the most pixels from one position to the next, */
    REACH = 20   /* and to one under a tap */
};

static uint8_t x[CHANNELS * (PIXELS + POSITIONS * STEP + REACH)], wide[2 * sizeof x],
    codes[BLOCKS * POSITIONS * LINE + 1];
static _Alignas(64) int8_t w[BLOCKS * CHANNELS * TAPS * LINE];
static int32_t b[BLOCKS * LINE], z[BLOCKS * LINE], less[POSITIONS],
    sums[BLOCKS * POSITIONS * LINE + 1];
static float factor[BLOCKS * LINE];
static int64_t under[TAPS],
    tap[CHANNELS / 4 * TAPS]; /* bytes to what is under taps; as tiles take it */

static oc_tile_int8 random_tile(suite_random *r)
{
    static const int blocks[] = {4, 8, 16, 32};
    oc_tile_int8 t = {.x = x, .w = w, .b = b, .tap = tap};
    t.taps = 1 + suite_below(r, TAPS);
    t.block = blocks[suite_below(r, 4)];
    t.channels = 4 * (1 + suite_below(r, CHANNELS / 4));
    t.x_step = (1 + suite_below(r, STEP)) * t.block;
    t.x_block = t.block * PIXELS;
    t.y_step = LINE;
    t.y_block = POSITIONS * LINE;
    t.w_block = t.channels * t.taps * LINE;
    t.less = suite_below(r, 2) ? less : NULL;
    t.z = z;
    for (int p = 0; p < POSITIONS; p++)
        less[p] = (int)suite_below(r, 100001) - 50000;
    for (int k = 0; k < TAPS; k++)
        under[k] = suite_below(r, REACH) * t.block;
    for (size_t i = 0; i < sizeof x; i++)
        x[i] = (uint8_t)(suite_below(r, 3) ? suite_below(r, 256) : 255);
    for (size_t i = 0; i < sizeof w; i++)
        w[i] = suite_below(r, 3) ? (int8_t)((int)suite_below(r, 256) - 128) : INT8_MIN;
    for (int i = 0; i < BLOCKS * LINE; i++) {
        b[i] = suite_below(r, 8) ? (int)suite_below(r, 20001) - 10000 : INT_MAX;
        z[i] = (int)suite_below(r, 256) - 128;
        factor[i] = suite_below(r, 4) ? (float)suite_below(r, 1000) / 65536 : 0.5F;
    }
    return t;
}

/* As tile_int8.h states it: the sum of position p and output channel m. */
static int32_t sum_of(const oc_tile_int8 *t, int64_t p, int64_t m)
{
    const int8_t *weight = t->w + m / LINE * t->w_block + m % LINE * 4;
    uint32_t sum = (uint32_t)b[m] - (t->less ? (uint32_t)less[p] * (uint32_t)z[m] : 0);
    for (int64_t c = 0; c < t->channels; c++)
        for (int64_t k = 0; k < t->taps; k++) {
            const uint8_t pixel =
                x[c / t->block * t->x_block + c % t->block + p * t->x_step + under[k]];
            sum += (uint32_t)(pixel * weight[(c / 4 * t->taps + k) * LINE * 4 + c % 4]);
        }
    return (int32_t)sum;
}

/* Lists places, and makes pixels wide, as a variant takes them. */
static void bring(oc_tile_int8 *t, int times)
{
    for (int64_t i = 0; i < t->block / 4 * t->taps; i++)
        tap[i] = under[i % t->taps] * times + i / t->taps * 4;
    if (times == 1)
        return;
    oc_int8_widen(wide, x, (int64_t)sizeof x, t->block);
    t->x = wide;
    t->x_step *= 2;
    t->x_block *= 2;
}

static void check_tile(const oc_tile_int8_variant *v, oc_tile_int8 t, int blocks, int positions,
                       uint32_t seed)
{
    const oc_rescale *s = t.rescale;
    const oc_tile_int8 plain = t;
    bring(&t, v->wide);
    t.y = s ? (void *)codes : (void *)sums;
    memset(codes, 0xaa, sizeof codes);
    memset(sums, 0xaa, sizeof sums);
    v->tile[blocks - 1][positions - 1](&t);
    for (int64_t m = 0; m < blocks * LINE; m++)
        for (int64_t p = 0; p < positions; p++) {
            const int64_t at = m / LINE * t.y_block + p * LINE + m % LINE;
            const int32_t sum = sum_of(&plain, p, m);
            const int32_t want = s ? code_of(s, sum, m) : sum, got = s ? codes[at] : sums[at];
            suite_assert(got == want, "%s, %d x %d: [%d,%d] is %d, not %d; OC_SEED=%u", v->isa,
                         positions, blocks, (int)m, (int)p, got, want, seed);
        }
    const int64_t behind = (blocks - 1) * t.y_block + positions * LINE;
    suite_assert(s ? codes[behind] == 0xaa : sums[behind] == (int32_t)0xaaaaaaaa,
                 "%s writes behind its tile", v->isa);
}

START_TEST(tiles_equal_the_definition)
{
    suite_random r = suite_random_new(39);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_tile_int8 t = random_tile(&r);
        const int32_t sign = suite_below(&r, 2) ? INT8_MIN : 0;
        const int32_t zero = sign + (int32_t)suite_below(&r, 256);
        const int32_t low = sign + (int32_t)suite_below(&r, 100);
        const oc_rescale s = {factor, zero, low, low + (int32_t)suite_below(&r, 156)};
        t.rescale = suite_below(&r, 2) ? &s : NULL;
        EACH_VARIANT (oc_tile_int8_variant, v, oc_tile_int8_variants) {
            const int blocks = 1 + (int)suite_below(&r, (uint32_t)v->blocks);
            check_tile(v, t, blocks, 1 + (int)suite_below(&r, (uint32_t)v->positions), seed);
        }
    }
}
END_TEST

START_TEST(lines_of_rows)
{
    enum { ROWS = 40, ROW_STEP = 21 };
    suite_random r = suite_random_new(40);
    uint8_t rows[ROWS * ROW_STEP];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (uint8_t)suite_below(&r, 256);
    EACH_VARIANT (oc_tile_int8_variant, v, oc_tile_int8_variants)
        for (int lines = 0; lines <= ROWS / 4; lines++) {
            const uint8_t flip = (uint8_t)(lines % 2 * OC_INT8_SIGN);
            int8_t line[ROWS * LINE + 1];
            int32_t sum[LINE] = {INT_MAX, -5}, want[LINE] = {INT_MAX, -5};
            memset(line, 0x55, sizeof line);
            v->pack(line, sum, rows, lines, ROW_STEP, flip);
            for (int i = 0; i < lines * 4; i++)
                for (int c = 0; c < LINE; c++) {
                    const int8_t byte = (int8_t)(rows[i * ROW_STEP + c] ^ flip);
                    want[c] = (int32_t)((uint32_t)want[c] + (uint32_t)byte);
                    suite_assert(line[i / 4 * LINE * 4 + 4 * c + i % 4] == byte,
                                 "%s: byte %d of row %d", v->isa, c, i);
                }
            ck_assert_int_eq(line[lines * LINE * 4], 0x55);
            suite_assert(memcmp(sum, want, sizeof sum) == 0, "%s: sums of %d lines", v->isa, lines);
        }
}
END_TEST

START_TEST(every_size_is_there)
{
    EACH_VARIANT (oc_tile_int8_variant, v, oc_tile_int8_variants)
        for (int blocks = 1; blocks <= v->blocks; blocks++)
            for (int n = 1; n <= v->positions; n++)
                ck_assert(v->tile[blocks - 1][n - 1] != NULL);
}
END_TEST

/* ---- --bench */

static void run_tile(const void *variant, void *ctx)
{
    const oc_tile_int8_variant *v = variant;
    v->tile[v->blocks - 1][v->positions - 1](ctx);
}

/* Elements are products. Tiles of variants have different numbers of products, so one tile is
 * timed at a time, and its products are those of the largest. */
static void bench_tile_int8(const bench *how)
{
    static const oc_rescale s = {factor, 100, 0, 255};
    oc_tile_int8 t = {.y = codes,
                      .x = x,
                      .w = w,
                      .b = b,
                      .tap = tap,
                      .rescale = &s,
                      .taps = TAPS,
                      .channels = CHANNELS,
                      .block = LINE,
                      .x_block = LINE * PIXELS,
                      .x_step = LINE,
                      .y_step = LINE,
                      .y_block = POSITIONS * LINE,
                      .w_block = (int64_t)CHANNELS * TAPS * LINE};
    memset(tap, 0, sizeof tap);
    const oc_tile_int8_variant *const *all = oc_tile_int8_variants;
    for (const oc_tile_int8_variant *v = *all; v; v = v->need ? *++all : NULL) {
        const bench_row row = {v->isa, v->need, v};
        bench_case c = {.elements = (double)(CHANNELS * TAPS * LINE * v->blocks * v->positions),
                        .run = run_tile,
                        .ctx = &t};
        snprintf(c.name, sizeof c.name, "%d positions x %d channels", v->positions,
                 v->blocks * LINE);
        bench_rows(how, &c, &row, 1);
    }
}

KERNEL_SUITE(tile_int8, "one product, added to its sum", tiles_equal_the_definition, lines_of_rows,
             every_size_is_there)
