/* SPDX-License-Identifier: Apache-2.0
 * strings.h - strings are compared and hashed under a pace: a long one takes as long as many
 * products, and there may be many long ones. Where the pace ends it, any result is returned. */
#ifndef OC_OPS_KIT_STRINGS_H
#define OC_OPS_KIT_STRINGS_H

#include "base/siphash.h"
#include "kernels/common/rounds.h"
#include "tensor/type.h"

bool oc_same_string(oc_pace *pace, oc_string a, oc_string b);
/* By their bytes: below 0, 0 or above 0. */
int oc_order_strings(oc_pace *pace, oc_string a, oc_string b);
uint64_t oc_hash_string(oc_pace *pace, const oc_sip_key *key, oc_string s);

#endif
