/* SPDX-License-Identifier: Apache-2.0
 * providers.c - what runs models: processors. */
#include "interface.h"
#include "memory.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

OrtStatus *ort_GetAvailableProviders(char ***out, int *n)
{
    ORT_TRY(ort_new(sizeof **out, out));
    *n = 1;
    return ort_copy_text(ORT_CPU_PROVIDER, &(*out)[0]);
}

OrtStatus *ort_ReleaseAvailableProviders(char **name, int n)
{
    for (int i = 0; name && i < n; i++)
        free(name[i]);
    free(name);
    return NULL;
}

static OrtStatus *absent(const char *name)
{
    return ort_fail(ORT_INVALID_ARGUMENT,
                    "execution provider '%s' is not there: Ocellus runs on the processor (%s)",
                    name ? name : "NULL", ORT_CPU_PROVIDER);
}

/* Options of a provider say how it is to be fast. */
OrtStatus *ort_SessionOptionsAppendExecutionProvider(OrtSessionOptions *options, const char *name,
                                                     const char *const *key,
                                                     const char *const *value, size_t n)
{
    (void)options;
    (void)key;
    (void)value;
    (void)n;
    const bool is_cpu = name && (strcmp(name, "CPU") == 0 || strcmp(name, ORT_CPU_PROVIDER) == 0);
    return is_cpu ? NULL : absent(name);
}

/* ---- options of providers that are not there: bindings write into them, whatever creating them
 * said, before they ask whether the provider is there ---- */

enum { OPTIONS_SIZE = 2048 /* bytes; more than any version of ONNX Runtime writes */ };

OrtStatus *ort_CreateCUDAProviderOptions(OrtCUDAProviderOptionsV2 **out)
{
    return ort_new(OPTIONS_SIZE, out);
}

void ort_ReleaseCUDAProviderOptions(OrtCUDAProviderOptionsV2 *options)
{
    free(options);
}

OrtStatus *ort_SessionOptionsAppendExecutionProvider_CUDA_V2(OrtSessionOptions *options,
                                                             const OrtCUDAProviderOptionsV2 *cuda)
{
    (void)options;
    (void)cuda;
    return absent("CUDAExecutionProvider");
}

OrtStatus *ort_CreateTensorRTProviderOptions(OrtTensorRTProviderOptionsV2 **out)
{
    return ort_new(OPTIONS_SIZE, out);
}

void ort_ReleaseTensorRTProviderOptions(OrtTensorRTProviderOptionsV2 *options)
{
    free(options);
}

OrtStatus *
ort_SessionOptionsAppendExecutionProvider_TensorRT_V2(OrtSessionOptions *options,
                                                      const OrtTensorRTProviderOptionsV2 *tensorrt)
{
    (void)options;
    (void)tensorrt;
    return absent("TensorrtExecutionProvider");
}
