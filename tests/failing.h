/* SPDX-License-Identifier: Apache-2.0
 * failing.h - an allocator for oc_allocator that fails when it is told to, and counts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct failing {
    long left;     /* allocations until one fails; < 0: none does */
    bool forever;  /* the later ones fail too */
    bool failed;   /* one did */
    long asked;    /* allocations so far */
    long blocks;   /* alive now */
    int64_t bytes; /* in them */
} failing;

static inline void *failing_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    failing *f = ctx;
    if (new_size == 0) {
        f->blocks -= block != NULL;
        f->bytes -= (int64_t)old_size;
        free(block);
        return NULL;
    }
    f->asked++;
    if (f->left == 0) {
        f->left = f->forever ? 0 : -1;
        f->failed = true;
        return NULL;
    }
    f->left -= f->left > 0;
    void *p = realloc(block, new_size);
    f->blocks += p && !block;
    f->bytes += p ? (int64_t)new_size - (int64_t)old_size : 0;
    return p;
}
