/* SPDX-License-Identifier: Apache-2.0
 * guard.h - every call of a function of the program's. Programs are C++ as a rule, and no exception
 * may pass through C code: one that leaves such a function becomes a status.
 *
 * guard.inc has the functions; guard.cpp is they with a compiler for C++, unguarded.c without. */
#ifndef ORT_GUARD_H
#define ORT_GUARD_H

#include "common/declared.h"

/* ---- operators ---- */

/* What an operator says of itself, in *out, zeroed before, whose op is set. After a failure too
 * ort_declared_clear frees it. */
OrtStatus *ort_guard_declare(ort_declared *out);
/* Its kernels, by what its version of the interface has. */
OrtStatus *ort_guard_create(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                            void **kernel);
OrtStatus *ort_guard_compute(const OrtCustomOp *op, void *kernel, OrtKernelContext *context);
void ort_guard_destroy(const OrtCustomOp *op, void *kernel);
/* function(user, i) for each i from first to last - 1, up to one that throws. */
OrtStatus *ort_guard_tasks(void (*function)(void *, size_t), void *user, size_t first, size_t last);
/* The function by which a library of operators, or a program, adds its operators to options. */
OrtStatus *ort_guard_register(RegisterCustomOpsFn function, OrtSessionOptions *options,
                              const OrtApiBase *api);

/* ---- allocators ---- */

OrtStatus *ort_guard_allocate(OrtAllocator *allocator, size_t size, void **block);
OrtStatus *ort_guard_free(OrtAllocator *allocator, void *block);
OrtStatus *ort_guard_describe(const OrtAllocator *allocator, const OrtMemoryInfo **out);
OrtStatus *ort_guard_stats(const OrtAllocator *allocator, OrtKeyValuePairs **out);

/* ---- functions that are told ---- */

OrtStatus *ort_guard_log(OrtLoggingFunction function, void *param, OrtLoggingLevel level,
                         const char *id, const char *place, const char *text);
void ort_guard_done(RunAsyncCallbackFn function, void *user_data, OrtValue **outputs, size_t n,
                    OrtStatus *status);

#endif
