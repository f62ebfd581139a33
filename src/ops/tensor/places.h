/* SPDX-License-Identifier: Apache-2.0
 * places.h - what the operators that pick or write by index share. */
#pragma once

#include "ops/kit/op.h"

/* Block i of n at dst, of size bytes, becomes a copy of the block at src + at[i] * unit. */
void oc_pick_blocks(const oc_work *w, void *dst, const void *src, const int64_t *at, size_t unit,
                    size_t size, int64_t n);

/* Input i holds tuples along its last axis: indices into the axes of *data from number `batch` on.
 * Its first `batch` axes are those of *data. (*at)[t] becomes the number of the element of *data
 * at which the slab of tuple t begins; valid until the call returns. */
oc_status oc_in_tuples(oc_call *c, int i, const oc_dims *data, int batch, const int64_t **at);
