/* SPDX-License-Identifier: Apache-2.0
 * fuzz_onnx.c - any bytes as a binary or compressed model: an error, or a model that is written and
 * read alike. */
#include "graph/build.h"
#include "graph/check.h"
#include "model_equal.h"
#include "byte_buffer.h"
#include "harness.h"
#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_CAP = 256 << 20 };

static oc_model *load(const void *bytes, size_t size, oc_error *e)
{
    oc_model *m = NULL;
    if (oc_model_new(&(oc_model_options){.limits.memory_cap = MEMORY_CAP}, &m, e) == OC_OK)
        (void)oc_load_bytes(m, bytes, size, e);
    return m;
}

/* Written before the check, which sorts nodes. */
static void check_round_trip(const oc_model *a)
{
    char why[256] = "";
    oc_error e = {0};
    byte_buffer b = {NULL, 0, 0};
    oc_model *back = NULL;
    const oc_writer out = {byte_buffer_append, &b};
    if (oc_save_onnx(a, &out, &e) == OC_OK)
        back = load(b.bytes, b.size, &e);
    if (e.code == OC_OK && !model_equal(a, back, why, sizeof why))
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
