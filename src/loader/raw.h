/* SPDX-License-Identifier: Apache-2.0
 * raw.h - reads elements as files hold them: dense, little-endian, those of 2 and 4 bits packed. */
#pragma once

#include "graph/graph.h"

/* Returns the size in bytes of count elements in a file. */
size_t oc_raw_size(oc_type type, int64_t count);

/* Unpacks all elements of v, which have 2 or 4 bits. The watch may end it. */
oc_status oc_raw_unpack(oc_watch *watch, const oc_value *v, const uint8_t *bytes, oc_error *e);

/* Sets the elements of v from size bytes. The type of v (not string) and its dims are set. The
 * elements are borrowed if pool is NULL, they are not packed, they are aligned or in_place allows
 * unaligned elements (see oc_constant), and they are many numbers: elements that may be an index, a
 * size or a choice are copied, so that a mapped file that changes can change only numbers. Copies
 * are made in pool, or in the model if pool is NULL. name is the tensor's name in errors. It is an
 * error when size does not match the dims, or when a bool is neither 0 nor 1. */
oc_status oc_raw_elements(oc_model *m, oc_pool *pool, bool in_place, const char *name,
                          const void *bytes, size_t size, oc_value *v, oc_error *e);
