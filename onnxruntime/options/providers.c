/* SPDX-License-Identifier: Apache-2.0
 * providers.c - what runs models: processors. */
#include "common/functions.h"
#include "common/interface.h"
#include "options/options.h"

OrtStatus *ort_GetAvailableProviders(char ***out, int *n)
{
    ORT_NEED(out && n);
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
OrtStatus *ort_SessionOptionsAppendExecutionProvider(OrtSessionOptions *, const char *name,
                                                     const char *const *, const char *const *,
                                                     size_t)
{
    const bool is_cpu = name && (strcmp(name, "CPU") == 0 || strcmp(name, ORT_CPU_PROVIDER) == 0);
    return is_cpu ? NULL : absent(name);
}

/* ---- options of providers that are not there: bindings write into them, whatever creating them
 * said, before they ask whether the provider is there ---- */

enum { OPTIONS_SIZE = 2048 /* bytes; more than any version of ONNX Runtime writes */ };

ORT_MAKER(ort_CreateCUDAProviderOptions, OrtCUDAProviderOptionsV2, OPTIONS_SIZE)
ORT_RELEASE(ort_ReleaseCUDAProviderOptions, OrtCUDAProviderOptionsV2)
ORT_MAKER(ort_CreateTensorRTProviderOptions, OrtTensorRTProviderOptionsV2, OPTIONS_SIZE)
ORT_RELEASE(ort_ReleaseTensorRTProviderOptions, OrtTensorRTProviderOptionsV2)

#define APPEND(name, options_type, provider)                                                       \
    OrtStatus *ort_SessionOptionsAppendExecutionProvider_##name(OrtSessionOptions *options,        \
                                                                const options_type *own)           \
    {                                                                                              \
        (void)options;                                                                             \
        (void)own;                                                                                 \
        return absent(provider);                                                                   \
    }
APPEND(CUDA, OrtCUDAProviderOptions, "CUDAExecutionProvider")
APPEND(CUDA_V2, OrtCUDAProviderOptionsV2, "CUDAExecutionProvider")
APPEND(TensorRT, OrtTensorRTProviderOptions, "TensorrtExecutionProvider")
APPEND(TensorRT_V2, OrtTensorRTProviderOptionsV2, "TensorrtExecutionProvider")
APPEND(ROCM, OrtROCMProviderOptions, "ROCMExecutionProvider")
APPEND(OpenVINO, OrtOpenVINOProviderOptions, "OpenVINOExecutionProvider")
APPEND(MIGraphX, OrtMIGraphXProviderOptions, "MIGraphXExecutionProvider")
APPEND(CANN, OrtCANNProviderOptions, "CANNExecutionProvider")
APPEND(Dnnl, OrtDnnlProviderOptions, "DnnlExecutionProvider")

/* Those whose options are pairs of strings. */
#define APPEND_BY_PAIRS(name, provider)                                                            \
    OrtStatus *ort_SessionOptionsAppendExecutionProvider_##name(                                   \
        OrtSessionOptions *options, const char *const *key, const char *const *value, size_t n)    \
    {                                                                                              \
        return ort_SessionOptionsAppendExecutionProvider(options, provider, key, value, n);        \
    }
APPEND_BY_PAIRS(OpenVINO_V2, "OpenVINOExecutionProvider")
APPEND_BY_PAIRS(VitisAI, "VitisAIExecutionProvider")
