/* SPDX-License-Identifier: Apache-2.0
 * table.c - the table, and the functions that say what is not served. */
#include "common/functions.h"
#include "common/interface.h"
#include "version.h"

static OrtStatus *not_served(const char *name)
{
    return ort_fail(ORT_NOT_IMPLEMENTED, "%s is not served: docs/onnxruntime.md lists what is",
                    name);
}

/* Parameters without names are C23's form, which compilers have long had. */
#define SERVED(version, result, name, parameters)
#define ACCEPTED(version, name, parameters)                                                        \
    static OrtStatus *accepted_##name parameters                                                   \
    {                                                                                              \
        return NULL;                                                                               \
    }
#define ABSENT(version, name, parameters)                                                          \
    static OrtStatus *absent_##name parameters                                                     \
    {                                                                                              \
        return not_served(#name);                                                                  \
    }
#define IDLE(version, result, name, parameters)                                                    \
    static result idle_##name parameters                                                           \
    {                                                                                              \
        return (result)0;                                                                          \
    }
#define NOTHING(version, name, parameters)                                                         \
    static void nothing_##name parameters {}
#include "common/api.def"

ORT_ANSWER(ort_GetTrainingApi, const OrtTrainingApi *, uint32_t, NULL)
ORT_ANSWER(ort_GetModelEditorApi, const OrtModelEditorApi *, void, NULL)
ORT_ANSWER(ort_GetCompileApi, const OrtCompileApi *, void, NULL)
ORT_ANSWER(ort_GetEpApi, const OrtEpApi *, void, NULL)
ORT_ANSWER(ort_GetInteropApi, const OrtInteropApi *, void, NULL)
ORT_ANSWER(ort_GetBuildInfoString, const char *, void, "Ocellus")

static const OrtApi table = {
#define SERVED(version, result, name, parameters) .name = ort_##name,
#define ACCEPTED(version, name, parameters)       .name = accepted_##name,
#define ABSENT(version, name, parameters)         .name = absent_##name,
#define IDLE(version, result, name, parameters)   .name = idle_##name,
#define NOTHING(version, name, parameters)        .name = nothing_##name,
#include "common/api.def"
};

/* Each version's table begins as the one before: one serves all. */
static const OrtApi *get_api(uint32_t version)
{
    return version >= 1 && version <= ORT_API_VERSION ? &table : NULL;
}

static const char *get_version(void)
{
    return ORT_VERSION;
}

static const OrtApiBase base = {get_api, get_version};

const OrtApiBase *ort_get_api_base(void)
{
    return &base;
}

/* ---- functions that programs link: the first, and those of ONNX Runtime 1.4 and before ---- */

OrtStatus *ort_append_cpu(OrtSessionOptions *, int)
{
    return NULL;
}

OrtStatus *ort_append_cuda(OrtSessionOptions *options, int)
{
    return ort_SessionOptionsAppendExecutionProvider(options, "CUDA", NULL, NULL, 0);
}

OrtStatus *ort_append_tensorrt(OrtSessionOptions *options, int)
{
    return ort_SessionOptionsAppendExecutionProvider(options, "Tensorrt", NULL, NULL, 0);
}

/* Programs ask for a function in the version that they were linked with, and get the newest where
 * they ask for none. */
#define EXPORT(function, name, number, at, text)                                                   \
    OC_API __typeof__(function) function##_##number __attribute__((alias(#function)));             \
    __asm__(".symver " #function "_" #number ", " name at "VERS_" text);
#define APPEND "OrtSessionOptionsAppendExecutionProvider_"
#define VERSION(number, at, text)                                                                  \
    EXPORT(ort_get_api_base, "OrtGetApiBase", number, at, text)                                    \
    EXPORT(ort_append_cpu, APPEND "CPU", number, at, text)                                         \
    EXPORT(ort_append_cuda, APPEND "CUDA", number, at, text)                                       \
    EXPORT(ort_append_tensorrt, APPEND "Tensorrt", number, at, text)
#include "versions.def"
#undef VERSION
