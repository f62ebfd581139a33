/* SPDX-License-Identifier: Apache-2.0
 * memory.h - where tensors lie: in memory that the processor reads. Programs may describe other
 * memory, but have no tensor in it. */
#ifndef ORT_MEMORY_H
#define ORT_MEMORY_H

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

/* Of the memory that this library allocates. */
const OrtMemoryInfo *ort_cpu_memory(void);
/* Is it memory that the processor reads? NULL is. */
OrtStatus *ort_expect_cpu(const OrtMemoryInfo *memory);
/* What allocates it. Blocks are aligned to 64 bytes; the program may free them with Free alone. */
OrtAllocator *ort_default_allocator(void);
/* Memory of an allocator of the program's, or of the default one where NULL. */
OrtStatus *ort_allocate(OrtAllocator *allocator, size_t size, void *block);
/* Frees it; NULL is allowed. An exception of the allocator's is lost. */
void ort_free(OrtAllocator *allocator, void *block);
/* A copy of a string in such memory. */
OrtStatus *ort_allocate_text(OrtAllocator *allocator, const char *text, char **copy);
/* *copy becomes an array in such memory, with copies of n strings; of none it is NULL. */
OrtStatus *ort_allocate_texts(OrtAllocator *allocator, const char *(*at)(const void *ctx, size_t i),
                              const void *ctx, size_t n, char ***copy);

#endif
