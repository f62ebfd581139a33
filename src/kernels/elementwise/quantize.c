/* SPDX-License-Identifier: Apache-2.0
 * quantize.c - the table of variants. */
#include "kernels/elementwise/quantize.h"

OC_VARIANTS(oc_quantize_variant, oc_quantize_variants)
OC_PICKER(oc_quantize_variant, oc_quantize_pick, oc_quantize_variants, to_8)
