/* SPDX-License-Identifier: Apache-2.0
 * exceptions.c - exceptions of C++ that leave a function of the program become statuses, and are
 * lost where a function returns none. */
#include "own_op.h"
#include "thrown.h"

#include <sched.h>

#define MODEL HEADER "g (float[N] x) => (float[N] y) { [name_of_node] y = me.Op (x) }"

static own_op op_of(compute_function *compute)
{
    own_op op = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    complete(&op, NULL, compute);
    return op;
}

START_TEST(a_kernel_throws_when_it_is_made)
{
    own_op now = op_of(compute_plus), old = now;
    const OrtCustomOp *op = &now.base;
    OrtSession *session;
    now.base.CreateKernelV2 = throw_creating;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no kernel today", "",
             __LINE__);
    op = &old.base;
    old.base.CreateKernelV2 = NULL;
    old.base.CreateKernel = throw_creating_old;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no kernel ever", "",
             __LINE__);
}
END_TEST

START_TEST(a_kernel_throws_when_it_runs)
{
    own_op now = op_of(throw_computing), old = now;
    const OrtCustomOp *const op[] = {&now.base, &old.base};
    static const char *const text[] = {"no result today", "exception"};
    old.base.KernelComputeV2 = NULL;
    old.base.KernelCompute = throw_computing_old;
    for (int i = 0; i < 2; i++) {
        float x[] = {1};
        OrtValue *out;
        OrtSession *session = open_session(MODEL, &op[i], 1);
        for (int run = 0; run < 3; run++)
            fails_at(try_run(session, x, 1, "y", &out), ORT_RUNTIME_EXCEPTION, text[i],
                     "name_of_node", __LINE__);
        api->ReleaseSession(session);
    }
}
END_TEST

/* ---- operators ---- */

static OrtStatus *compute_with_tasks(void *kernel, OrtKernelContext *c)
{
    size_t number = 5;
    (void)kernel;
    return api->KernelContext_ParallelFor(c, throw_in_task, 10, 4, &number);
}

