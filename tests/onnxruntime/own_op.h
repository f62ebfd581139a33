/* SPDX-License-Identifier: Apache-2.0
 * own_op.h - operators of a test's own, and sessions that have them. */
#pragma once

#include "program.h"

#include <stdatomic.h>

#define FLOAT  ((ONNXTensorElementDataType)1)
#define INT64  ((ONNXTensorElementDataType)7)
#define STRING ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING
#define INT4   ((ONNXTensorElementDataType)22)
#define DOUBLE ((ONNXTensorElementDataType)11)

#define HEADER "<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1]>\n"

/* Fails inside a callback, where no status can be given. */
#define WANT(condition) suite_assert(condition, "line %d: not so: %s", __LINE__, #condition)

/* ---- operators, from a few parts ---- */

/* An operator with up to four ports on each side. */
typedef struct own_op {
    OrtCustomOp base;
    const char *name;
    ONNXTensorElementDataType in[4], out[4];
    OrtCustomOpInputOutputCharacteristic in_kind[4], out_kind[4];
    size_t n_in, n_out;
    bool mixed;
    int least, start, end;
    const char *provider;
} own_op;

static inline const own_op *of(const OrtCustomOp *op)
{
    return (const own_op *)(const void *)op;
}

static inline const char *get_name(const OrtCustomOp *op)
{
    return of(op)->name;
}

static inline const char *get_provider(const OrtCustomOp *op)
{
    return of(op)->provider;
}

static inline ONNXTensorElementDataType in_type(const OrtCustomOp *op, size_t i)
{
    WANT(i < of(op)->n_in);
    return of(op)->in[i];
}

static inline size_t in_count(const OrtCustomOp *op)
{
    return of(op)->n_in;
}

static inline ONNXTensorElementDataType out_type(const OrtCustomOp *op, size_t i)
{
    WANT(i < of(op)->n_out);
    return of(op)->out[i];
}

static inline size_t out_count(const OrtCustomOp *op)
{
    return of(op)->n_out;
}

static inline OrtCustomOpInputOutputCharacteristic in_kind(const OrtCustomOp *op, size_t i)
{
    return of(op)->in_kind[i];
}

static inline OrtCustomOpInputOutputCharacteristic out_kind(const OrtCustomOp *op, size_t i)
{
    return of(op)->out_kind[i];
}

static inline OrtMemType memory_type(const OrtCustomOp *op, size_t i)
{
    (void)op;
    (void)i;
    return OrtMemTypeDefault;
}

static inline int least(const OrtCustomOp *op)
{
    return of(op)->least;
}

static inline int alike(const OrtCustomOp *op)
{
    return !of(op)->mixed;
}

static inline int start_version(const OrtCustomOp *op)
{
    return of(op)->start ? of(op)->start : 1;
}

static inline int end_version(const OrtCustomOp *op)
{
    return of(op)->end ? of(op)->end : INT32_MAX;
}

static atomic_int n_made, n_destroyed;

/* A kernel that counts its runs. */
static inline OrtStatus *create_counter(const OrtCustomOp *op, const OrtApi *given,
                                        const OrtKernelInfo *info, void **kernel)
{
    (void)op;
    (void)info;
    WANT(given == api || given->KernelContext_GetInput);
    *kernel = calloc(1, sizeof(atomic_int));
    n_made++;
    return NULL;
}

static inline void destroy(void *kernel)
{
    free(kernel);
    n_destroyed++;
}

typedef OrtStatus *create_function(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *,
                                   void **);
typedef OrtStatus *compute_function(void *, OrtKernelContext *);

/* Completes an operator. */
static inline const OrtCustomOp *complete(own_op *op, create_function *create,
                                          compute_function *compute)
{
    op->base = (OrtCustomOp){
        .version = 24,
        .GetName = get_name,
        .GetExecutionProviderType = get_provider,
        .GetInputType = in_type,
        .GetInputTypeCount = in_count,
        .GetOutputType = out_type,
        .GetOutputTypeCount = out_count,
        .KernelDestroy = destroy,
        .GetInputCharacteristic = in_kind,
        .GetOutputCharacteristic = out_kind,
        .GetInputMemoryType = memory_type,
        .GetVariadicInputMinArity = least,
        .GetVariadicInputHomogeneity = alike,
        .GetVariadicOutputMinArity = least,
        .GetVariadicOutputHomogeneity = alike,
        .CreateKernelV2 = create ? create : create_counter,
        .KernelComputeV2 = compute,
        .GetStartVersion = start_version,
        .GetEndVersion = end_version,
    };
    return &op->base;
}

