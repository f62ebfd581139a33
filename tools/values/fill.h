/* SPDX-License-Identifier: Apache-2.0
 * fill.h - inputs made up: zeros, or numbers from a counter-based generator.
 *
 * Element i of a tensor depends on the seed, the tensor's name and i alone, so the same seed gives
 * the same bits on every machine. Floats are uniform in [0, 1), rounded to the type; 8-bit integers
 * take any value, wider and narrower ones 0 to 9 or as far as the type goes; bool is even; a string
 * is four letters. */
#ifndef TOOLS_VALUES_FILL_H
#define TOOLS_VALUES_FILL_H

#include "common/tool.h"

typedef enum fill_kind { FILL_NONE, FILL_RANDOM, FILL_ZEROS } fill_kind;

extern const char *const fill_names[]; /* "none", "random", "zeros" */

/* 64 random bits for a counter. */
uint64_t fill_bits(uint64_t key, uint64_t counter);
uint64_t fill_key(uint64_t seed, const char *name);
/* Uniform in [0, 1): 24 bits, so that every one is a float. */
double fill_unit(uint64_t key, uint64_t counter);

void fill_tensor(oc_value *tensor, uint64_t seed, const char *name, oc_error *e);

#endif
