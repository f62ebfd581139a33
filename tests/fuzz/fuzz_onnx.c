/* SPDX-License-Identifier: Apache-2.0
 * fuzz_onnx.c - any bytes as a binary or compressed model: an error, or a model that is written and
 * read alike. */
#include "graph/build.h"
#include "graph/check.h"
#include "graph/equal.h"
#include "harness.h"
#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_CAP = 256 << 20 };

typedef struct buffer {
    char *bytes;
    size_t size, room;
} buffer;

static bool append(void *ctx, const void *bytes, size_t size)
{
    buffer *b = ctx;
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

static oc_model *load(const void *bytes, size_t size, oc_error *e)
{
    oc_model *m = NULL;
    if (oc_model_new(&(oc_model_options){.memory_cap = MEMORY_CAP}, &m, e) == OC_OK)
        (void)oc_load_bytes(m, bytes, size, e);
    return m;
}

/* Written before the check, which sorts nodes. */
static void check_round_trip(const oc_model *a)
{
    char why[256] = "";
    oc_error e = {0};
    buffer b = {NULL, 0, 0};
    oc_model *back = NULL;
    const oc_writer out = {append, &b};
    if (oc_save_onnx(a, &out, &e) == OC_OK)
        back = load(b.bytes, b.size, &e);
    if (e.code == OC_OK && !oc_model_equal(a, back, why, sizeof why))
        e.code = OC_FORMAT;
    if (e.code != OC_OK && e.code != OC_LIMIT && e.code != OC_UNSUPPORTED) {
        fprintf(stderr, "%s%s\n", e.text, why);
        abort();
    }
    oc_model_free(back);
    free(b.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    oc_model *m = load(bytes, size, &e);
    if (e.code == OC_OK) {
        check_round_trip(m);
        (void)oc_model_check(m, &e);
    }
    oc_model_free(m);
    return 0;
}
