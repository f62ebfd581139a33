/* SPDX-License-Identifier: Apache-2.0
 * memory.h - where tensors lie: in memory that the processor reads. Programs may describe other
 * memory, but have no tensor in it. */
#pragma once

#include "common/status.h"

struct OrtMemoryInfo {
    char *name; /* "Cpu" */
    int id;
    OrtMemType mem_type;
    OrtAllocatorType type;
    uint32_t vendor;
    OrtMemoryInfoDeviceType device;
    OrtDeviceMemoryType device_memory;
};

/* Describes the memory that this library allocates. */
const OrtMemoryInfo *ort_cpu_memory(void);
/* Refuses memory that the processor cannot read. NULL stands for the processor's own. */
OrtStatus *ort_expect_cpu(const OrtMemoryInfo *memory);
/* Returns the default allocator. Its blocks are aligned to 64 bytes; only its Free may free them.
 */
OrtAllocator *ort_default_allocator(void);
/* *block, a pointer of any type, becomes memory of an allocator; NULL is the default one. */
OrtStatus *ort_allocate(OrtAllocator *allocator, size_t size, void *block);
/* Frees a block of an allocator; a block that is NULL is ignored. An exception of the allocator's
 * is lost. */
void ort_free(OrtAllocator *allocator, void *block);
/* *copy becomes a copy of a string in memory of an allocator. */
OrtStatus *ort_allocate_text(OrtAllocator *allocator, const char *text, char **copy);
/* *copy becomes an array of copies of n strings, array and strings in memory of an allocator; it is
 * NULL where n is 0. at returns string i. */
OrtStatus *ort_allocate_texts(OrtAllocator *allocator, const char *(*at)(const void *ctx, size_t i),
                              const void *ctx, size_t n, char ***copy);
