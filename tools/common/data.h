/* SPDX-License-Identifier: Apache-2.0
 * data.h - memory for what files hold: inputs, archives, pictures, and the values made of them.
 *
 * All of it, of all threads, is counted together, so that no file makes the command take more
 * than its cap. */
#pragma once

#include "common/tool.h"

/* Sets the most bytes that may be allocated at one time; 0: no cap, as at first. */
void data_set_cap(size_t cap);

/* Returns an uninitialised block; NULL on failure, and when *e holds an error already. The error
 * is OC_LIMIT beyond the cap and OC_NOMEM without memory; its text begins with where. */
void *data_alloc(size_t size, const char *where, oc_error *e);
/* As realloc, for a block of these functions or NULL. On failure returns NULL, and the block is
 * unchanged. */
void *data_resize(void *block, size_t size);
void data_free(void *block); /* block may be NULL */
/* Sets the error of a failed data_resize that asked for size bytes. */
void data_fail(size_t size, const char *where, oc_error *e);

/* Returns the bytes that the cap leaves; SIZE_MAX when there is no cap. */
size_t data_left(void);

/* Returns this memory as an allocator for values of the library. After SIGINT it refuses large
 * blocks. */
const oc_allocator *data_allocator(void);
/* As oc_tensor_new, in this memory. Errors are those of data_alloc, and OC_CANCELLED after
 * SIGINT. */
oc_value *data_tensor(oc_type type, int rank, const int64_t *dim, const char *where, oc_error *e);
