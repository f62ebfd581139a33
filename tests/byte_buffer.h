/* SPDX-License-Identifier: Apache-2.0
 * byte_buffer.h - a writer into memory that grows, for programs that write a thing and read it
 * back. Starts zeroed; the user frees bytes. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct byte_buffer {
    char *bytes;
    size_t size, room;
} byte_buffer;

/* As oc_writer wants it; ctx is the buffer. Without memory the program ends. */
static inline bool byte_buffer_append(void *ctx, const void *bytes, size_t size)
{
    byte_buffer *b = ctx;
    if (size > b->room - b->size) {
        b->room = 2 * b->room + size;
        b->bytes = realloc(b->bytes, b->room);
        if (!b->bytes)
            abort();
    }
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return true;
}
