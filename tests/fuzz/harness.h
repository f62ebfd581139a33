/* SPDX-License-Identifier: Apache-2.0
 * harness.h - the entry every fuzz harness defines; libFuzzer or replay.c calls it. */
#ifndef OC_TESTS_FUZZ_HARNESS_H
#define OC_TESTS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; a fault ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
