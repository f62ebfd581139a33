/* SPDX-License-Identifier: Apache-2.0
 * program.h - what programs that test the library behind ONNX Runtime's interface share. The
 * library is the file that the environment variable OC_ONNXRUNTIME names, so that each test can be
 * held against ONNX Runtime's own. */
#pragma once

#include "suite.h"

#include <common/abi.h>
#include <dlfcn.h>
#include <ocellus_model.h>
#include <string.h>

static const OrtApi *api;
static OrtEnv *env;

/* Fails with the text of a status that is no success. */
static inline void ok_at(OrtStatus *status, const char *what, int line)
{
    if (status)
        ck_abort_msg("line %d: %s: %s", line, what, api->GetErrorMessage(status));
}
#define OK(call) ok_at(api->call, #call, __LINE__)

/* Expects a status of that code (ORT_OK: any) whose text has each of these words. */
static inline void fails_at(OrtStatus *status, OrtErrorCode code, const char *word,
                            const char *other, int line)
{
    suite_assert(status, "line %d: expected an error", line);
    const char *message = api->GetErrorMessage(status), *text = message ? message : "";
    const int found = (int)api->GetErrorCode(status);
    suite_assert(found == (int)code || !code, "line %d: code %d, expected %d: %s", line, found,
                 (int)code, text);
    suite_assert(strstr(text, word) && strstr(text, other), "line %d: '%s', expected '%s' and '%s'",
                 line, text, word, other);
    api->ReleaseStatus(status);
}
#define FAILS(call, code, word, other) fails_at(api->call, code, word, other, __LINE__)

START_TEST(the_library_opens)
{
    const char *path = getenv("OC_ONNXRUNTIME");
    const OrtApiBase *(*get)(void) = NULL;
    void *library = dlopen(path ? path : "libonnxruntime.so.1", RTLD_NOW);
    suite_assert(library, "%s", dlerror());
    void *found = dlsym(library, "OrtGetApiBase");
    memcpy(&get, &found, sizeof get);
    ck_assert_ptr_nonnull(found);
    api = get()->GetApi(25);
    ck_assert_ptr_nonnull(api);
    OK(CreateEnv(ORT_LOGGING_LEVEL_ERROR, "test", &env));
}
END_TEST

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static inline bool append(void *ctx, const void *data, size_t size)
{
    bytes *b = ctx;
    b->data = realloc(b->data, b->size + size + 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

/* The model that the text says, as binary ONNX. */
static inline bytes binary(const char *text)
{
    oc_error e = {0};
    bytes b = {NULL, 0};
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_model_save(model, OC_FORMAT_ONNX, &(oc_writer){append, &b}, &e);
    suite_assert(e.code == OC_OK, "%s", e.text);
    oc_model_free(model);
    return b;
}

/* A session of the model that the text says, or the status of making it. */
static inline OrtStatus *try_session(const char *text, const OrtSessionOptions *options,
                                     OrtSession **session)
{
    const bytes b = binary(text);
    OrtStatus *status = api->CreateSessionFromArray(env, b.data, b.size, options, session);
    free(b.data);
    return status;
}

/* A tensor over memory of the test. */
static inline OrtValue *tensor(void *data, size_t size, const int64_t *dim, size_t rank,
                               ONNXTensorElementDataType type)
{
    OrtMemoryInfo *memory;
    OrtValue *value;
    OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
    OK(CreateTensorWithDataAsOrtValue(memory, data, size, dim, rank, type, &value));
    api->ReleaseMemoryInfo(memory);
    return value;
}

/* The number of a value's elements. */
static inline size_t count_of(const OrtValue *value)
{
    OrtTensorTypeAndShapeInfo *info;
    size_t n;
    OK(GetTensorTypeAndShape(value, &info));
    OK(GetTensorShapeElementCount(info, &n));
    api->ReleaseTensorTypeAndShapeInfo(info);
    return n;
}

START_TEST(the_library_is_released)
{
    api->ReleaseEnv(env);
}
END_TEST
