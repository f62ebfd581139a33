/* SPDX-License-Identifier: Apache-2.0
 * mutate_wire.h - changes a binary model by the fields of its messages rather than by its bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator in harness.h. */
size_t mutate_wire(uint8_t *bytes, size_t size, size_t room, unsigned seed);
