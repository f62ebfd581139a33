/* SPDX-License-Identifier: Apache-2.0
 * abi.h - ONNX Runtime's C interface as a binary contract: the numbers, structs and the table that
 * programs compiled against its header rely on. Versions 1 to 30 of the interface are one table,
 * which each version has made longer. Names are ONNX Runtime's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORT_API_VERSION = 30 /* the newest that is served */ };

/* The execution provider that runs models on the processor. */
#define ORT_CPU_PROVIDER "CPUExecutionProvider"

/* ---- numbers --------------------------------------------------------------------------------- */

/* Why a call failed. */
typedef enum OrtErrorCode {
    ORT_OK,
    ORT_FAIL,
    ORT_INVALID_ARGUMENT,
    ORT_NO_SUCHFILE,
    ORT_NO_MODEL,
    ORT_ENGINE_ERROR,
    ORT_RUNTIME_EXCEPTION,
    ORT_INVALID_PROTOBUF,
    ORT_MODEL_LOADED,
    ORT_NOT_IMPLEMENTED,
    ORT_INVALID_GRAPH,
    ORT_EP_FAIL,
    ORT_MODEL_LOAD_CANCELED,
    ORT_MODEL_REQUIRES_COMPILATION,
    ORT_NOT_FOUND
} OrtErrorCode;

/* How much a line of the log matters. */
typedef enum OrtLoggingLevel {
    ORT_LOGGING_LEVEL_VERBOSE,
    ORT_LOGGING_LEVEL_INFO,
    ORT_LOGGING_LEVEL_WARNING,
    ORT_LOGGING_LEVEL_ERROR,
    ORT_LOGGING_LEVEL_FATAL
} OrtLoggingLevel;

/* What a value is. */
typedef enum ONNXType {
    ONNX_TYPE_UNKNOWN,
    ONNX_TYPE_TENSOR,
    ONNX_TYPE_SEQUENCE,
    ONNX_TYPE_MAP,
    ONNX_TYPE_OPAQUE,
    ONNX_TYPE_SPARSETENSOR,
    ONNX_TYPE_OPTIONAL
} ONNXType;

/* Element types have the numbers of oc_type but for those from FLOAT4E2M1 on (ort_type). */
typedef enum ONNXTensorElementDataType {
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED = 0,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING = 8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1 = 23,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2 = 24,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2 = 25,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0 = 26
} ONNXTensorElementDataType;

/* How much a graph is changed before it runs; here what is fast changes no bit. */
typedef enum GraphOptimizationLevel {
    ORT_DISABLE_ALL = 0,
    ORT_ENABLE_BASIC = 1,
    ORT_ENABLE_EXTENDED = 2,
    ORT_ENABLE_LAYOUT = 3,
    ORT_ENABLE_ALL = 99
} GraphOptimizationLevel;

typedef enum ExecutionMode { ORT_SEQUENTIAL = 0, ORT_PARALLEL = 1 } ExecutionMode;
typedef enum OrtAllocatorType { OrtDeviceAllocator = 0, OrtArenaAllocator = 1 } OrtAllocatorType;
typedef enum OrtMemType { OrtMemTypeCPU = -1, OrtMemTypeDefault = 0 } OrtMemType;
typedef enum OrtMemoryInfoDeviceType {
    OrtMemoryInfoDeviceType_CPU,
    OrtMemoryInfoDeviceType_GPU
} OrtMemoryInfoDeviceType;
typedef enum OrtDeviceMemoryType { OrtDeviceMemoryType_DEFAULT } OrtDeviceMemoryType;

/* How many operands a port of the program's operator takes. */
typedef enum OrtCustomOpInputOutputCharacteristic {
    INPUT_OUTPUT_REQUIRED,
    INPUT_OUTPUT_OPTIONAL,
    INPUT_OUTPUT_VARIADIC
} OrtCustomOpInputOutputCharacteristic;

/* Numbers that belong to parts which are absent. */
typedef int OrtSparseFormat, OrtSparseIndicesFormat, OrtLanguageProjection, OrtOpAttrType,
    OrtHardwareDeviceType, OrtExecutionProviderDevicePolicy, OrtCompiledModelCompatibility;

