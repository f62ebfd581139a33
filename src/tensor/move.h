/* SPDX-License-Identifier: Apache-2.0
 * move.h - copies elements whatever their type; half of the operators need nothing else. */
#pragma once

#include "tensor/dims.h"

/* Copies `rows` blocks of size bytes each. Blocks begin dst_step bytes apart in dst and src_step
 * bytes apart in src. */
void oc_copy_rows(void *dst, size_t dst_step, const void *src, size_t src_step, size_t size,
                  int64_t rows);

/* A box and how two arrays step through it, in bytes. Axes of size 1 are dropped, and axes that
 * both sides step through as through one axis are merged. A box of one element still has one
 * axis. */
typedef struct oc_box_walk {
    int rank;
    int64_t n[OC_MAX_RANK], dst[OC_MAX_RANK], src[OC_MAX_RANK];
} oc_box_walk;

/* Fills *w. The given steps are in elements of elem bytes. */
void oc_box_walk_of(oc_box_walk *w, const int64_t dst_step[], const int64_t src_step[],
                    const oc_dims *box, size_t elem);

/* Copies the elements of a box of shape *box. A step along axis a moves the position in dst by
 * dst_step[a] elements and the one in src by src_step[a]. Source steps may be 0 (repeat) or
 * negative (reverse). elem is the size of an element: 1, 2, 4, 8 or 16 bytes. dst and src do not
 * overlap. */
void oc_move(void *dst, const int64_t dst_step[], const void *src, const int64_t src_step[],
             const oc_dims *box, size_t elem);

/* Fills count elements of elem bytes with copies of *one. */
void oc_fill(void *dst, int64_t count, const void *one, size_t elem);
