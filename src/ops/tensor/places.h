/* SPDX-License-Identifier: Apache-2.0
 * places.h - what the operators that pick or write by index share. */
#ifndef OC_OPS_TENSOR_PLACES_H
#define OC_OPS_TENSOR_PLACES_H

#include "ops/kit/op.h"

/* Block i of n at dst, of size bytes, becomes a copy of the block at src + at[i] * unit. */
void oc_pick_blocks(const oc_work *w, void *dst, const void *src, const int64_t *at, size_t unit,
                    size_t size, int64_t n);

/* Input i holds tuples along its last axis: indices into the axes of *data from number `batch` on.
 * Its first `batch` axes are those of *data. (*at)[t] becomes the number of the element of *data
 * at which the slab of tuple t begins; valid until the call returns. */
oc_status oc_in_tuples(oc_call *c, int i, const oc_dims *data, int batch, const int64_t **at);

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

#endif