/* ---- sessions ---- */

/* The status of a session of the model with some operators of that domain. */
static inline OrtStatus *try_domain(const char *name, const char *text,
                                    const OrtCustomOp *const *op, size_t n, OrtSession **session)
{
    OrtSessionOptions *options;
    OrtCustomOpDomain *domain;
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, 2));
    OK(AddSessionConfigEntry(options, "me.key", "value"));
    OK(CreateCustomOpDomain(name, &domain));
    for (size_t i = 0; i < n; i++)
        OK(CustomOpDomain_Add(domain, op[i]));
    OK(AddCustomOpDomain(options, domain));
    OrtStatus *status = try_session(text, options, session);
    api->ReleaseSessionOptions(options);
    /* Sessions ask the domain, and its operators, no more. */
    api->ReleaseCustomOpDomain(domain);
    return status;
}

/* Those of domain "me". */
static inline OrtStatus *try_open(const char *text, const OrtCustomOp *const *op, size_t n,
                                  OrtSession **session)
{
    return try_domain("me", text, op, n, session);
}

static inline OrtSession *open_session(const char *text, const OrtCustomOp *const *op, size_t n)
{
    OrtSession *session;
    ok_at(try_open(text, op, n, &session), "the session", __LINE__);
    return session;
}

/* The output `name` of a run on x, floats, as the status of the run. */
static inline OrtStatus *try_run(OrtSession *session, float *x, int64_t n, const char *name,
                                 OrtValue **out)
{
    OrtValue *value = tensor(x, (size_t)n * sizeof *x, &n, 1, FLOAT);
    const char *const in_name = "x";
    *out = NULL;
    OrtStatus *status =
        api->Run(session, NULL, &in_name, (const OrtValue *const *)&value, 1, &name, 1, out);
    api->ReleaseValue(value);
    return status;
}

/* Runs on x = {1, 2, 3} and expects these floats. */
static inline void expect_floats(OrtSession *session, const char *name, const float *expected,
                                 size_t n)
{
    float x[] = {1, 2, 3}, *y;
    OrtValue *out;
    ok_at(try_run(session, x, 3, name, &out), "the run", __LINE__);
    OK(GetTensorMutableData(out, (void **)&y));
    ck_assert_uint_eq(count_of(out), n);
    for (size_t i = 0; i < n; i++)
        suite_assert(y[i] == expected[i], "%s[%zu] is %g, expected %g", name, i, (double)y[i],
                     (double)expected[i]);
    api->ReleaseValue(out);
}

/* ---- in kernels ---- */

/* An input's elements, and its dims; NULL: it is missing. */
static inline const void *input(OrtKernelContext *c, size_t i, int64_t *dim, size_t *rank,
                                size_t *count)
{
    const OrtValue *value;
    OrtTensorTypeAndShapeInfo *info;
    void *data;
    OK(KernelContext_GetInput(c, i, &value));
    if (!value)
        return NULL;
    OK(GetTensorTypeAndShape(value, &info));
    OK(GetDimensionsCount(info, rank));
    OK(GetDimensions(info, dim, *rank));
    OK(GetTensorShapeElementCount(info, count));
    OK(GetTensorMutableData((OrtValue *)(uintptr_t)value, &data));
    api->ReleaseTensorTypeAndShapeInfo(info);
    return data;
}

static inline void *output(OrtKernelContext *c, size_t i, const int64_t *dim, size_t rank)
{
    OrtValue *value;
    void *data;
    OK(KernelContext_GetOutput(c, i, dim, rank, &value));
    WANT(value);
    OK(GetTensorMutableData(value, &data));
    return data;
}

/* y = x + 1 */
static inline OrtStatus *compute_plus(void *kernel, OrtKernelContext *c)
{
    int64_t dim[4];
    size_t rank, n;
    const float *x = input(c, 0, dim, &rank, &n);
    float *y = output(c, 0, dim, rank);
    ++*(atomic_int *)kernel;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
    return NULL;
}
