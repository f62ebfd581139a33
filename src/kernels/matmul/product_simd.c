/* SPDX-License-Identifier: Apache-2.0
 * product_simd.c - the products of product.h in tiles of two registers by several rows; at least
 * half of the registers hold sums. */
#include "kernels/matmul/product.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/chains.h"

enum { MOST = OC_SIMD_REGISTERS < 32 ? 6 : 8 };

OP(f64v, add_f64, (f64v sum, f64v a, f64v b), f64v_fma(a, b, sum))

#define add_pairs       u32v_add_pairs
#define OC_T_pairs      uint32_t
#define OC_SUM_pairs    pairs
#define OC_VECTOR_pairs u32v

#ifdef OC_SIMD_CHAINS
#include "kernels/matmul/product_chains.inc"
#else
OP(f32v, add_f32, (f32v sum, f32v a, f32v b), f32v_fma(a, b, sum))
#define ELEMENT f32
#include "kernels/matmul/product_tile.inc"
#endif
#define ELEMENT f64
#include "kernels/matmul/product_tile.inc"
#ifdef OC_UNFUSED /* sums of integers are exact: there is one way */
#define product_pairs NULL
#else
#define ELEMENT pairs
#include "kernels/matmul/product_tile.inc"
#endif

#ifdef OC_SIMD_CHAINS
#define few_f32 product_f32
#define ELEMENT f64
#include "kernels/matmul/product_few.inc"
#else
#define TEMPLATE "kernels/matmul/product_few.inc"
#include "kernels/common/floats.inc"
#endif

OC_ISA_VARIANT(oc_product_variant, oc_product_variants, product_f32, product_f64, product_pairs,
               few_f32, few_f64)
