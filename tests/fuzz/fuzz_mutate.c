/* SPDX-License-Identifier: Apache-2.0
 * fuzz_mutate.c - a model that was valid once, changed field by field (mutate_wire.h), and its
 * whole life. A text becomes a binary model first. */
#include "byte_buffer.h"
#include "exercise.h"
#include "harness.h"
#include "loader/loader.h"
#include "mutate_wire.h"

/* Makes bytes binary if they are the text of a model; returns how many they are then. */
static size_t to_binary(uint8_t *bytes, size_t size, size_t room)
{
    oc_error e = {OC_OK, ""};
    byte_buffer b = {NULL, 0, 0};
    const oc_writer out = {byte_buffer_append, &b};
    oc_model *m = oc_model_load_memory(bytes, size, NULL, &e);
    oc_model_save(m, OC_FORMAT_ONNX, &out, &e);
    oc_model_free(m);
    if (e.code == OC_OK && b.size <= room) {
        memcpy(bytes, b.bytes, b.size);
        size = b.size;
    }
    free(b.bytes);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    if (!oc_is_onnx(bytes, size))
        size = to_binary(bytes, size, room);
    return mutate_wire(bytes, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    exercise(bytes, size);
    return 0;
}
