/* SPDX-License-Identifier: Apache-2.0
 * data.h - memory for what files hold: inputs, archives, pictures, and the values made of them.
 *
 * All of it is counted together, of all threads, so that no file makes the command take more than
 * its cap. */
#ifndef TOOLS_COMMON_DATA_H
#define TOOLS_COMMON_DATA_H

#include "common/tool.h"

/* Sets the most bytes alive at one time; 0: no cap, as at first. */
void data_set_cap(size_t cap);

/* An uninitialised block; where begins the error's text, which is OC_LIMIT past the cap and
 * OC_NOMEM where there is no memory. Returns NULL then, and if *e holds an error already. */
void *data_alloc(size_t size, const char *where, oc_error *e);
/* As realloc, for a block of these functions or NULL; NULL, and the block is unchanged, on failure.
 */
void *data_resize(void *block, size_t size);
void data_free(void *block); /* NULL is allowed */
/* Sets the error of a failed data_resize that asked for size bytes. */
void data_fail(size_t size, const char *where, oc_error *e);

/* Bytes that the cap leaves; SIZE_MAX: there is none. */
size_t data_left(void);

/* The same memory for values of the library. After SIGINT a large block is not given. */
const oc_allocator *data_allocator(void);
/* oc_tensor_new in that memory, with errors as of data_alloc, and OC_CANCELLED after SIGINT. */
oc_value *data_tensor(oc_type type, int rank, const int64_t *dim, const char *where, oc_error *e);

#endif
