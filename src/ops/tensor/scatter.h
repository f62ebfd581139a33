/* SPDX-License-Identifier: Apache-2.0
 * scatter.h - how do the operators that write by index combine old and new elements? */
#pragma once

#include "ops/kit/op.h"

/* Elements written into a copy of input 0, which becomes output 0. They replace what was there, or
 * are combined with it as attribute `reduction` says; float16 and bfloat16 as float, so that each
 * result is rounded once. */
typedef struct oc_scatter oc_scatter;
/* The elements first .. end-1 of each of n slabs of `slab` elements: those of slab i, from u + i *
 * slab on, go to y + at[i]. */
typedef struct oc_scatter_part {
    const int64_t *at;
    int64_t n, slab, first, end;
} oc_scatter_part;
typedef void oc_scatter_fn(void *y, const void *u, const oc_scatter_part *part, size_t elem);
struct oc_scatter {
    oc_type type;
    void *y;
    const void *updates;
    oc_scatter_fn *put;
};
/* put, for any number of elements. */
void oc_scatter_put(const oc_scatter *s, const oc_work *w, const oc_scatter_part *part);

/* May the reduction be applied to elements of the type of input 0? */
oc_status oc_scatter_check(oc_call *c);
/* Makes the copy. Input 2 has the updates. */
oc_status oc_scatter_begin(oc_call *c, oc_scatter *s);
void oc_scatter_end(oc_call *c, const oc_scatter *s);
