/* SPDX-License-Identifier: Apache-2.0
 * mutate_text.h - changes ONNX text by its words rather than by its bytes. */
#ifndef OC_TESTS_FUZZ_MUTATE_TEXT_H
#define OC_TESTS_FUZZ_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator in harness.h. */
size_t mutate_text(uint8_t *bytes, size_t size, size_t room, unsigned seed);

#endif
