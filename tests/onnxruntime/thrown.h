/* SPDX-License-Identifier: Apache-2.0
 * thrown.h - functions of a program that throw exceptions of C++, each what it tells. */
#pragma once

#include <common/abi.h>

OrtStatus *throw_creating(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                          void **kernel);
void *throw_creating_old(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info);
OrtStatus *throw_computing(void *kernel, OrtKernelContext *context);
void throw_computing_old(void *kernel, OrtKernelContext *context);
void throw_destroying(void *kernel);
/* The task of that number. */
void throw_in_task(void *number, size_t i);

/* What an operator says of itself. */
const char *throw_text(const OrtCustomOp *op);
size_t throw_count(const OrtCustomOp *op);
ONNXTensorElementDataType throw_type(const OrtCustomOp *op, size_t i);
OrtCustomOpInputOutputCharacteristic throw_kind(const OrtCustomOp *op, size_t i);
int throw_number(const OrtCustomOp *op);
/* The interface finds it by its name. */
__attribute__((visibility("default"))) OrtStatus *throw_registering(OrtSessionOptions *options,
                                                                    const OrtApiBase *api);

/* Allocators. */
void *throw_allocating(OrtAllocator *self, size_t size);
void throw_freeing(OrtAllocator *self, void *block);
const OrtMemoryInfo *throw_describing(const OrtAllocator *self);
OrtStatus *throw_counting(const OrtAllocator *self, OrtKeyValuePairs **out);

void throw_logging(void *param, OrtLoggingLevel severity, const char *category, const char *logid,
                   const char *code_location, const char *message);
/* Counts in *user_data, an int that it sets last, and throws. */
void throw_when_done(void *user_data, OrtValue **outputs, size_t n, OrtStatus *status);
