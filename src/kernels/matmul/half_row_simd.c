/* SPDX-License-Identifier: Apache-2.0
 * half_row_simd.c - the row of half_row.h for several blocks of columns at a time, whose sums
 * stay in registers. */
#include "kernels/matmul/half_row.h"

#include "kernels/simd/chains.h"

enum { PARTS = OC_BLOCK_CHANNELS / f32v_N };

typedef f32v load_fn(const uint16_t *p);

#ifdef OC_SIMD_CHAINS
/* Widens the numbers of a run, for one block. */
OC_INLINE void add(const oc_half_row *r, const int blocks, load_fn *load)
{
    f32_chains c;
    float wide[OC_CHAIN_RUN][OC_BLOCK_CHANNELS];
    for (int v = 0; v < blocks; v++) {
        const uint16_t *b = r->b + v * r->b_step;
        float *y = r->y + v * OC_BLOCK_CHANNELS;
        chains_begin(&c, 1, OC_BLOCK_CHANNELS, 0, 0);
        chains_load(&c, 0, 0, y, OC_BLOCK_CHANNELS);
        for (int64_t k = 0; k < r->n; k++, b += OC_BLOCK_CHANNELS) {
            float *to = wide[c.n];
            UNROLL (i, PARTS)
                f32v_store(to + i * f32v_N, load(b + i * f32v_N));
            chains_add(&c, r->a + k, to);
        }
        chains_flush(&c);
        chains_store(&c, 0, 0, y, OC_BLOCK_CHANNELS);
    }
}
#else
OC_INLINE void add(const oc_half_row *r, const int blocks, load_fn *load)
{
    const uint16_t *b = r->b;
    f32v sum[OC_HALF_ROW_BLOCKS][PARTS];
    UNROLL (v, blocks)
        UNROLL (i, PARTS)
            sum[v][i] = f32v_load(r->y + v * OC_BLOCK_CHANNELS + i * f32v_N);
    for (int64_t k = 0; k < r->n; k++, b += OC_BLOCK_CHANNELS) {
        const f32v factor = f32v_splat(r->a[k]);
        UNROLL (v, blocks)
            UNROLL (i, PARTS)
                sum[v][i] = f32v_fma(factor, load(b + v * r->b_step + i * f32v_N), sum[v][i]);
    }
    UNROLL (v, blocks)
        UNROLL (i, PARTS)
            f32v_store(r->y + v * OC_BLOCK_CHANNELS + i * f32v_N, sum[v][i]);
}
#endif

OC_INLINE void add_blocks(const oc_half_row *r, int blocks, load_fn *load)
{
    oc_half_row one = *r;
    if (blocks == OC_HALF_ROW_BLOCKS) {
        add(r, OC_HALF_ROW_BLOCKS, load);
        return;
    }
    for (int v = 0; v < blocks; v++, one.y += OC_BLOCK_CHANNELS, one.b += one.b_step)
        add(&one, 1, load);
}

static void run_f16(const oc_half_row *r, int blocks)
{
    add_blocks(r, blocks, f32v_load_f16);
}

static void run_bf16(const oc_half_row *r, int blocks)
{
    add_blocks(r, blocks, f32v_load_bf16);
}

OC_ISA_VARIANT(oc_half_row_variant, oc_half_row_f16_variants, run_f16)
OC_ISA_VARIANT(oc_half_row_variant, oc_half_row_bf16_variants, run_bf16)
