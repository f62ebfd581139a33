/* SPDX-License-Identifier: Apache-2.0
 * simd.h - the words in which kernels compute with the registers of a processor.
 *
 * Meson builds a vector source (NAME_simd.c) once for each instruction set that its line in
 * src/kernels/meson.build names, with -DOC_ISA=avx2 and so on. This header then brings the file of
 * that set, avx2.h, which defines everything below; without an instruction set OC_ISA is scalar.
 *
 * Types
 *     f32v  f64v  u32v       a register of floats, of doubles, of 32-bit integers: of f32v_N,
 *                            f64v_N and u32v_N elements; scalar: one number
 *     f32v_mask and so on    which elements
 *     f32x16  f64x8          a cache line of floats, of doubles (line.h)
 *     f32x8                  half of 16 floats
 *
 * OC_SIMD_REGISTERS of them hold values. simd_fetch(p) asks for the cache line 256 bytes behind p,
 * where the processor does not so by itself.
 *
 * Names are type_operation. Registers have + - * / besides. Each operation works on every element
 * by itself and gives the same bits on all instruction sets (any NaN for a NaN).
 *
 * Of f32v and f64v; of u32v the first three lines:
 *     zero()  splat(x)
 *     load(p)  store(p, v)                p need not be aligned
 *     first(n)  load_where(p, m)  store_where(p, m, v)    of n elements; what is not loaded is 0
 *     store_first(p, v, n)                the first n elements, 1 <= n <= N
 *     fma(a, b, c)                        a * b + c, rounded once
 *     add_where(sum, m, x)                sum + x in the elements of the mask; no sum may be -0
 *     greater(max, v)                     v > max or v is NaN ? v : max
 *     not_negative(v)  select(m, yes, no)
 *     both(m, m)  either(m, m)  all(m)    of masks
 *     there(absent, n)                    of the first n of N numbers, those that are not negative
 *     is(p, k)                            of N numbers at p, those that are k
 *     transpose(r)                        element j of r[i] becomes element i of r[j], N x N
 *     counted(i)                          i, i + 1 and so on, i a 32-bit integer; this and
 *     store_pairs(p, a, b)                a0 b0 a1 b1 ...
 *     store_triples(p, a, b, c)           a0 b0 c0 a1 ... where OC_SIMD_INTERLEAVED is defined;
 *                                         v128_moves.h has more, of u8v
 *
 * Of f32v alone:
 *     load_f16(p)  load_bf16(p)  load_u8(p)
 *     store_f16(p, v)  store_first_f16(p, v, n)    also for bf16 and u8; to nearest, ties to even;
 *                                         u8 truncated and saturated, NaN is 0
 *     kept(v)                             v in a register: compilers may read it from memory
 *                                         again wherever it is used
 *     less(a, b)                          a mask
 *     max(a, b)                           a > b ? a : b
 *     at_least(least, x)  at_most(most, x)         x, or the bound, a number, where x is beyond;
 *                                         NaN stays
 *     abs(x)  copysign(x, s)              |x|; |x| with the sign of s
 *     exp2(n)                             2^n, n whole, from -126 to 127
 *     ldexp(x, n)                         x * 2^n, rounded once; n whole, from -252 to 254, and x
 *                                         a normal number where n is positive
 *     bits(x, shift)                      the bits of x, shifted to the right, as u32v
 *     lookup(table, i)                    the element of a table of 8 that i's last 3 bits number
 *     lookup_more(table, more, i)         of 12, the last 4 in `more`, that i's last 4 bits number;
 *                                         where OC_SIMD_LOOKUP_MORE is defined
 *     any_from(x, least)                  is one of them NaN, or |x| >= least?
 *     even(a, b)                          elements 0, 2, 4 and so on of those in a, then in b
 *
 * Of f64v alone:
 *     load_f32(p)                         floats, as doubles
 *
 * Of u32v alone:
 *     add_pairs(sum, a, b)                sum and the products of both int16 halves of a and b
 *
 * Of u8v, a register of u8v_N bytes: load store lookup(table, i), the entries of a table of 256
 * that i's elements number; u8_table_load(p) brings the table.
 *
 * Of f32x16 and f64x8: zero splat load store add mul div fma greater, choose(v, yes, no), which is
 * yes where v >= 0; of f32x16 alone load_first store_first any_nan sum most least, and of_group(p,
 * n, c), element i is p[i / n * n + c]. f32x8 has zero, splat, load, store, add and fma. */
#pragma once

#include "base/compiler.h"
#include "base/cpu.h"

#include <stdbool.h>
#include <stdint.h>

/* A loop of at most 8 rounds that the compiler must unroll, so that arrays become registers. */
#define UNROLL(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)
/* Before a loop whose body is long enough that unrolling it only takes room. */
#define ROLLED       _Pragma("GCC unroll 1")

/* Defines an operation that gives one expression of its parameters. */
#define OP(type, name, parameters, expression)                                                     \
    static inline type name parameters                                                             \
    {                                                                                              \
        return expression;                                                                         \
    }

/* Defines an operation that stores at p, in one statement; `others` are the parameters behind p. */
#define OP_STORE(name, type, others, statement)                                                    \
    static inline void name(type *p, OP_UNPACKED others)                                           \
    {                                                                                              \
        statement;                                                                                 \
    }
#define OP_UNPACKED(...) __VA_ARGS__

#ifndef OC_ISA
#define OC_ISA scalar
#endif
/* clang-format off */
#define OC_QUOTED_(x) #x
#define OC_QUOTED(x)  OC_QUOTED_(x)
#include OC_QUOTED(kernels/simd/OC_ISA.h)
/* clang-format on */

/* As OC_INLINE where lines are registers. Where lines are made of numbers, inlining would make
 * too much code. */
#ifdef OC_SIMD_NUMBERS
#define OC_SIMD_INLINE static inline
#else
#define OC_SIMD_INLINE OC_INLINE
#endif

#include "kernels/simd/line.h"

/* Operations on elements of the register's own type, under the names that templates use for
 * other types. */
#define f32v_load_f32        f32v_load
#define f64v_load_f64        f64v_load
#define f32v_store_f32       f32v_store
#define f64v_store_f64       f64v_store
#define f32v_store_first_f32 f32v_store_first
#define f64v_store_first_f64 f64v_store_first
