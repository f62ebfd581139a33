/* SPDX-License-Identifier: Apache-2.0
 * onnxruntime.c - a program that opens a library of ONNX Runtime's interface where it is installed,
 * and mirrors a picture with it: LIBRARY MODEL. */
#include "common/abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OrtApi *api;

/* Ends the program where a call failed. */
static void expect(OrtStatus *status)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", api->GetErrorMessage(status));
    exit(1);
}

static const OrtApiBase *open_library(const char *path)
{
    const OrtApiBase *(*get)(void);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;
    if (!symbol) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    memcpy(&get, &symbol, sizeof get);
    return get();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const OrtApiBase *base = open_library(argv[1]);
    api = base->GetApi(11);
    if (!api || base->GetApi(ORT_API_VERSION) == NULL || base->GetApi(ORT_API_VERSION + 1))
        return 1;

    OrtEnv *env;
    OrtSession *session;
    OrtMemoryInfo *memory;
    OrtValue *image, *mirrored = NULL;
    float pixels[6] = {1, 2, 3, 4, 5, 6}, *out;
    expect(api->CreateEnv(ORT_LOGGING_LEVEL_WARNING, "installed", &env));
    expect(api->CreateSession(env, argv[2], NULL, &session));
    expect(api->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory));
    expect(api->CreateTensorWithDataAsOrtValue(memory, pixels, sizeof pixels,
                                               (const int64_t[]){1, 1, 2, 3}, 4,
                                               (ONNXTensorElementDataType)1, &image));
    expect(api->Run(session, NULL, (const char *const[]){"image"}, (const OrtValue *const[]){image},
                    1, (const char *const[]){"mirrored"}, 1, &mirrored));
    expect(api->GetTensorMutableData(mirrored, (void **)&out));
    for (int i = 0; i < 6; i++)
        printf("%g%c", (double)out[i], i < 5 ? ' ' : '\n');

    api->ReleaseValue(mirrored);
    api->ReleaseValue(image);
    api->ReleaseMemoryInfo(memory);
    api->ReleaseSession(session);
    api->ReleaseEnv(env);
    return 0;
}
