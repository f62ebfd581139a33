/* SPDX-License-Identifier: Apache-2.0
 * guard.cpp - calls of kernels, which are C++ as a rule: their exceptions become statuses, since
 * none may pass through C code.
 *
 * What this needs of C++ at run time is weak: where nothing is C++ nothing is thrown, and no
 * library of it is loaded. */
extern "C" {
#include "guard.h"
#include "interface.h"
}

#include <exception>

__asm__(".weak __gxx_personality_v0\n"
        ".weak __cxa_begin_catch\n"
        ".weak __cxa_end_catch\n"
        ".weak _Unwind_Resume\n"
        ".weak _ZTISt9exception\n"
        ".weak _ZSt9terminatev\n");

template <typename Call> static OrtStatus *guarded(Call call)
{
    try {
        return call();
    } catch (const std::exception &e) {
        return ort_CreateStatus(ORT_RUNTIME_EXCEPTION, e.what());
    } catch (...) {
        return ort_CreateStatus(ORT_RUNTIME_EXCEPTION, "an exception that tells nothing");
    }
}

OrtStatus *ort_guard_create(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                            void **kernel)
{
    return guarded([=]() -> OrtStatus * {
        if (op->version >= 16 && op->CreateKernelV2)
            return op->CreateKernelV2(op, api, info, kernel);
        *kernel = op->CreateKernel(op, api, info);
        return nullptr;
    });
}

OrtStatus *ort_guard_compute(const OrtCustomOp *op, void *kernel, OrtKernelContext *context)
{
    return guarded([=]() -> OrtStatus * {
        if (op->version >= 16 && op->KernelComputeV2)
            return op->KernelComputeV2(kernel, context);
        op->KernelCompute(kernel, context);
        return nullptr;
    });
}
