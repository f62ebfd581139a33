/* SPDX-License-Identifier: Apache-2.0
 * pool_loops.c - the table of variants. */
#include "kernels/pool/pool_loops.h"

OC_VARIANTS(oc_pool_loops, oc_pool_variants)
OC_PICKER(oc_pool_loops, oc_pool_pick, oc_pool_variants, divide_f32)
