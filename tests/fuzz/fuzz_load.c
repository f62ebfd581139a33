/* SPDX-License-Identifier: Apache-2.0
 * fuzz_load.c - any bytes as a model in any form, whose whole life follows: exercise.h. */
#include "exercise.h"
#include "harness.h"
#include "loader/loader.h"
#include "mutate_text.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    if (oc_is_onnx(bytes, size))
        return LLVMFuzzerMutate(bytes, size, room);
    return mutate_text(bytes, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    exercise(bytes, size);
    return 0;
}
