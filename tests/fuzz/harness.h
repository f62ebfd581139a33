/* SPDX-License-Identifier: Apache-2.0
 * harness.h - the entries of a fuzz harness; libFuzzer or replay.c calls them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Every harness defines it. Returns 0; a fault ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A harness with a mutator of its own defines it: changes the bytes, up to room of them, and
 * returns how many there are then. Equal bytes and seeds give equal results. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);

/* What libFuzzer and replay.c do to bytes that nothing is known about. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);
