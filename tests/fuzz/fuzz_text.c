/* SPDX-License-Identifier: Apache-2.0
 * fuzz_text.c - any bytes as a text model: an error, or a model that prints and parses back. */
#include "graph/build.h"
#include "model_equal.h"
#include "graph/print.h"
#include "byte_buffer.h"
#include "harness.h"
#include "loader/loader.h"
#include "mutate_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_CAP = 256 << 20 };

static oc_model *load(const void *bytes, size_t size, oc_error *e)
{
    oc_model *m = NULL;
    if (oc_model_new(&(oc_model_options){.limits.memory_cap = MEMORY_CAP}, &m, e) == OC_OK)
        (void)oc_load_text(m, bytes, size, e);
    return m;
}

static byte_buffer print(const oc_model *m)
{
    byte_buffer t = {NULL, 0, 0};
    oc_error e = {0};
    const oc_writer out = {byte_buffer_append, &t};
    if (oc_print_model(m, &out, &e) != OC_OK)
        abort();
    return t;
}

static void check_round_trip(const oc_model *a)
{
    char why[256] = "";
    oc_error e = {0};
    const byte_buffer first = print(a);
    oc_model *b = load(first.bytes, first.size, &e);
    if (e.code == OC_OK) {
        const byte_buffer second = print(b);
        if (!model_equal(a, b, why, sizeof why) || first.size != second.size ||
            memcmp(first.bytes, second.bytes, first.size) != 0)
            e.code = OC_FORMAT;
        free(second.bytes);
    }
    if (e.code != OC_OK && e.code != OC_LIMIT) {
        fprintf(stderr, "%s%s\n%.*s\n", e.text, why, (int)first.size, first.bytes);
        abort();
    }
    oc_model_free(b);
    free(first.bytes);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    return mutate_text(bytes, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    oc_model *m = load(bytes, size, &e);
    if (e.code == OC_OK)
        check_round_trip(m);
    oc_model_free(m);
    return 0;
}
