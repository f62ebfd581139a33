/* SPDX-License-Identifier: Apache-2.0
 * lookup.c - the table of variants. */
#include "kernels/elementwise/lookup.h"

OC_VARIANTS(oc_lookup_variant, oc_lookup_variants)
OC_PICKER(oc_lookup_variant, oc_lookup_pick, oc_lookup_variants, row)