/* ---- structs that only this library sees into ------------------------------------------------ */

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtLogger OrtLogger;
typedef struct OrtThreadingOptions OrtThreadingOptions;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtArenaCfg OrtArenaCfg;
typedef struct OrtKeyValuePairs OrtKeyValuePairs;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtPrepackedWeightsContainer OrtPrepackedWeightsContainer;
typedef struct OrtSession OrtSession;
typedef struct OrtModelMetadata OrtModelMetadata;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtIoBinding OrtIoBinding;
typedef struct OrtValue OrtValue;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtMapTypeInfo OrtMapTypeInfo;
typedef struct OrtSequenceTypeInfo OrtSequenceTypeInfo;
typedef struct OrtOptionalTypeInfo OrtOptionalTypeInfo;
typedef struct OrtHardwareDevice OrtHardwareDevice;
typedef struct OrtEpDevice OrtEpDevice;
typedef struct OrtCustomOpDomain OrtCustomOpDomain;
typedef struct OrtKernelInfo OrtKernelInfo;
typedef struct OrtKernelContext OrtKernelContext;

/* ---- structs of parts that are absent: nobody makes one ----------------------------------- */

typedef struct OrtCUDAProviderOptions OrtCUDAProviderOptions;
typedef struct OrtCUDAProviderOptionsV2 OrtCUDAProviderOptionsV2;
typedef struct OrtROCMProviderOptions OrtROCMProviderOptions;
typedef struct OrtTensorRTProviderOptions OrtTensorRTProviderOptions;
typedef struct OrtTensorRTProviderOptionsV2 OrtTensorRTProviderOptionsV2;
typedef struct OrtMIGraphXProviderOptions OrtMIGraphXProviderOptions;
typedef struct OrtOpenVINOProviderOptions OrtOpenVINOProviderOptions;
typedef struct OrtCANNProviderOptions OrtCANNProviderOptions;
typedef struct OrtDnnlProviderOptions OrtDnnlProviderOptions;
typedef struct OrtOp OrtOp;
typedef struct OrtOpAttr OrtOpAttr;
typedef struct OrtShapeInferContext OrtShapeInferContext;
typedef struct OrtLoraAdapter OrtLoraAdapter;
typedef struct OrtValueInfo OrtValueInfo;
typedef struct OrtNode OrtNode;
typedef struct OrtGraph OrtGraph;
typedef struct OrtModel OrtModel;
typedef struct OrtSyncStream OrtSyncStream;
typedef struct OrtExternalInitializerInfo OrtExternalInitializerInfo;
typedef struct OrtDeviceEpIncompatibilityDetails OrtDeviceEpIncompatibilityDetails;
typedef struct OrtEpAssignedSubgraph OrtEpAssignedSubgraph;
typedef struct OrtEpAssignedNode OrtEpAssignedNode;
typedef struct OrtThreadPoolCallbacksConfig OrtThreadPoolCallbacksConfig;
typedef struct OrtTrainingApi OrtTrainingApi;
typedef struct OrtModelEditorApi OrtModelEditorApi;
typedef struct OrtCompileApi OrtCompileApi;
typedef struct OrtEpApi OrtEpApi;
typedef struct OrtInteropApi OrtInteropApi;
typedef void (*OrtExperimentalFnPtr)(void);
typedef OrtStatus *(*EpSelectionDelegate)(void);

/* ---- structs that programs see into ---------------------------------------------------------- */

typedef struct OrtApi OrtApi;
typedef struct OrtApiBase OrtApiBase;
typedef struct OrtCustomOp OrtCustomOp;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtEnvCreationOptions OrtEnvCreationOptions;

/* Allocates memory: the program's allocator, or this library's. Members that are newer than version
 * must not be read. */
struct OrtAllocator {
    uint32_t version; /* version of the interface for which it was written */
    void *(*Alloc)(OrtAllocator *self, size_t size);
    void (*Free)(OrtAllocator *self, void *block);
    const OrtMemoryInfo *(*Info)(const OrtAllocator *self);
    void *(*Reserve)(OrtAllocator *self, size_t size);                              /* 18 */
    OrtStatus *(*GetStats)(const OrtAllocator *self, OrtKeyValuePairs **out);       /* 23 */
    void *(*AllocOnStream)(OrtAllocator *self, size_t size, OrtSyncStream *stream); /* 23 */
    OrtStatus *(*Shrink)(OrtAllocator *self);                                       /* 25 */
};

/* Takes a line of the log. */
typedef void (*OrtLoggingFunction)(void *param, OrtLoggingLevel severity, const char *category,
                                   const char *logid, const char *code_location,
                                   const char *message);

