/* SPDX-License-Identifier: Apache-2.0
 * fill.h - makes up inputs: zeros, or numbers from a counter-based random generator.
 *
 * Element i of a tensor depends on the seed, the tensor's name and i alone, so a seed gives the
 * same bits on every machine. Floats are uniform in [0, 1), rounded to the type; 8-bit integers
 * take any value; wider and narrower integers are 0 to 9, clamped to the range of the type; a
 * bool is true half of the time; a string has four lower-case letters. */
#pragma once

#include "common/tool.h"

typedef enum fill_kind { FILL_NONE, FILL_RANDOM, FILL_ZEROS } fill_kind;

extern const char *const fill_names[]; /* "none", "random", "zeros" */

/* Returns 64 random bits that depend on key and counter alone. */
uint64_t fill_bits(uint64_t key, uint64_t counter);
/* Returns the key of the tensor of this name under this seed. */
uint64_t fill_key(uint64_t seed, const char *name);
/* Returns a number uniform in [0, 1), of 24 bits, so that float holds it exactly. */
double fill_unit(uint64_t key, uint64_t counter);

/* Sets every element of the tensor to a random value. OC_CANCELLED after SIGINT. */
void fill_tensor(oc_value *tensor, uint64_t seed, const char *name, oc_error *e);
