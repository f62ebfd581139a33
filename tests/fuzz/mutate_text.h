/* SPDX-License-Identifier: Apache-2.0
 * mutate_text.h - changes ONNX text by its words rather than by its bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator in harness.h. */
size_t mutate_text(uint8_t *bytes, size_t size, size_t room, unsigned seed);
