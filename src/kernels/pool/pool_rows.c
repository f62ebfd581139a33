/* SPDX-License-Identifier: Apache-2.0
 * pool_rows.c - the table of variants. */
#include "kernels/pool/pool_rows.h"

OC_VARIANTS(oc_pool_rows_variant, oc_pool_rows_variants)
OC_PICKER(oc_pool_rows_variant, oc_pool_rows_pick, oc_pool_rows_variants, max)
