/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold_avx2.c - the loops as the compiler vectorises them for this instruction set,
 * and those of lines of floats in registers. */
#include "kernels/reduce/reduce.h"

#include "kernels/common/precondition.h"

#include <string.h>

#include "kernels/reduce/reduce_lines.inc"

#include "kernels/reduce/reduce_fold_types.inc"

extern const oc_fold_variant oc_fold_avx2;
const oc_fold_variant oc_fold_avx2 = FOLDS("avx2", OC_CPU_AVX2);
