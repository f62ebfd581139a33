/* SPDX-License-Identifier: Apache-2.0
 * fuzz_value.c - any bytes as a tensor, sequence or optional, as the first byte says: an error, or
 * a value that is written and read alike. */
#include "byte_buffer.h"
#include "harness.h"
#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_CAP = 256 << 20 };

typedef struct reader {
    oc_memory memory;
    oc_arena arena;
    oc_pool pool;
    oc_value v;
    const char *name;
} reader;

static void read_value(reader *r, const void *bytes, size_t size, oc_kind kind, oc_error *e)
{
    *r = (reader){.name = ""};
    r->memory = oc_memory_new(NULL, MEMORY_CAP);
    r->arena = oc_arena_new(&r->memory);
    r->pool = oc_pool_new(&r->memory);
    (void)oc_load_value(&r->pool, &r->arena, bytes, size, kind, &r->v, &r->name, e);
}

static void free_value(reader *r)
{
    oc_value_unref(&r->v);
    oc_pool_trim(&r->pool);
    oc_arena_free(&r->arena);
    if (r->memory.live)
        abort();
}

static void check_round_trip(const reader *a)
{
    oc_error e = {0};
    byte_buffer b = {NULL, 0, 0};
    reader back;
    const oc_writer out = {byte_buffer_append, &b};
    if (oc_save_value(&a->v, a->name, &out, &e) != OC_OK)
        abort();
    read_value(&back, b.bytes, b.size, a->v.kind, &e);
    if (e.code != OC_OK || !oc_value_equal(&a->v, &back.v) || strcmp(a->name, back.name) != 0) {
        fprintf(stderr, "%s\n", e.text);
        abort();
    }
    free_value(&back);
    free(b.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    reader r;
    if (size == 0)
        return 0;
    read_value(&r, bytes + 1, size - 1, (oc_kind)(bytes[0] % 3), &e);
    if (e.code == OC_OK)
        check_round_trip(&r);
    free_value(&r);
    return 0;
}