/* Functions by which a program would make threads. Ocellus makes its own and never calls them. */
typedef const void *OrtCustomThreadHandle;
typedef OrtCustomThreadHandle (*OrtCustomCreateThreadFn)(void *options, void (*work)(void *),
                                                         void *param);
typedef void (*OrtCustomJoinThreadFn)(OrtCustomThreadHandle handle);

/* Takes the outputs of a run that OrtApi.RunAsync began, or its error; both become the program's.
 */
typedef void (*RunAsyncCallbackFn)(void *user_data, OrtValue **outputs, size_t num_outputs,
                                   OrtStatus *status);
/* The function by which a library of operators, or a program, registers its operators. */
typedef OrtStatus *(*RegisterCustomOpsFn)(OrtSessionOptions *options, const OrtApiBase *api);

struct OrtEnvCreationOptions {
    uint32_t version;
    int32_t logging_severity_level;
    const char *log_id;
    OrtLoggingFunction custom_logging_function; /* NULL: standard error */
    void *custom_logging_param;
    const OrtThreadingOptions *threading_options; /* NULL: none */
    const OrtKeyValuePairs *config_entries;       /* NULL: none */
};

/* An operator of the program. Members that are newer than version must not be read. */
struct OrtCustomOp {
    uint32_t version; /* version of the interface for which it was written */
    void *(*CreateKernel)(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info);
    const char *(*GetName)(const OrtCustomOp *op);
    const char *(*GetExecutionProviderType)(const OrtCustomOp *op);
    ONNXTensorElementDataType (*GetInputType)(const OrtCustomOp *op, size_t index);
    size_t (*GetInputTypeCount)(const OrtCustomOp *op);
    ONNXTensorElementDataType (*GetOutputType)(const OrtCustomOp *op, size_t index);
    size_t (*GetOutputTypeCount)(const OrtCustomOp *op);
    void (*KernelCompute)(void *kernel, OrtKernelContext *context);
    void (*KernelDestroy)(void *kernel);
    OrtCustomOpInputOutputCharacteristic (*GetInputCharacteristic)(const OrtCustomOp *op,
                                                                   size_t index);
    OrtCustomOpInputOutputCharacteristic (*GetOutputCharacteristic)(const OrtCustomOp *op,
                                                                    size_t index);
    OrtMemType (*GetInputMemoryType)(const OrtCustomOp *op, size_t index); /* 14 */
    int (*GetVariadicInputMinArity)(const OrtCustomOp *op);                /* 14 */
    int (*GetVariadicInputHomogeneity)(const OrtCustomOp *op);             /* 14 */
    int (*GetVariadicOutputMinArity)(const OrtCustomOp *op);               /* 14 */
    int (*GetVariadicOutputHomogeneity)(const OrtCustomOp *op);            /* 14 */
    OrtStatus *(*CreateKernelV2)(const OrtCustomOp *op, const OrtApi *api,
                                 const OrtKernelInfo *info, void **kernel);           /* 16 */
    OrtStatus *(*KernelComputeV2)(void *kernel, OrtKernelContext *context);           /* 16 */
    OrtStatus *(*InferOutputShapeFn)(const OrtCustomOp *op, OrtShapeInferContext *c); /* 17 */
    int (*GetStartVersion)(const OrtCustomOp *op);                                    /* 17 */
    int (*GetEndVersion)(const OrtCustomOp *op);                                      /* 17 */
    size_t (*GetMayInplace)(int **input, int **output);                               /* 18 */
    void (*ReleaseMayInplace)(int *input, int *output);                               /* 18 */
    size_t (*GetAliasMap)(int **input, int **output);                                 /* 18 */
    void (*ReleaseAliasMap)(int *input, int *output);                                 /* 18 */
};

/* The table. */
struct OrtApi {
#define SERVED(version, result, name, parameters) result(*name) parameters;
#define ACCEPTED(version, name, parameters)       OrtStatus *(*name)parameters;
#define ABSENT(version, name, parameters)         OrtStatus *(*name)parameters;
#define IDLE(version, result, name, parameters)   result(*name) parameters;
#define NOTHING(version, name, parameters)        void(*name) parameters;
#include "common/api.def"
};

struct OrtApiBase {
    const OrtApi *(*GetApi)(uint32_t version); /* NULL: a version that is not served */
    const char *(*GetVersionString)(void);     /* "1.30.0" */
};
