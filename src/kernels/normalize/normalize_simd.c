/* SPDX-License-Identifier: Apache-2.0
 * normalize_simd.c - rows and columns of floats in registers. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/simd/simd.h"

#include "kernels/normalize/row_floats.inc"

OC_ISA_VARIANT(oc_softmax_variant, oc_softmax_variants, softmax, NULL, &rows, NULL)
