/* SPDX-License-Identifier: Apache-2.0
 * half_row_simd.c - the row of half_row.h for several blocks of columns at a time, whose sums
 * stay in registers. */
#include "kernels/matmul/half_row.h"

#include "kernels/simd/simd.h"

enum { PARTS = OC_BLOCK_CHANNELS / f32v_N };

typedef f32v load_fn(const uint16_t *p);

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
