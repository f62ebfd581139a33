/* SPDX-License-Identifier: Apache-2.0
 * unguarded.c - calls of kernels in a build without a compiler for C++, in place of guard.cpp: an
 * exception that leaves a kernel ends the process. */
#include "guard.h"

OrtStatus *ort_guard_create(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                            void **kernel)
{
    if (op->version >= 16 && op->CreateKernelV2)
        return op->CreateKernelV2(op, api, info, kernel);
    *kernel = op->CreateKernel(op, api, info);
    return NULL;
}

OrtStatus *ort_guard_compute(const OrtCustomOp *op, void *kernel, OrtKernelContext *context)
{
    if (op->version >= 16 && op->KernelComputeV2)
        return op->KernelComputeV2(kernel, context);
    op->KernelCompute(kernel, context);
    return NULL;
}
