/* SPDX-License-Identifier: Apache-2.0
 * variant.h - which variant of a kernel does a processor run?
 *
 * Each hot kernel has a table of pointers to variants, best first: {isa, need, functions}. need
 * is a set of OC_CPU_ bits. The last variant is "scalar" and needs nothing, so a search always
 * ends there. Another variant may leave functions NULL; the next variant that has them is used
 * instead. Kernels, checks and benches read the same table. When operators need one each of a
 * kernel's many functions, each function has a table of its own, so that the linker can leave
 * out those that no operator of a build reads.
 *
 * 1. The scalar kernel is the specification. A variant gives its bits (any NaN for a NaN): the
 *    order of operations is fixed, and products are rounded before they are added. Exceptions are
 *    kernels/matmul and the rooms that use it, whose sums are chains of fused multiply-adds, and
 *    the curves of kernels/elementwise.
 * 2. Each instruction set has translation units of its own with its own flags. They hold only
 *    static functions and the variant's struct. The linker keeps one copy of a function that
 *    several units share; were it compiled here, other processors could be given this copy.
 * 3. A variant stays only with a check against scalar and a bench line that shows it is faster. */
#pragma once

#include "base/cpu.h"

/* Sets v to the first variant of a table that cpu can run and that has the named function; when
 * no variant has it, to the last, scalar one. */
#define OC_VARIANT_PICK(v, variants, function, cpu)                                                \
    do {                                                                                           \
        int row_ = 0;                                                                              \
        while ((variants)[row_]->need &&                                                           \
               (((variants)[row_]->need & ~(unsigned)(cpu)) || !(variants)[row_]->function))       \
            row_++;                                                                                \
        (v) = (variants)[row_];                                                                    \
    } while (0)

/* The table of a kernel, best first: table_avx512 and so on for the instruction sets that this
 * build has and that the kernel's line in meson.build names, then table_scalar. Meson gives
 * OC_ISAS to a kernel's plain source by the line of its vector source. */
#define OC_VARIANTS(type, table)                                                                   \
    OC_ISAS(OC_VARIANT_DECLARED, type, table)                                                      \
    const type *const table[] = {OC_ISAS(OC_VARIANT_LISTED, type, table)};
#define OC_VARIANT_DECLARED(isa, type, table) extern const type table##_##isa;
#define OC_VARIANT_LISTED(isa, type, table)   &table##_##isa,

/* Defines the variant of a table for the instruction set that the source is built for (simd.h).
 * The arguments are the members after isa and need. */
#define OC_ISA_VARIANT(type, table, ...)                                                           \
    OC_VARIANT_NAMED_(type, table, OC_ISA, OC_SIMD_NEED, __VA_ARGS__)
#define OC_VARIANT_NAMED_(type, table, isa, need, ...)                                             \
    OC_VARIANT_NAMED(type, table, isa, need, __VA_ARGS__)
#define OC_VARIANT_NAMED(type, table, isa, need, ...)                                              \
    extern const type table##_##isa;                                                               \
    const type table##_##isa = {#isa, need, __VA_ARGS__};

/* Defines the function that returns the variant of a table for cpu, by OC_VARIANT_PICK. */
#define OC_PICKER(type, picker, table, function)                                                   \
    const type *picker(unsigned cpu)                                                               \
    {                                                                                              \
        const type *v;                                                                             \
        OC_VARIANT_PICK(v, table, function, cpu);                                                  \
        return v;                                                                                  \
    }
