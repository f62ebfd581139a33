/* SPDX-License-Identifier: Apache-2.0
 * reduce_span.h - folds some elements of each result of a tile, in the order of reduce.h.
 *
 * Partial results of blocks are pushed one after another; pushing folds them in pairs, pairs of
 * pairs and so on. */
#pragma once

#include "base/share.h"
#include "kernels/reduce/reduce_types.h"

enum { OC_REDUCE_LEVELS = 54 };

typedef struct oc_reduce_walk {
    const oc_reduce *r;
    oc_reduce_axis kept, reduced; /* the innermost kept and the innermost reduced axis */
    int64_t n;                    /* elements of a result */
    int64_t width;                /* results of a tile */
    int64_t tiles, units;         /* tiles along the innermost kept axis, and in all */
    bool rows;                    /* true: all results of a tile are folded at a time, row by row */
    int parts; /* parts of a tile, each of part_n elements; the last part has the rest */
    int64_t part_n;
    oc_work work; /* work of all units, and of the parts of one */
} oc_reduce_walk;

/* The memory of one task: level[l] holds 2^l blocks, folded. */
typedef struct oc_reduce_space {
    const oc_reduce *r;
    const oc_fold *fold;
    const double *shift; /* if not NULL, exp(x - shift) is folded instead of x */
    int64_t shift_step;
    _Alignas(OC_CACHE_LINE) uint64_t part[OC_REDUCE_SUMS * OC_REDUCE_WIDTH];
    uint64_t level[OC_REDUCE_LEVELS][OC_REDUCE_WIDTH];
    uint64_t load[OC_REDUCE_BLOCK], raw[OC_REDUCE_BLOCK];
} oc_reduce_space;

/* Folds item number i into the levels, for w neighbouring results at a time. */
void oc_reduce_push(oc_reduce_space *s, int64_t i, const void *sum, int64_t w);
/* Folds n pushed items, then the rest, which may be NULL, into the result. */
void oc_reduce_end_pushes(oc_reduce_space *s, int64_t n, const void *rest, int64_t w, void *result);

/* Folds elements k.first to k.end-1 of each of w results, the first of which begins at x;
 * k.first is a multiple of a block's size. */
void oc_reduce_span(const oc_reduce_walk *t, oc_reduce_space *s, const char *x, int64_t w,
                    oc_span k, void *result);
