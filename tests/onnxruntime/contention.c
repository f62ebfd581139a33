/* SPDX-License-Identifier: Apache-2.0
 * contention.c - each function that many threads may call at the same time, called so: by a kernel
 * that has threads of its own, and by a program that shares a session and values. What the
 * functions give is checked; races are for ThreadSanitizer to find. */
#define _XOPEN_SOURCE 700 /* pthread_barrier_t */

#include "own_op.h"

#include <pthread.h>

enum { THREADS = 8, TIMES = 20 };

/* ---- many threads that begin together ---- */

typedef struct crowd {
    pthread_barrier_t start;
    void (*work)(void *arg);
    void *arg;
} crowd;

static void *one_of_many(void *arg)
{
    crowd *c = arg;
    pthread_barrier_wait(&c->start);
    for (int i = 0; i < TIMES; i++)
        c->work(c->arg);
    return NULL;
}

static void together(void (*work)(void *arg), void *arg)
{
    crowd c = {.work = work, .arg = arg};
    pthread_t thread[THREADS];
    pthread_barrier_init(&c.start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        WANT(pthread_create(&thread[i], NULL, one_of_many, &c) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&c.start);
}

/* ---- what a kernel may ask when it runs ---- */

static OrtKernelInfo *kept;

static void add_one(void *arg, size_t i)
{
    (void)i;
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void ask_values(void *context)
{
    OrtKernelContext *c = context;
    const OrtValue *x, *again, *text;
    OrtValue *y, *z;
    const void *data;
    size_t n_in, n_out, size;
    OK(KernelContext_GetInputCount(c, &n_in));
    OK(KernelContext_GetOutputCount(c, &n_out));
    WANT(n_in == 2 && n_out == 2);
    OK(KernelContext_GetInput(c, 0, &x));
    OK(KernelContext_GetInput(c, 0, &again));
    OK(KernelContext_GetInput(c, 1, &text));
    OK(GetTensorData(x, &data));
    WANT(x == again && ((const float *)data)[2] == 3);
    OK(GetStringTensorDataLength(text, &size));
    WANT(size == 5);
    OK(KernelContext_GetOutput(c, 0, (int64_t[]){3}, 1, &y));
    OK(KernelContext_GetOutput(c, 1, (int64_t[]){1}, 1, &z));
    OK(GetTensorSizeInBytes(y, &size));
    WANT(size == 12 && z);
    FAILS(KernelContext_GetOutput(c, 0, (int64_t[]){4}, 1, &y), ORT_INVALID_ARGUMENT, "", "");
}

static void ask_services(void *context)
{
    OrtKernelContext *c = context;
    OrtMemoryInfo *memory;
    OrtAllocator *allocator;
    const OrtLogger *logger;
    OrtLoggingLevel level;
    void *block, *stream;
    atomic_int n = 0;
    OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
    OK(KernelContext_GetScratchBuffer(c, memory, 1000, &block));
    memset(block, 1, 1000);
    OK(KernelContext_GetAllocator(c, memory, &allocator));
    api->ReleaseMemoryInfo(memory);
    OK(AllocatorAlloc(allocator, 100, &block));
    OK(AllocatorFree(allocator, block));
    OK(KernelContext_GetLogger(c, &logger));
    OK(Logger_GetLoggingSeverityLevel(logger, &level));
    OK(Logger_LogMessage(logger, ORT_LOGGING_LEVEL_INFO, "not told", "here", 1, "f"));
    OK(KernelContext_GetGPUComputeStream(c, &stream));
    OK(KernelContext_ParallelFor(c, add_one, 10, 3, &n));
    WANT(n == 10);
}

/* Of the node: whether the kernel is being made, when constants may be asked for, or runs. */
static void ask_node(const OrtKernelInfo *info)
{
    char text[20];
    size_t size = sizeof text, n;
    int since;
    OrtTypeInfo *type;
    OrtKernelInfo *copy;
    OrtKeyValuePairs *pairs;
    OrtAllocator *allocator;
    const OrtLogger *logger;
    OK(KernelInfo_GetNodeName(info, text, &size));
    size = sizeof text;
    OK(KernelInfo_GetOperatorDomain(info, text, &size));
    size = sizeof text;
    OK(KernelInfo_GetOperatorType(info, text, &size));
    OK(KernelInfo_GetOperatorSinceVersion(info, &since));
    OK(KernelInfo_GetInputCount(info, &n));
    OK(KernelInfo_GetOutputCount(info, &n));
    size = sizeof text;
    OK(KernelInfo_GetInputName(info, 0, text, &size));
    size = sizeof text;
    OK(KernelInfo_GetOutputName(info, 0, text, &size));
    OK(KernelInfo_GetInputTypeInfo(info, 0, &type));
    api->ReleaseTypeInfo(type);
    OK(KernelInfo_GetOutputTypeInfo(info, 0, &type));
    api->ReleaseTypeInfo(type);
    OK(KernelInfo_GetLogger(info, &logger));
    OK(KernelInfoGetAllocator(info, OrtMemTypeDefault, &allocator));
    OK(KernelInfo_GetConfigEntries(info, &pairs));
    api->ReleaseKeyValuePairs(pairs);
    OK(CopyKernelInfo(info, &copy));
    api->ReleaseKernelInfo(copy);
}

static void ask_attributes(const OrtKernelInfo *info)
{
    char text[20], **texts;
    size_t size = sizeof text, n = 2;
    float f, fs[2];
    int64_t i, is[2];
    OrtAllocator *allocator;
    OK(KernelInfoGetAttribute_float(info, "f", &f));
    OK(KernelInfoGetAttribute_int64(info, "i", &i));
    OK(KernelInfoGetAttribute_string(info, "s", text, &size));
    OK(KernelInfoGetAttributeArray_float(info, "fs", fs, &n));
    n = 2;
    OK(KernelInfoGetAttributeArray_int64(info, "is", is, &n));
    WANT(f == 0.5f && i == 7 && strcmp(text, "word") == 0 && fs[1] == 2 && is[0] == 3);
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(KernelInfoGetAttributeArray_string(info, "ss", allocator, &texts, &n));
    WANT(n == 2 && strcmp(texts[1], "b") == 0);
    OK(AllocatorFree(allocator, texts[0]));
    OK(AllocatorFree(allocator, texts[1]));
    OK(AllocatorFree(allocator, texts));
}

static void ask_while_made(void *arg)
{
    const OrtKernelInfo *info = arg;
    const OrtValue *constant;
    OrtValue *t;
    int is_constant;
    const void *data;
    ask_node(info);
    ask_attributes(info);
    OK(KernelInfoGetConstantInput_tensor(info, 1, &is_constant, &constant));
    WANT(is_constant && constant);
    OK(KernelInfoGetAttribute_tensor(info, "t", NULL, &t));
    OK(GetTensorData(t, &data));
    WANT(((const float *)data)[1] == 9);
    api->ReleaseValue(t);
}

static void ask_while_running(void *context)
{
    ask_values(context);
    ask_services(context);
    ask_node(kept);
    ask_attributes(kept);
}

static OrtStatus *create_with_threads(const OrtCustomOp *op, const OrtApi *given,
                                      const OrtKernelInfo *info, void **kernel)
{
    OK(CopyKernelInfo(info, &kept));
    together(ask_while_made, kept);
    return create_counter(op, given, info, kernel);
}

static void ask_in_task(void *context, size_t i)
{
    (void)i;
    ask_while_running(context);
}

static OrtStatus *compute_with_threads(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    together(ask_while_running, c);
    OK(KernelContext_ParallelFor(c, ask_in_task, 16, 16, c));
    memcpy(output(c, 0, (int64_t[]){3}, 1), (float[]){4, 5, 6}, 12);
    *(float *)output(c, 1, (int64_t[]){1}, 1) = 7;
    return NULL;
}

START_TEST(a_kernel_asks_from_many_threads)
{
    own_op asks = {
        .name = "Ask", .in = {FLOAT, STRING}, .n_in = 2, .out = {FLOAT, FLOAT}, .n_out = 2};
    const OrtCustomOp *op = complete(&asks, create_with_threads, compute_with_threads);
    OrtSession *session = open_session(
        HEADER "g (float[N] x) => (float[N] y, float[1] z) <string[2] w = {\"ab\", \"cde\"}> {\n"
               "[node] y, z = me.Ask <f: float = 0.5, i: int = 7, s: string = \"word\","
               "fs: floats = [1.0, 2.0], is: ints = [3, 4], ss: strings = [\"a\", \"b\"],"
               "t: tensor = float[2] {8, 9}> (x, w) }",
        &op, 1);
    for (int run = 0; run < 3; run++)
        expect_floats(session, "y", (float[]){4, 5, 6}, 3);
    api->ReleaseSession(session);
    api->ReleaseKernelInfo(kept);
}
END_TEST

/* ---- what a program may share ---- */

static void share_list(void *list)
{
    OrtValue *item;
    size_t n;
    const void *data;
    OrtTensorTypeAndShapeInfo *shape;
    OrtTypeInfo *type;
    OK(GetValueCount(list, &n));
    OK(GetValue(list, 0, NULL, &item));
    OK(GetTensorData(item, &data));
    OK(GetTensorTypeAndShape(item, &shape));
    api->ReleaseTensorTypeAndShapeInfo(shape);
    OK(GetTypeInfo(list, &type));
    api->ReleaseTypeInfo(type);
    WANT(n == 2 && ((const float *)data)[1] == 2);
    api->ReleaseValue(item);
}

START_TEST(threads_share_a_list)
{
    float x[] = {1, 2};
    OrtValue *value = tensor(x, sizeof x, (int64_t[]){2}, 1, FLOAT), *list;
    const OrtValue *const items[] = {value, value};
    OK(CreateValue(items, 2, ONNX_TYPE_SEQUENCE, &list));
    api->ReleaseValue(value);
    together(share_list, list);
    api->ReleaseValue(list);
}
END_TEST

static void share_session(void *arg)
{
    OrtSession *session = arg;
    float x[] = {1, 2, 3};
    OrtValue *out;
    OrtModelMetadata *metadata;
    OrtTypeInfo *type;
    char *name;
    size_t n;
    OK(SessionGetInputCount(session, &n));
    OK(SessionGetOutputTypeInfo(session, 0, &type));
    api->ReleaseTypeInfo(type);
    OK(SessionGetInputName(session, 0, NULL, &name));
    OrtAllocator *allocator;
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(AllocatorFree(allocator, name));
    OK(SessionGetModelMetadata(session, &metadata));
    api->ReleaseModelMetadata(metadata);
    ok_at(try_run(session, x, 3, "y", &out), "the run", __LINE__);
    api->ReleaseValue(out);
}

START_TEST(threads_share_a_session)
{
    OrtSession *session;
    ok_at(try_session(HEADER "g (float[N] x) => (y) { y = Neg (x) }", NULL, &session),
          "the session", __LINE__);
    together(share_session, session);
    api->ReleaseSession(session);
}
END_TEST

/* ---- the environment ---- */

static atomic_int n_lines;

static void count_lines(void *param, OrtLoggingLevel level, const char *category, const char *id,
                        const char *place, const char *text)
{
    (void)param;
    (void)level;
    (void)category;
    (void)id;
    (void)place;
    (void)text;
    n_lines++;
}

static void share_environment(void *arg)
{
    OrtSession *session;
    OrtSessionOptions *options = arg;
    ok_at(try_session(HEADER "g (float[N] x) => (y) { y = Neg (x) }", options, &session),
          "the session", __LINE__);
    api->ReleaseSession(session);
    OK(UpdateEnvWithCustomLogLevel(env, ORT_LOGGING_LEVEL_INFO));
}

START_TEST(threads_share_an_environment)
{
    OrtEnv *quiet = env;
    OrtSessionOptions *options;
    OK(CreateEnvWithCustomLogger(count_lines, NULL, ORT_LOGGING_LEVEL_WARNING, "own", &env));
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, 1));
    OK(AddSessionConfigEntry(options, "nobody.knows", "1")); /* a line of the log */
    n_lines = 0;
    together(share_environment, options);
    WANT(n_lines >= THREADS * TIMES);
    api->ReleaseSessionOptions(options);
    api->ReleaseEnv(env);
    env = quiet;
}
END_TEST

SUITE("contention", the_library_opens, a_kernel_asks_from_many_threads, threads_share_a_list,
      threads_share_a_session, threads_share_an_environment, the_library_is_released)
