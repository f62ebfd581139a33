/* SPDX-License-Identifier: Apache-2.0
 * int8_operands.h - matrices of 8-bit integers as kernels/matmul/matmul_int8.h takes them. */
#pragma once

#include "kernels/matmul/matmul_int8.h"
#include "ops/kit/op.h"

/* A right operand, packed. */
typedef struct oc_int8_right {
    const int8_t *packed;
    const int32_t *sum; /* sum of each column */
} oc_int8_right;

/* The bits that are inverted in operands of a type that the kernel does not take: unsigned ones on
 * the right, signed ones on the left. */
static inline uint8_t oc_int8_left_flip(const oc_value *a)
{
    return a->type == OC_I8 ? OC_INT8_SIGN : 0;
}

static inline uint8_t oc_int8_right_flip(const oc_value *b)
{
    return b->type == OC_U8 ? OC_INT8_SIGN : 0;
}

/* Returns n rounded up to whole blocks: the numbers that the kernel reads for n columns. */
int64_t oc_int8_columns(int64_t n);
/* Packs b, k x n as it is multiplied, into memory as large as kernels/matmul/matmul_int8.h says. */
void oc_int8_pack(const oc_call *c, const oc_value *b, bool transposed, int8_t *packed,
                  int32_t *sum);
/* For prepare functions: packs b, a matrix, and keeps it (oc_call_prepared) unless it is empty or
 * none. consume: no run needs the operand itself. */
oc_status oc_int8_prepare(oc_call *c, const oc_value *b, bool transposed, bool consume);
/* Returns the bytes of a row of k numbers on the left, as it is multiplied. */
int64_t oc_int8_left_row(const oc_call *c, int64_t k);
/* *to becomes `rows` rows on the left: a's own elements, or a copy that lives until the call
 * returns. */
oc_status oc_int8_left(oc_call *c, const oc_value *a, int64_t rows, int64_t k, const uint8_t **to);
