/* SPDX-License-Identifier: Apache-2.0
 * guard.h - every call of a function of the program's. Programs are C++ as a rule, and no exception
 * may pass through C code: an exception that leaves the program's function becomes a status.
 *
 * guard.inc defines the functions. guard.cpp compiles it as C++; unguarded.c compiles it as C, in a
 * build without a compiler for C++. */
#pragma once

#include "common/declared.h"

/* ---- operators ---- */

/* Asks an operator what it says of itself. *out is zero but for op, which the caller has set; the
 * caller frees it by ort_declared_clear, after a failure too. */
OrtStatus *ort_guard_declare(ort_declared *out);
/* Make, run and destroy a kernel of an operator, by the functions that the operator's version of
 * the interface has. */
OrtStatus *ort_guard_create(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                            void **kernel);
OrtStatus *ort_guard_compute(const OrtCustomOp *op, void *kernel, OrtKernelContext *context);
void ort_guard_destroy(const OrtCustomOp *op, void *kernel);
/* Calls function(user, i) for each i from first to last - 1, and stops at an exception. */
OrtStatus *ort_guard_tasks(void (*function)(void *, size_t), void *user, size_t first, size_t last);
/* Calls the function by which a library of operators, or a program, adds its operators to options.
 */
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
