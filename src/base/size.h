/* SPDX-License-Identifier: Apache-2.0
 * size.h - arithmetic on sizes that detects overflow. Each function returns false when the result
 * does not fit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool oc_size_add(size_t a, size_t b, size_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool oc_size_mul(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

static inline bool oc_u64_add(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* Does a product of numbers of 64 bits fit, since both have 31? Where addresses have 32 bits, the
 * check of the compiler is a function that multiplies 128 bits. */
static inline bool oc_are_short(uint64_t a, uint64_t b)
{
    return SIZE_MAX <= UINT32_MAX && (a | b) < (UINT64_C(1) << 31);
}

static inline bool oc_u64_mul(uint64_t a, uint64_t b, uint64_t *product)
{
    if (oc_are_short(a, b)) {
        *product = a * b;
        return true;
    }
    return !__builtin_mul_overflow(a, b, product);
}

static inline bool oc_i64_add(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool oc_i64_mul(int64_t a, int64_t b, int64_t *product)
{
    if (oc_are_short((uint64_t)a, (uint64_t)b)) {
        *product = a * b;
        return true;
    }
    return !__builtin_mul_overflow(a, b, product);
}
