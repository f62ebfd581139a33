/* SPDX-License-Identifier: Apache-2.0
 * move.h - copying elements without looking at their type: the kernel of half the operators. */
#ifndef OC_TENSOR_MOVE_H
#define OC_TENSOR_MOVE_H

#include "tensor/dims.h"

/* Copies rows pieces of size bytes, dst_step and src_step bytes apart. */
void oc_copy_rows(void *dst, size_t dst_step, const void *src, size_t src_step, size_t size,
                  int64_t rows);

/* Copies the elements of a box of shape *box. Element i of axis a lies a_step[a] * i elements from
 * the start, on each side; source steps may be 0 (repeat) or negative (reverse). elem is the size
 * of an element: 1, 2, 4, 8 or 16 bytes. The two sides do not overlap. */
void oc_move(void *dst, const int64_t dst_step[], const void *src, const int64_t src_step[],
             const oc_dims *box, size_t elem);

/* Fills count elements of elem bytes with copies of *one. */
void oc_fill(void *dst, int64_t count, const void *one, size_t elem);

#endif
