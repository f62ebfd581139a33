/* SPDX-License-Identifier: Apache-2.0
 * keys.h - the order of a map's keys. */
#pragma once

#include "tensor/value.h"

/* Compares elements a and b of a tensor of keys, int64 or strings. Returns less than 0, 0 or more
 * than 0 when a is less than, equal to or greater than b. Strings are compared byte by byte. */
int oc_keys_compare(const oc_value *keys, int64_t a, int64_t b);
/* Writes the numbers 0 to n - 1 to order, sorted by the n keys; equal keys keep their order.
 * spare has room for n numbers. */
void oc_keys_sort(const oc_value *keys, int64_t n, int64_t *order, int64_t *spare);
/* Element order[i] of the n keys `from` becomes element i of `to`, a tensor of their type. */
void oc_keys_arrange(const oc_value *to, const oc_value *from, const int64_t *order, int64_t n);
