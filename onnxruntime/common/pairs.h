/* SPDX-License-Identifier: Apache-2.0
 * pairs.h - a list of keys and their values: the form of options that are texts. */
#pragma once

#include "common/status.h"

struct OrtKeyValuePairs {
    char **key, **value; /* n of each, in the order in which they were first added */
    size_t n;
};

/* Adds a pair, or replaces the value of its key. */
OrtStatus *ort_pairs_set(OrtKeyValuePairs *pairs, const char *key, const char *value);
/* Returns the value of a key, or NULL where the list does not have the key. */
const char *ort_pairs_get(const OrtKeyValuePairs *pairs, const char *key);
/* Copies all pairs into an empty list. */
OrtStatus *ort_pairs_copy(const OrtKeyValuePairs *from, OrtKeyValuePairs *to);
/* Frees all pairs, not the struct. */
void ort_pairs_clear(OrtKeyValuePairs *pairs);
