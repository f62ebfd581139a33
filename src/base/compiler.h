/* SPDX-License-Identifier: Apache-2.0
 * compiler.h - what compilers are told that C11 has no words for. */
#ifndef OC_BASE_COMPILER_H
#define OC_BASE_COMPILER_H

/* A function whose arguments are constants where it is called, for as many forms of it. */
#define OC_INLINE static inline __attribute__((always_inline))

#endif
