/* SPDX-License-Identifier: Apache-2.0
 * memory.c - allocators, and descriptions of memory. */
#include "common/memory.h"

#include "common/functions.h"
#include "common/guard.h"
#include "common/interface.h"
#include "common/pairs.h"

enum { ALIGN = 64 }; /* bytes: a cache line */

static const OrtMemoryInfo cpu = {
    .name = (char *)(uintptr_t) "Cpu", .type = OrtDeviceAllocator, .mem_type = OrtMemTypeDefault};

ORT_ANSWER(ort_cpu_memory, const OrtMemoryInfo *, void, &cpu)

/* ---- the default allocator ---- */

static void *allocate(OrtAllocator *, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        return NULL;
    return aligned_alloc(ALIGN, (size + ALIGN - 1) / ALIGN * ALIGN + (size ? 0 : ALIGN));
}

static void release(OrtAllocator *, void *block)
{
    free(block);
}

static const OrtMemoryInfo *describe(const OrtAllocator *)
{
    return &cpu;
}

/* The default allocator counts nothing. */
static OrtStatus *get_stats(const OrtAllocator *, OrtKeyValuePairs **out)
{
    return ort_new(sizeof **out, out);
}

static void *allocate_on_stream(OrtAllocator *self, size_t size, OrtSyncStream *)
{
    return allocate(self, size);
}

/* The default allocator keeps no memory back that it could return. */
static OrtStatus *shrink(OrtAllocator *)
{
    return NULL;
}

static const OrtAllocator standard = {
    .version = ORT_API_VERSION,
    .Alloc = allocate,
    .Free = release,
    .Info = describe,
    .Reserve = allocate,
    .GetStats = get_stats,
    .AllocOnStream = allocate_on_stream,
    .Shrink = shrink,
};

ORT_ANSWER(ort_default_allocator, OrtAllocator *, void, (OrtAllocator *)(uintptr_t)&standard)

OrtStatus *ort_allocate(OrtAllocator *allocator, size_t size, void *block)
{
    void *made;
    OrtStatus *status =
        ort_guard_allocate(allocator ? allocator : ort_default_allocator(), size ? size : 1, &made);
    memcpy(block, &made, sizeof made);
    return status;
}

void ort_free(OrtAllocator *allocator, void *block)
{
    if (block)
        ort_ReleaseStatus(ort_guard_free(allocator ? allocator : ort_default_allocator(), block));
}

OrtStatus *ort_allocate_text(OrtAllocator *allocator, const char *text, char **copy)
{
    const size_t size = strlen(text) + 1;
    ORT_TRY(ort_allocate(allocator, size, copy));
    memcpy(*copy, text, size);
    return NULL;
}

OrtStatus *ort_allocate_texts(OrtAllocator *allocator, const char *(*at)(const void *ctx, size_t i),
                              const void *ctx, size_t n, char ***copy)
{
    char **list;
    *copy = NULL;
    if (!n)
        return NULL;
    ORT_TRY(ort_allocate(allocator, n * sizeof *list, &list));
    OrtStatus *status = NULL;
    size_t made = 0;
    while (made < n && !(status = ort_allocate_text(allocator, at(ctx, made), &list[made])))
        made++;
    if (!status) {
        *copy = list;
        return NULL;
    }
    while (made > 0)
        ort_free(allocator, list[--made]);
    ort_free(allocator, list);
    return status;
}

/* ---- allocators, as the interface has them ---- */

OrtStatus *ort_GetAllocatorWithDefaultOptions(OrtAllocator **out)
{
    ORT_NEED(out);
    *out = ort_default_allocator();
    return NULL;
}

OrtStatus *ort_CreateAllocator(const OrtSession *, const OrtMemoryInfo *, OrtAllocator **out)
{
    ORT_NEED(out);
    return ort_GetAllocatorWithDefaultOptions(out);
}

/* Every allocator that CreateAllocator gave is the default one, which is never freed. */
void ort_ReleaseAllocator(OrtAllocator *) {}

OrtStatus *ort_AllocatorAlloc(OrtAllocator *allocator, size_t size, void **out)
{
    ORT_NEED(out);
    *out = NULL;
    return size ? ort_allocate(allocator, size, out) : NULL;
}

OrtStatus *ort_AllocatorFree(OrtAllocator *allocator, void *block)
{
    ORT_NEED(allocator);
    return block ? ort_guard_free(allocator, block) : NULL;
}

OrtStatus *ort_AllocatorGetInfo(const OrtAllocator *allocator, const OrtMemoryInfo **out)
{
    ORT_NEED(allocator && out);
    return ort_guard_describe(allocator, out);
}

OrtStatus *ort_AllocatorGetStats(const OrtAllocator *allocator, OrtKeyValuePairs **out)
{
    ORT_NEED(allocator && out);
    if (allocator->version < 23 || !allocator->GetStats)
        return ort_new(sizeof **out, out);
    return ort_guard_stats(allocator, out);
}

/* Allocators that a program registers for all sessions are accepted, and no session uses them. */
OrtStatus *ort_RegisterAllocator(OrtEnv *env, OrtAllocator *allocator)
{
    ORT_NEED(env && allocator);
    return NULL;
}

OrtStatus *ort_UnregisterAllocator(OrtEnv *env, const OrtMemoryInfo *info)
{
    ORT_NEED(env && info);
    return NULL;
}

OrtStatus *ort_CreateAndRegisterAllocator(OrtEnv *env, const OrtMemoryInfo *info,
                                          const OrtArenaCfg *)
{
    ORT_NEED(env && info);
    return NULL;
}

