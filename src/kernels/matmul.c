/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - the matrix product for each element type, in one of two shapes of loops.
 *
 * Both add the products of one element in the same order, so they give the same bits. */
#include "kernels/matmul.h"

#include <string.h>

enum { SIDE = 8 }; /* rows summed side by side; fewer columns than that are few */

#define T       float
#define NAME(x) x##_f32
#include "kernels/matmul.inc"

#define T       double
#define NAME(x) x##_f64
#include "kernels/matmul.inc"

/* Integers are unsigned, so that they wrap. */
#define T       uint32_t
#define NAME(x) x##_i32
#include "kernels/matmul.inc"

#define T       uint64_t
#define NAME(x) x##_i64
#include "kernels/matmul.inc"
