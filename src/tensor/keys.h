/* SPDX-License-Identifier: Apache-2.0
 * keys.h - the order of a map's keys. */
#ifndef OC_TENSOR_KEYS_H
#define OC_TENSOR_KEYS_H

#include "tensor/value.h"

/* Of the elements a and b of a tensor of keys, int64 or strings: below 0, 0 or above 0, as a is
 * less, equal or greater. Strings are compared byte by byte. */
int oc_keys_compare(const oc_value *keys, int64_t a, int64_t b);
/* Fills order with the numbers 0 .. n - 1 of n keys, in ascending order of these; equal keys keep
 * their order. spare has room for as many numbers. */
void oc_keys_sort(const oc_value *keys, int64_t n, int64_t *order, int64_t *spare);
/* Element order[i] of the n of `from` becomes element i of `to`, a tensor of the same type. */
void oc_keys_arrange(const oc_value *to, const oc_value *from, const int64_t *order, int64_t n);

#endif
