/* SPDX-License-Identifier: Apache-2.0
 * precondition.h - parts of the asserts at the top of kernels.
 *
 * A kernel trusts its caller: sizes, steps, alignment and separate memory are as its header
 * states. The scalar kernels assert that, and so do the walks that share work among threads.
 * Release builds (NDEBUG) leave the asserts out. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes from the first element of the first row to the last element of the last one. */
static inline int64_t oc_extent(int64_t rows, int64_t columns, int64_t step, size_t elem)
{
    return rows > 0 && columns > 0 ? ((rows - 1) * step + columns) * (int64_t)elem : 0;
}

/* Are the two ranges of bytes disjoint? A size may be 0. */
static inline bool oc_apart(const void *a, int64_t a_size, const void *b, int64_t b_size)
{
    const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return a_size == 0 || b_size == 0 || first + (uintptr_t)a_size <= second ||
           second + (uintptr_t)b_size <= first;
}

/* Is p a multiple of `to`, a power of two? */
static inline bool oc_is_aligned(const void *p, uintptr_t to)
{
    return (uintptr_t)p % to == 0;
}
