/* SPDX-License-Identifier: Apache-2.0
 * cpu.h - bits for instruction sets, detected once for each session; tests mask them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OC_CPU_SCALAR = 0,
    OC_CPU_AVX2 = 1 << 0,   /* AVX2, FMA and F16C */
    OC_CPU_AVX512 = 1 << 1, /* AVX-512 F, BW, DQ, VL */
    OC_CPU_NEON = 1 << 2,
    OC_CPU_VNNI = 1 << 3,     /* AVX-512 VNNI: products of four bytes */
    OC_CPU_AVX_VNNI = 1 << 4, /* the instructions of OC_CPU_VNNI in AVX2's registers */
    OC_CPU_I8MM = 1 << 5,     /* NEON: products of four unsigned bytes by signed ones */
    OC_CPU_V128 = 1 << 6,     /* the compiler's vectors of 128 bits */
    OC_CPU_RELAXED = 1 << 7,  /* WebAssembly's relaxed vectors, where their multiply-add is fused */
    /* No instruction set: sums of products are multiplied, then added. Variants that compute so
     * need this bit and stand before those of their set. Only where no set in use fuses. */
    OC_CPU_FAST = 1 << 8,
    /* WebAssembly's relaxed dot products, where they are exact for every unsigned byte */
    OC_CPU_RELAXED_DOT = 1 << 9,
    /* No vectors, but the compiler has a fused multiply-add for numbers. */
    OC_CPU_FMA = 1 << 10
};

/* Are the compiler's vectors of 128 bits instructions here? Elsewhere a session runs the scalar
 * kernels, since such vectors take twice or three times as many instructions: on RISC-V without
 * vectors, and on 32-bit ARM, whose vectors make subnormal numbers 0. */
#if defined(__SSE2__) || defined(__wasm_simd128__) || defined(__VSX__) || defined(__riscv_vector)
#define OC_HAS_V128 1
#else
#define OC_HAS_V128 0
#endif

/* Returns the instruction sets that this processor and operating system can run. */
unsigned oc_cpu_detect(void);

/* Returns the instruction sets that name allows: "scalar" allows none, "v128" the compiler's
 * vectors of 128 bits, "relaxed" these with WebAssembly's relaxed multiply-add, "avx2" v128's and
 * AVX2, "avx512" all three with AVX-512; "relaxeddot", "avxvnni" and "avx512vnni" add products of
 * four bytes to "relaxed", "avx2" and "avx512". "neon" allows NEON, "i8mm" NEON and its products of
 * four bytes. NULL, "" and "native" allow all. Sets *known to 1. For any other name it returns 0
 * and sets *known to 0. */
unsigned oc_cpu_mask(const char *name, int *known);

const char *oc_cpu_name(unsigned bits); /* names the best set in bits; "scalar": there is none */
bool oc_cpu_fuses(unsigned bits);       /* has a set in bits a fused multiply-add of vectors? */
/* How sessions on these sets compute sums of products: "fused", "exact" or "fast". */
const char *oc_cpu_products(unsigned bits);

enum { OC_CACHE_LINE = 64 }; /* in bytes; only speed depends on it */

/* Returns bytes rounded up to whole cache lines. */
static inline uint64_t oc_cache_lines(uint64_t bytes)
{
    return (bytes + OC_CACHE_LINE - 1) / OC_CACHE_LINE * OC_CACHE_LINE;
}

/* Prefetches the cache line at p, which need not be readable. The empty asm statement is needed:
 * without it gcc drops calls of a function that only prefetches. */
#if defined(__GNUC__)
#define OC_PREFETCH(p) (__builtin_prefetch(p), __extension__({ __asm__ volatile(""); }))
#else
#define OC_PREFETCH(p) ((void)(p))
#endif
