/* SPDX-License-Identifier: Apache-2.0
 * cpu.h - instruction set bits, found once per session and masked for tests. */
#ifndef OC_BASE_CPU_H
#define OC_BASE_CPU_H

enum {
    OC_CPU_SCALAR = 0,
    OC_CPU_AVX2 = 1 << 0,   /* AVX2, FMA and F16C */
    OC_CPU_AVX512 = 1 << 1, /* AVX-512 F, BW, DQ, VL */
    OC_CPU_NEON = 1 << 2
};

/* What this processor and operating system can run. */
unsigned oc_cpu_detect(void);

/* The bits that name allows: "scalar" none, "avx2", "avx512" (avx2 too), "neon"; all bits for NULL,
 * "" or "native". Returns 0 and sets *known to 0 for another name. */
unsigned oc_cpu_mask(const char *name, int *known);

const char *oc_cpu_name(unsigned bits); /* of the best set in bits; "scalar" when there is none */

enum { OC_CACHE_LINE = 64 }; /* bytes; only speed depends on it */

/* Asks for the cache line at p, which need not be readable. Without the empty statement gcc drops
 * calls of a function that does no more than this. */
#if defined(__GNUC__)
#define OC_PREFETCH(p) (__builtin_prefetch(p), __extension__({ __asm__ volatile(""); }))
#else
#define OC_PREFETCH(p) ((void)(p))
#endif

#endif