START_TEST(a_task_throws)
{
    const own_op tasks = op_of(compute_with_tasks);
    const OrtCustomOp *const op = &tasks.base;
    OrtSession *session = open_session(MODEL, &op, 1);
    float x[] = {1};
    OrtValue *out;
    for (int run = 0; run < 20; run++)
        fails_at(try_run(session, x, 1, "y", &out), ORT_RUNTIME_EXCEPTION, "no task today",
                 "name_of_node", __LINE__);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(a_kernel_throws_when_it_ends)
{
    own_op ends = op_of(compute_plus);
    const OrtCustomOp *const op = &ends.base;
    ends.base.KernelDestroy = throw_destroying;
    OrtSession *session = open_session(MODEL, &op, 1);
    expect_floats(session, "y", (float[]){2, 3, 4}, 3);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(an_operator_throws_when_it_is_asked)
{
    own_op asked[9];
    for (int i = 0; i < 9; i++)
        asked[i] = op_of(compute_plus);
    asked[0].base.GetName = throw_text;
    asked[1].base.GetExecutionProviderType = throw_text;
    asked[2].base.GetInputTypeCount = throw_count;
    asked[3].base.GetOutputTypeCount = throw_count;
    asked[4].base.GetInputType = throw_type;
    asked[5].base.GetOutputType = throw_type;
    asked[6].base.GetInputCharacteristic = throw_kind;
    asked[7].base.GetOutputCharacteristic = throw_kind;
    asked[8].base.GetStartVersion = throw_number;
    for (int i = 0; i < 9; i++) {
        const OrtCustomOp *const op = &asked[i].base;
        OrtSession *session;
        fails_at(try_open(MODEL, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no word of itself", "",
                 __LINE__);
    }
}
END_TEST

START_TEST(a_variadic_operator_throws_when_it_is_asked)
{
    own_op least = op_of(compute_plus), alike;
    least.in_kind[0] = INPUT_OUTPUT_VARIADIC;
    alike = least;
    least.base.GetVariadicInputMinArity = throw_number;
    alike.base.GetVariadicInputHomogeneity = throw_number;
    const OrtCustomOp *const op[] = {&least.base, &alike.base};
    for (int i = 0; i < 2; i++) {
        OrtSession *session;
        fails_at(try_open(MODEL, &op[i], 1, &session), ORT_RUNTIME_EXCEPTION, "no word of itself",
                 "", __LINE__);
    }
}
END_TEST

START_TEST(a_register_function_throws)
{
    OrtSessionOptions *options;
    OK(CreateSessionOptions(&options));
    FAILS(RegisterCustomOpsUsingFunction(options, "throw_registering"), ORT_RUNTIME_EXCEPTION,
          "no operators today", "");
    api->ReleaseSessionOptions(options);
}
END_TEST

/* ---- allocators ---- */

static OrtAllocator throwing_allocator(void)
{
    return (OrtAllocator){.version = 24,
                          .Alloc = throw_allocating,
                          .Free = throw_freeing,
                          .Info = throw_describing,
                          .GetStats = throw_counting};
}

START_TEST(an_allocator_throws)
{
    OrtAllocator own = throwing_allocator();
    OrtValue *value;
    const OrtMemoryInfo *info;
    OrtKeyValuePairs *pairs;
    void *block;
    FAILS(AllocatorAlloc(&own, 10, &block), ORT_RUNTIME_EXCEPTION, "no memory today", "");
    FAILS(AllocatorGetInfo(&own, &info), ORT_RUNTIME_EXCEPTION, "no description", "");
    FAILS(AllocatorGetStats(&own, &pairs), ORT_RUNTIME_EXCEPTION, "no numbers", "");
    FAILS(AllocatorFree(&own, malloc(1)), ORT_RUNTIME_EXCEPTION, "no memory back", "");
    FAILS(CreateTensorAsOrtValue(&own, (int64_t[]){4}, 1, FLOAT, &value), ORT_RUNTIME_EXCEPTION,
          "no memory today", "");
    OK(CreateTensorWithDataAndDeleterAsOrtValue(&own, malloc(16), 16, (int64_t[]){4}, 1, FLOAT,
                                                &value));
    api->ReleaseValue(value);
}
END_TEST

START_TEST(an_allocator_of_names_throws)
{
    OrtAllocator own = throwing_allocator();
    const own_op plus = op_of(compute_plus);
    const OrtCustomOp *const op = &plus.base;
    OrtSession *session = open_session(MODEL, &op, 1);
    OrtModelMetadata *metadata;
    OrtIoBinding *binding;
    OrtValue **values;
    char *name;
    size_t *length, n;
    FAILS(SessionGetInputName(session, 0, &own, &name), ORT_RUNTIME_EXCEPTION, "no memory today",
          "");
    OK(SessionGetModelMetadata(session, &metadata));
    FAILS(ModelMetadataGetGraphName(metadata, &own, &name), ORT_RUNTIME_EXCEPTION,
          "no memory today", "");
    api->ReleaseModelMetadata(metadata);
    OK(CreateIoBinding(session, &binding));
    float x[] = {1};
    OrtValue *value = tensor(x, sizeof x, (int64_t[]){1}, 1, FLOAT);
    OK(BindOutput(binding, "y", value));
    FAILS(GetBoundOutputNames(binding, &own, &name, &length, &n), ORT_RUNTIME_EXCEPTION,
          "no memory today", "");
    FAILS(GetBoundOutputValues(binding, &own, &values, &n), ORT_RUNTIME_EXCEPTION,
          "no memory today", "");
    api->ReleaseValue(value);
    api->ReleaseIoBinding(binding);
    api->ReleaseSession(session);
}
END_TEST

/* ---- functions that are told ---- */

static OrtStatus *compute_logging(void *kernel, OrtKernelContext *c)
{
    const OrtLogger *logger;
    (void)kernel;
    OK(KernelContext_GetLogger(c, &logger));
    return api->Logger_LogMessage(logger, ORT_LOGGING_LEVEL_WARNING, "a line", "here", 1, "f");
}

START_TEST(a_logger_throws)
{
    OrtEnv *loud;
    OrtSessionOptions *options;
    OrtCustomOpDomain *domain;
    OrtSession *session;
    OrtValue *out;
    float x[] = {1};
    const own_op logs = op_of(compute_logging);
    OK(CreateEnvWithCustomLogger(throw_logging, NULL, ORT_LOGGING_LEVEL_VERBOSE, "loud", &loud));
    OK(CreateSessionOptions(&options));
    OK(AddSessionConfigEntry(options, "nobody.knows", "1")); /* a line of the log */
    OK(CreateCustomOpDomain("me", &domain));
    OK(CustomOpDomain_Add(domain, &logs.base));
    OK(AddCustomOpDomain(options, domain));
    OrtEnv *quiet = env;
    env = loud;
    ok_at(try_session(MODEL, options, &session), "the session", __LINE__);
    env = quiet;
    fails_at(try_run(session, x, 1, "y", &out), ORT_RUNTIME_EXCEPTION, "no log today",
             "name_of_node", __LINE__);
    api->ReleaseSession(session);
    api->ReleaseSessionOptions(options);
    api->ReleaseCustomOpDomain(domain);
    api->ReleaseEnv(loud);
}
END_TEST

START_TEST(a_callback_throws)
{
    const own_op plus = op_of(compute_plus);
    const OrtCustomOp *const op = &plus.base;
    OrtSession *session = open_session(MODEL, &op, 1);
    float x[] = {1};
    OrtValue *value = tensor(x, sizeof x, (int64_t[]){1}, 1, FLOAT), *out = NULL;
    const char *in_name = "x", *out_name = "y";
    atomic_int done = 0;
    OK(RunAsync(session, NULL, &in_name, (const OrtValue *const *)&value, 1, &out_name, 1, &out,
                throw_when_done, &done));
    while (!done)
        sched_yield();
    api->ReleaseValue(value);
    api->ReleaseValue(out);
    api->ReleaseSession(session);
}
END_TEST

SUITE("exceptions", the_library_opens, a_kernel_throws_when_it_is_made,
      a_kernel_throws_when_it_runs, a_task_throws, a_kernel_throws_when_it_ends,
      an_operator_throws_when_it_is_asked, a_variadic_operator_throws_when_it_is_asked,
      a_register_function_throws, an_allocator_throws, an_allocator_of_names_throws,
      a_logger_throws, a_callback_throws, the_library_is_released)
