/* SPDX-License-Identifier: Apache-2.0
 * pairs.h - keys and their values, as options have them. */
#ifndef ORT_PAIRS_H
#define ORT_PAIRS_H

#include "common/status.h"

struct OrtKeyValuePairs {
    char **key, **value; /* n of each, in the order in which they were first added */
    size_t n;
};

/* Adds a pair, or replaces the value of its key. */
OrtStatus *ort_pairs_set(OrtKeyValuePairs *pairs, const char *key, const char *value);
/* The value of a key; NULL: there is none. */
const char *ort_pairs_get(const OrtKeyValuePairs *pairs, const char *key);
/* *to, which is empty, gets a copy of all. */
OrtStatus *ort_pairs_copy(const OrtKeyValuePairs *from, OrtKeyValuePairs *to);
/* Frees all pairs, not the struct. */
void ort_pairs_clear(OrtKeyValuePairs *pairs);

#endif
