/* SPDX-License-Identifier: Apache-2.0
 * variant.h - the law for kernel variants.
 *
 * Each hot kernel has a table of pointers to variants, best first: {isa, need, functions}. need is
 * a set of OC_CPU_ bits. The last is "scalar", which needs nothing and has every function, so a
 * search cannot run off the table. An earlier one may leave functions NULL; the next then serves.
 * Kernels, checks and benches read the same table, which is made from the lines of a .def file.
 *
 * 1. The scalar kernel is the specification. A variant gives the same bits (any NaN for a NaN):
 *    the order of operations is fixed, and products are rounded before they are added.
 * 2. Each instruction set has its own translation unit with its own flags, made of static functions
 *    and the variant's struct: nothing that the linker could prefer elsewhere is emitted there.
 * 3. A variant stays only with a check against scalar and a bench line that shows it earns it. */
#ifndef OC_KERNELS_COMMON_VARIANT_H
#define OC_KERNELS_COMMON_VARIANT_H

#include "base/cpu.h"

/* Sets v to the first variant of a table that cpu can run and that has the named function; to the
 * last, scalar, where there is none. */
#define OC_VARIANT_PICK(v, variants, function, cpu)                                                \
    do {                                                                                           \
        int row_ = 0;                                                                              \
        while ((variants)[row_]->need &&                                                           \
               (((variants)[row_]->need & ~(unsigned)(cpu)) || !(variants)[row_]->function))       \
            row_++;                                                                                \
        (v) = (variants)[row_];                                                                    \
    } while (0)

#endif
