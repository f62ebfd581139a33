/* SPDX-License-Identifier: Apache-2.0
 * trigonometric.c - Tan and the inverse trigonometric functions, the hyperbolic functions but Tanh,
 * and their inverses, element by element. Outside its domain a function is NaN. */
#include "ops/kit/elementwise.h"

OC_ELEMENTARY_RUN(Acos, acos)
OC_ELEMENTARY_RUN(Acosh, acosh)
OC_ELEMENTARY_RUN(Asin, asin)
OC_ELEMENTARY_RUN(Asinh, asinh)
OC_ELEMENTARY_RUN(Atan, atan)
OC_ELEMENTARY_RUN(Atanh, atanh)
OC_ELEMENTARY_RUN(Cosh, cosh)
OC_ELEMENTARY_RUN(Sinh, sinh)
OC_ELEMENTARY_RUN(Tan, tan)

#define ROW(since, op, set)                                                                        \
    {                                                                                              \
        since, #op " (T input) => (T output) | T: " set, oc_same_shape, op##_run                   \
    }
/* clang-format off */
#define ROWS(first, op) ROW(22, op, "float_ir4"), ROW(first, op, "ieee")
const oc_op oc_ops_trigonometric[] = {
    ROWS(7, Acos),
    ROWS(9, Acosh),
    ROWS(7, Asin),
    ROWS(9, Asinh),
    ROWS(7, Atan),
    ROWS(9, Atanh),
    ROWS(9, Cosh),
    ROWS(9, Sinh),
    ROWS(7, Tan),
    {0}
};
/* clang-format on */
