/* SPDX-License-Identifier: Apache-2.0
 * reduce.h - in which order are many elements folded to one, along any axes?
 *
 * The n elements of one result are numbered k = 0 .. n-1 in row-major order of the reduced axes and
 * cut into blocks of 1024. In a block, partial result p of 16 folds the elements k with k % 16 = p
 * one after another. Partial results are then folded as a tree: p with p + 8, then p + 4, p + 2, p
 * + 1; those without elements are left out. Blocks are folded in pairs, pairs of pairs and so on,
 * the earlier one first; blocks left over at the end are folded from the last to the first. The
 * order depends only on n: not on which axes are reduced, on threads or on instruction sets. */
#pragma once

#include "kernels/reduce/reduce_types.h"

enum { OC_REDUCE_WORK = 64 * OC_ELEMENT }; /* work of one element in products, at most */

/* Computes all results. */
void oc_reduce_run(const oc_reduce *r);
