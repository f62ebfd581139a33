/* SPDX-License-Identifier: Apache-2.0
 * pool_rows_neon.c - the folds of pool_rows.h in registers of this instruction set. */
#include "kernels/pool/pool_rows.h"

#define OC_VEC_NEON
#include "kernels/pool/pool_rows.inc"

VARIANT(neon, OC_CPU_NEON)
