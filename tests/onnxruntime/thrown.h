/* SPDX-License-Identifier: Apache-2.0
 * thrown.h - functions of an operator that throw exceptions of C++. */
#ifndef OC_TESTS_THROWN_H
#define OC_TESTS_THROWN_H

#include <abi.h>

OrtStatus *throw_creating(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                          void **kernel);
void *throw_creating_old(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info);
OrtStatus *throw_computing(void *kernel, OrtKernelContext *context);
void throw_computing_old(void *kernel, OrtKernelContext *context);

#endif
