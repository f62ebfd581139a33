/* SPDX-License-Identifier: Apache-2.0
 * guard.h - calls of the program's kernels, by what its version of an operator has. */
#ifndef ORT_GUARD_H
#define ORT_GUARD_H

#include "abi.h"

/* An exception of C++ becomes a status. */
OrtStatus *ort_guard_create(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                            void **kernel);
OrtStatus *ort_guard_compute(const OrtCustomOp *op, void *kernel, OrtKernelContext *context);

#endif
