/* SPDX-License-Identifier: Apache-2.0
 * interface.h - the functions that are served, each named after its place in the table. */
#pragma once

#include "common/abi.h"

#define SERVED(version, result, name, parameters) result ort_##name parameters;
#define ACCEPTED(version, name, parameters)
#define ABSENT(version, name, parameters)
#define IDLE(version, result, name, parameters)
#define NOTHING(version, name, parameters)
#include "common/api.def"

/* What the library exports as OrtGetApiBase, and as functions of ONNX Runtime 1.4 and before. */
const OrtApiBase *ort_get_api_base(void);
OrtStatus *ort_append_cpu(OrtSessionOptions *options, int use_arena);
OrtStatus *ort_append_cuda(OrtSessionOptions *options, int device);
OrtStatus *ort_append_tensorrt(OrtSessionOptions *options, int device);
