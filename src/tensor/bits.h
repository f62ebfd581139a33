/* SPDX-License-Identifier: Apache-2.0
 * bits.h - packs and unpacks elements of 2 and 4 bits, which files pack and memory does not. */
#pragma once

#include "base/element_type.h"

/* oc_unpack_bits unpacks n elements of 2 or 4 bits (low bits first) to one byte each and
 * sign-extends elements of signed types. oc_pack_bits does the opposite; its padding bits are
 * zero. */
void oc_unpack_bits(uint8_t *dst, oc_type type, const uint8_t *src, int64_t n);
void oc_pack_bits(uint8_t *dst, oc_type type, const uint8_t *src, int64_t n);