OrtStatus *ort_CreateAndRegisterAllocatorV2(OrtEnv *env, const char *, const OrtMemoryInfo *info,
                                            const OrtArenaCfg *arena, const char *const *,
                                            const char *const *, size_t)
{
    return ort_CreateAndRegisterAllocator(env, info, arena);
}

/* Says how an arena would grow. Nothing reads it. */
struct OrtArenaCfg {
    char unused;
};

OrtStatus *ort_CreateArenaCfg(size_t, int, int, int, OrtArenaCfg **out)
{
    ORT_NEED(out);
    return ort_new(sizeof **out, out);
}

OrtStatus *ort_CreateArenaCfgV2(const char *const *, const size_t *, size_t, OrtArenaCfg **out)
{
    ORT_NEED(out);
    return ort_new(sizeof **out, out);
}

ORT_RELEASE(ort_ReleaseArenaCfg, OrtArenaCfg)

/* ---- descriptions of memory ---- */

OrtStatus *ort_CreateMemoryInfo_V2(const char *name, OrtMemoryInfoDeviceType device,
                                   uint32_t vendor, int32_t id, OrtDeviceMemoryType device_memory,
                                   size_t, OrtAllocatorType type, OrtMemoryInfo **out)
{
    ORT_NEED(out);
    ORT_EXPECT(name, "CreateMemoryInfo: there is no name");
    ORT_TRY(ort_new(sizeof **out, out));
    **out = (OrtMemoryInfo){
        .id = id, .type = type, .vendor = vendor, .device = device, .device_memory = device_memory};
    OrtStatus *status = ort_copy_text(name, &(*out)->name);
    if (status)
        free(*out);
    return status;
}

OrtStatus *ort_expect_cpu(const OrtMemoryInfo *memory)
{
    ORT_EXPECT(!memory || memory->device == OrtMemoryInfoDeviceType_CPU,
               "memory '%s' is not the processor's: Ocellus reads no other", memory->name);
    return NULL;
}

/* Is it a name that ONNX Runtime has for memory of a device? Such memory may be described, and a
 * value that lies in it is refused. */
static bool is_device(const char *name)
{
    static const char *const device[] = {
        "CpuAligned4K", "Cuda",         "CudaPinned", "Cann",         "CannPinned",
        "DML",          "Hip",          "HipPinned",  "OpenVINO_CPU", "OpenVINO_GPU",
        "OpenVINO_RT",  "QnnHtpShared", "WebGPU_Buf", "WebNN_Ten",    "OpenVINO_RT_NPU"};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        if (strcmp(name, device[i]) == 0)
            return true;
    return false;
}

/* Two devices had longer names in older versions. */
static const char *name_today(const char *name)
{
    return strcmp(name, "WebGPU_Buffer") == 0  ? "WebGPU_Buf"
           : strcmp(name, "WebNN_Tensor") == 0 ? "WebNN_Ten"
                                               : name;
}

OrtStatus *ort_CreateMemoryInfo(const char *name, OrtAllocatorType type, int id,
                                OrtMemType mem_type, OrtMemoryInfo **out)
{
    ORT_NEED(out);
    const bool is_cpu = name && strcmp(name, cpu.name) == 0;
    name = name ? name_today(name) : name;
    ORT_EXPECT(is_cpu || (name && is_device(name)), "memory '%s' is unknown, expected 'Cpu'",
               name ? name : "NULL");
    ORT_TRY(ort_CreateMemoryInfo_V2(
        name, is_cpu ? OrtMemoryInfoDeviceType_CPU : OrtMemoryInfoDeviceType_GPU, 0, id,
        OrtDeviceMemoryType_DEFAULT, 0, type, out));
    (*out)->mem_type = mem_type;
    return NULL;
}

OrtStatus *ort_CreateCpuMemoryInfo(OrtAllocatorType type, OrtMemType mem_type, OrtMemoryInfo **out)
{
    ORT_NEED(out);
    return ort_CreateMemoryInfo("Cpu", type, 0, mem_type, out);
}

OrtStatus *ort_CompareMemoryInfo(const OrtMemoryInfo *a, const OrtMemoryInfo *b, int *differ)
{
    ORT_NEED(a && b && differ);
    *differ = strcmp(a->name, b->name) != 0 || a->id != b->id || a->mem_type != b->mem_type ||
              a->type != b->type;
    return NULL;
}

ORT_GETTER(ort_MemoryInfoGetName, OrtMemoryInfo, info, const char *, info->name)
ORT_GETTER(ort_MemoryInfoGetId, OrtMemoryInfo, info, int, info->id)
ORT_GETTER(ort_MemoryInfoGetMemType, OrtMemoryInfo, info, OrtMemType, info->mem_type)
ORT_GETTER(ort_MemoryInfoGetType, OrtMemoryInfo, info, OrtAllocatorType, info->type)

void ort_MemoryInfoGetDeviceType(const OrtMemoryInfo *info, OrtMemoryInfoDeviceType *out)
{
    if (info && out)
        *out = info->device;
}

OrtDeviceMemoryType ort_MemoryInfoGetDeviceMemType(const OrtMemoryInfo *info)
{
    return info ? info->device_memory : OrtDeviceMemoryType_DEFAULT;
}

uint32_t ort_MemoryInfoGetVendorId(const OrtMemoryInfo *info)
{
    return info ? info->vendor : 0;
}

void ort_ReleaseMemoryInfo(OrtMemoryInfo *info)
{
    if (info)
        free(info->name);
    free(info);
}
