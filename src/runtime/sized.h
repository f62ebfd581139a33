/* SPDX-License-Identifier: Apache-2.0
 * sized.h - reads and writes structs of a host that may be older or newer than the library, and
 * so have fewer or more fields at their end. */
#pragma once

#include "base/status.h"

enum { OC_SIZED_MOST = 1 << 16 }; /* a greater size is not the size of a struct */

/* *own, of own_size bytes, becomes the host's struct; name is its name in messages. Fields that
 * the host does not know are 0; all fields are 0 when given is NULL. It is an error if the host
 * sets a field that the library does not know. */
oc_status oc_sized_read(void *own, size_t own_size, const char *name, const void *given,
                        size_t given_size, oc_error *e);
/* Fills the host's struct, which may be NULL, from the library's. Fields that the library does not
 * know become 0. */
void oc_sized_write(void *given, size_t given_size, const void *own, size_t own_size);
/* Can structs of that size, which contain pointers, be items of an array? */
bool oc_sized_is_item(size_t size);

/* Zero bytes behind a struct that a callback of the host gets. A newer host, which knows more
 * fields, reads them there. */
enum { OC_SIZED_ROOM = 128 };
