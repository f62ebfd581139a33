/* SPDX-License-Identifier: Apache-2.0
 * pool_rows_avx2.c - the folds of pool_rows.h in registers of this instruction set. */
#include "kernels/pool/pool_rows.h"

#include "kernels/pool/pool_rows.inc"

VARIANT(avx2, OC_CPU_AVX2)
