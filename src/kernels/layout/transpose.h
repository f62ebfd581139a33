/* SPDX-License-Identifier: Apache-2.0
 * transpose.h - transposes the rows of a matrix into columns, at the speed of memory.
 *
 * Tiles of 64 bytes by as many elements are transposed in local memory, so that whole cache
 * lines are read and written. A tile consists of squares that fit 16-byte registers.
 * Neighbouring tiles are visited in blocks, so that few pages are in use at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Element i of row j of `to` becomes element j of row i of `from`, for i < rows and j < cols.
 * Elements have size bytes: 1, 2, 4, 8 or 16. Steps from row to row are in bytes, and a row of
 * `to` may end where the next one begins or before it. stream: `to` is written past the caches
 * (streaming_store.h). */
void oc_transpose(void *to, int64_t to_step, const void *from, int64_t from_step, int64_t rows,
                  int64_t cols, size_t size, bool stream);
