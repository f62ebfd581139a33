/* SPDX-License-Identifier: Apache-2.0
 * compiler.h - attributes for compilers that C11 has no words for. */
#pragma once

/* A function that is inlined into each caller. A caller passes constants, so the compiler makes
 * a form of the function for them. */
#define OC_INLINE static inline __attribute__((always_inline))

/* Before a parameter: the function does not need it, but its type has it. */
#define OC_UNUSED __attribute__((unused))
