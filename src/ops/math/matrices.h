/* SPDX-License-Identifier: Apache-2.0
 * matrices.h - a batch of matrix products, which several operators are made of. */
#pragma once

#include "kernels/matmul/half_matmul.h"
#include "kernels/matmul/matmul.h"
#include "ops/kit/op.h"

/* y[i] = a[i] b[i] for each index i of the batch; a[i] is m x k, b[i] is k x n, all dense. */
typedef struct oc_matrices {
    /* Type of all elements: OC_F32, OC_F64, integers of 32 or 64 bits, which wrap, or halves, which
     * are summed in float and rounded once, after the epilogue. */
    oc_type type;
    bool transposed; /* each b[i] is stored as its transpose, n x k; not for integers */
    int64_t m, k, n;
    oc_dims a, b, batch; /* leading axes of a, of b, and of y, to which both broadcast */
    void *y;
    const void *a_data, *b_data;
    /* Not NULL: b, one matrix of floats or halves for all of a (packed_matmul.h, half_matmul.h). */
    const void *packed;
    oc_matmul_epilogue after; /* epilogue of float results, and of the sums of halves */
} oc_matrices;

/* Sets m, k, n and the leading axes from inputs a and b by the rules of numpy.matmul: a vector on
 * the left is a row, on the right a column. */
oc_status oc_matrices_read(oc_call *c, int a, int b, oc_matrices *g);
/* The shape rule of output 0 by the rules of numpy.matmul. */
oc_status oc_matrices_shape(oc_call *c, int a, int b, oc_type type);
/* Returns the index of an operand's matrix in product i of the batch; own has the operand's leading
 * axes. */
int64_t oc_matrices_index(const oc_dims *batch, const oc_dims *own, int64_t i);
/* Computes the batch; it changes *g. */
oc_status oc_matrices_multiply(oc_call *c, oc_matrices *g);

/* For prepare functions: keeps input b as oc_matrices.packed (oc_call_prepared) if it is one matrix
 * of floats or halves; run then has no use for its elements. transposed: it is stored as its
 * transpose. */
oc_status oc_matrices_prepare(oc_call *c, int b, bool transposed);

/* y [columns][rows] becomes the transpose of x [rows][columns]; size: of an element, 2, 4 or 8. */
void oc_matrix_transpose(oc_call *c, void *y, const void *x, int64_t rows, int64_t columns,
                         size_t size);
