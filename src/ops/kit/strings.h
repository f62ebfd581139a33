/* SPDX-License-Identifier: Apache-2.0
 * strings.h - strings are compared and hashed in pieces, since one may have any length. Where the
 * work is ended, any result is returned. */
#pragma once

#include "base/siphash.h"
#include "base/work.h"
#include "base/element_type.h"

bool oc_same_string(const oc_work *w, oc_string a, oc_string b);
/* Compares strings by their bytes; the result is below 0, 0 or above 0. */
int oc_order_strings(const oc_work *w, oc_string a, oc_string b);
uint64_t oc_hash_string(const oc_work *w, const oc_sip_key *key, oc_string s);
