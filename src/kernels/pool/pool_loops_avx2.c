/* SPDX-License-Identifier: Apache-2.0
 * pool_loops_avx2.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/pool/pool.h"

#include "kernels/pool/pool_loops.inc"

extern const oc_pool_loops oc_pool_avx2;
const oc_pool_loops oc_pool_avx2 = LOOPS("avx2", OC_CPU_AVX2);
