/* SPDX-License-Identifier: Apache-2.0
 * kernels.c - what kernels of the program's operators may ask, when they are made and when they
 * run. */
#include "own_op.h"

/* ---- what a kernel is told when it is made ---- */

static OrtKernelInfo *kept_info;

static void want_text(OrtStatus *(*get)(const OrtKernelInfo *, char *, size_t *),
                      const OrtKernelInfo *info, const char *expected)
{
    char text[100];
    size_t size = 0;
    ok_at(get(info, NULL, &size), expected, __LINE__);
    WANT(size == strlen(expected) + 1);
    size--;
    fails_at(get(info, text, &size), ORT_INVALID_ARGUMENT, "", "", __LINE__);
    WANT(size == strlen(expected) + 1);
    size = sizeof text;
    ok_at(get(info, text, &size), expected, __LINE__);
    WANT(strcmp(text, expected) == 0 && size == strlen(expected) + 1);
}

static OrtStatus *get_in_name(const OrtKernelInfo *info, char *text, size_t *size)
{
    return api->KernelInfo_GetInputName(info, 1, text, size);
}

static OrtStatus *get_out_name(const OrtKernelInfo *info, char *text, size_t *size)
{
    return api->KernelInfo_GetOutputName(info, 0, text, size);
}

static OrtStatus *get_word(const OrtKernelInfo *info, char *text, size_t *size)
{
    return api->KernelInfoGetAttribute_string(info, "s", text, size);
}

static void want_type(OrtTypeInfo *type, ONNXTensorElementDataType element, const int64_t *dim,
                      size_t n)
{
    const OrtTensorTypeAndShapeInfo *info;
    ONNXTensorElementDataType found;
    int64_t found_dim[4];
    size_t rank;
    OK(CastTypeInfoToTensorInfo(type, &info));
    OK(GetTensorElementType(info, &found));
    OK(GetDimensionsCount(info, &rank));
    WANT(found == element && rank == n);
    OK(GetDimensions(info, found_dim, n));
    WANT(!n || memcmp(dim, found_dim, n * sizeof *dim) == 0);
    api->ReleaseTypeInfo(type);
}

static void ask_numbers(const OrtKernelInfo *info)
{
    float f = 0, fs[2];
    int64_t i = 0, is[3];
    size_t n = 0;
    OK(KernelInfoGetAttribute_float(info, "f", &f));
    OK(KernelInfoGetAttribute_int64(info, "i", &i));
    WANT(f == 0.5f && i == -7);
    OK(KernelInfoGetAttributeArray_float(info, "fs", NULL, &n));
    WANT(n == 2);
    n = 1;
    FAILS(KernelInfoGetAttributeArray_float(info, "fs", fs, &n), ORT_INVALID_ARGUMENT, "", "");
    WANT(n == 2);
    OK(KernelInfoGetAttributeArray_float(info, "fs", fs, &n));
    WANT(fs[0] == 1 && fs[1] == 2.5f);
    n = 3;
    OK(KernelInfoGetAttributeArray_int64(info, "is", is, &n));
    WANT(n == 3 && is[0] == 3 && is[1] == 4 && is[2] == 5);
    FAILS(KernelInfoGetAttribute_float(info, "none", &f), ORT_FAIL, "none", "");
    FAILS(KernelInfoGetAttribute_float(info, "i", &f), ORT_FAIL, "", "");
}

static void ask_others(const OrtKernelInfo *info)
{
    OrtAllocator *allocator;
    OrtValue *t;
    float *element;
    char **list;
    size_t n = 0;
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(KernelInfoGetAttribute_tensor(info, "t", allocator, &t));
    OK(GetTensorMutableData(t, (void **)&element));
    WANT(count_of(t) == 2 && element[0] == 8 && element[1] == 9);
    api->ReleaseValue(t);
    FAILS(KernelInfoGetAttribute_tensor(info, "none", allocator, &t), ORT_FAIL, "none", "");
    /* The newest of what is asked here; an older library has it not. */
    OK(KernelInfoGetAttributeArray_string(info, "ss", allocator, NULL, &n));
    WANT(n == 2);
    OK(KernelInfoGetAttributeArray_string(info, "ss", allocator, &list, &n));
    WANT(n == 2 && strcmp(list[0], "a") == 0 && strcmp(list[1], "bcd") == 0);
    allocator->Free(allocator, list[0]);
    allocator->Free(allocator, list[1]);
    allocator->Free(allocator, list);
}

static void ask_operands(const OrtKernelInfo *info)
{
    OrtTypeInfo *type;
    const OrtValue *value;
    void *data;
    size_t n_in, n_out;
    int is_constant;
    OK(KernelInfo_GetInputCount(info, &n_in));
    OK(KernelInfo_GetOutputCount(info, &n_out));
    WANT(n_in == 2 && n_out == 1);
    OK(KernelInfo_GetInputTypeInfo(info, 0, &type));
    want_type(type, FLOAT, (int64_t[]){-1}, 1);
    OK(KernelInfo_GetInputTypeInfo(info, 1, &type));
    want_type(type, FLOAT, (int64_t[]){2}, 1);
    OK(KernelInfo_GetOutputTypeInfo(info, 0, &type));
    want_type(type, FLOAT, (int64_t[]){-1}, 1);
    FAILS(KernelInfo_GetInputTypeInfo(info, 2, &type), ORT_INVALID_ARGUMENT, "", "");
    FAILS(KernelInfo_GetOutputName(info, 1, NULL, &n_in), ORT_INVALID_ARGUMENT, "", "");
    OK(KernelInfoGetConstantInput_tensor(info, 0, &is_constant, &value));
    WANT(!is_constant);
    OK(KernelInfoGetConstantInput_tensor(info, 1, &is_constant, &value));
    WANT(is_constant);
    OK(GetTensorMutableData((OrtValue *)(uintptr_t)value, &data));
    WANT(((float *)data)[0] == 5 && ((float *)data)[1] == 6);
}

static void ask_session(const OrtKernelInfo *info)
{
    const OrtLogger *logger;
    OrtLoggingLevel level;
    OrtAllocator *allocator;
    OrtKeyValuePairs *pairs;
    OK(KernelInfo_GetLogger(info, &logger));
    OK(Logger_GetLoggingSeverityLevel(logger, &level));
    WANT(level == ORT_LOGGING_LEVEL_ERROR);
    OK(KernelInfoGetAllocator(info, OrtMemTypeDefault, &allocator));
    void *block = allocator->Alloc(allocator, 10);
    WANT(block);
    allocator->Free(allocator, block);
    api->ReleaseAllocator(allocator);
    OK(KernelInfo_GetConfigEntries(info, &pairs));
    WANT(strcmp(api->GetKeyValue(pairs, "me.key"), "value") == 0);
    api->ReleaseKeyValuePairs(pairs);
}

static OrtStatus *create_asking(const OrtCustomOp *op, const OrtApi *given,
                                const OrtKernelInfo *info, void **kernel)
{
    int since;
    want_text(api->KernelInfo_GetNodeName, info, "first");
    want_text(api->KernelInfo_GetOperatorType, info, "Ask");
    want_text(api->KernelInfo_GetOperatorDomain, info, "me");
    want_text(get_in_name, info, "w");
    want_text(get_out_name, info, "y");
    want_text(get_word, info, "word");
    OK(KernelInfo_GetOperatorSinceVersion(info, &since));
    WANT(since == 1);
    ask_numbers(info);
    ask_others(info);
    ask_operands(info);
    ask_session(info);
    OK(CopyKernelInfo(info, &kept_info));
    return create_counter(op, given, info, kernel);
}

START_TEST(a_kernel_learns_of_its_node)
{
    own_op ask = {.name = "Ask", .in = {FLOAT, FLOAT}, .n_in = 2, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&ask, create_asking, compute_plus);
    n_made = n_destroyed = 0;
    OrtSession *session = open_session(
        HEADER "g (float[N] x) => (float[M] y) <float[2] w = {5, 6}> {\n"
               "[first] y = me.Ask <f: float = 0.5, i: int = -7, s: string = \"word\","
               "fs: floats = [1.0, 2.5], is: ints = [3, 4, 5], ss: strings = [\"a\", \"bcd\"],"
               "t: tensor = float[2] {8, 9}> (x, w) }",
        &op, 1);
    ck_assert_int_eq(n_made, 1);
    expect_floats(session, "y", (float[]){2, 3, 4}, 3);
    expect_floats(session, "y", (float[]){2, 3, 4}, 3);
    ck_assert_int_eq(n_made, 1);
    ck_assert_int_eq(n_destroyed, 0);
    want_text(get_word, kept_info, "word"); /* in a copy */
    api->ReleaseSession(session);
    ck_assert_int_eq(n_destroyed, 1);
    api->ReleaseKernelInfo(kept_info);
}
END_TEST

/* ---- what a kernel may ask when it runs ---- */

static void square(void *arg, size_t i)
{
    float *y = arg;
    y[i] *= y[i];
}

static void ask_memory(OrtKernelContext *c)
{
    OrtMemoryInfo *memory;
    OrtAllocator *allocator;
    const OrtLogger *logger;
    void *block, *stream = &block;
    OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
    OK(KernelContext_GetAllocator(c, memory, &allocator));
    block = allocator->Alloc(allocator, 64);
    WANT(block);
    allocator->Free(allocator, block);
    api->ReleaseAllocator(allocator);
    OK(KernelContext_GetScratchBuffer(c, memory, 100, &block));
    memset(block, 1, 100);
    api->ReleaseMemoryInfo(memory);
    OK(KernelContext_GetGPUComputeStream(c, &stream));
    WANT(!stream);
    OK(KernelContext_GetLogger(c, &logger));
    OK(Logger_LogMessage(logger, ORT_LOGGING_LEVEL_INFO, "not told", "here", 1, "f"));
}

/* y = x * x by threads; z, if the node has it: the number of elements. The second input and output
 * are missing. */
static OrtStatus *compute_all(void *kernel, OrtKernelContext *c)
{
    int64_t dim[4];
    size_t rank, n, n_in, n_out;
    OrtValue *z, *again;
    (void)kernel;
    const float *x = input(c, 0, dim, &rank, &n);
    WANT(!input(c, 1, dim, &rank, &n));
    float *y = output(c, 0, dim, rank);
    OK(KernelContext_GetInputCount(c, &n_in));
    OK(KernelContext_GetOutputCount(c, &n_out));
    WANT(n_in == 3 && n_out >= 1);
    const int64_t *k = input(c, 2, dim, &rank, &n);
    WANT(*k == 4);
    ask_memory(c);
    x = input(c, 0, dim, &rank, &n);
    memcpy(y, x, n * sizeof *y);
    OK(KernelContext_ParallelFor(c, square, n, 2, y));
    OK(KernelContext_ParallelFor(c, square, 0, 0, NULL));
    if (n_out < 3)
        return NULL;
    OK(KernelContext_GetOutput(c, 1, NULL, 0, &z));
    WANT(!z);
    OK(KernelContext_GetOutput(c, 2, NULL, 0, &z));
    OK(KernelContext_GetOutput(c, 2, NULL, 0, &again));
    WANT(z && z == again);
    int64_t *count;
    OK(GetTensorMutableData(z, (void **)&count));
    *count = (int64_t)n;
    return NULL;
}

START_TEST(a_kernel_asks_while_it_runs)
{
    own_op all = {.name = "All",
                  .in = {FLOAT, FLOAT, INT64},
                  .in_kind = {0, INPUT_OUTPUT_OPTIONAL},
                  .n_in = 3,
                  .out = {FLOAT, FLOAT, INT64},
                  .out_kind = {0, INPUT_OUTPUT_OPTIONAL, INPUT_OUTPUT_OPTIONAL},
                  .n_out = 3};
    const OrtCustomOp *op = complete(&all, NULL, compute_all);
    OrtSession *session =
        open_session(HEADER "g (float[N] x) => (float[N] y, int64 z, float[N] u)\n"
                            "<int64 k = {4}> {\n"
                            "  y, , z = me.All (x, , k)\n"
                            "  u = me.All (x, , k) }",
                     &op, 1);
    float x[300];
    OrtValue *out;
    for (int i = 0; i < 300; i++)
        x[i] = (float)i;
    ok_at(try_run(session, x, 300, "y", &out), "the run", __LINE__);
    OK(GetTensorMutableData(out, (void **)&(float *){NULL}));
    api->ReleaseValue(out);
    ok_at(try_run(session, x, 300, "u", &out), "the run", __LINE__);
    float *u;
    OK(GetTensorMutableData(out, (void **)&u));
    for (int i = 0; i < 300; i++)
        suite_assert(u[i] == (float)(i * i), "u[%d] is %g", i, (double)u[i]);
    api->ReleaseValue(out);
    ok_at(try_run(session, x, 300, "z", &out), "the run", __LINE__);
    int64_t *z;
    OK(GetTensorMutableData(out, (void **)&z));
    ck_assert_int_eq(*z, 300);
    api->ReleaseValue(out);
    api->ReleaseSession(session);
}
END_TEST

/* ---- functions of the model ---- */

static OrtStatus *create_in_function(const OrtCustomOp *op, const OrtApi *given,
                                     const OrtKernelInfo *info, void **kernel)
{
    int64_t k;
    OK(KernelInfoGetAttribute_int64(info, "k", &k));
    WANT(k == 3);
    return create_counter(op, given, info, kernel);
}

START_TEST(a_function_of_the_model_gives_attributes)
{
    own_op plus = {.name = "Plus", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, create_in_function, compute_plus);
    OrtSession *session =
        open_session("<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1, \"f\" : 1]>\n"
                     "g (float[N] x) => (float[N] y) { y = f.F <n: int = 3> (x) }\n"
                     "<domain: \"f\", opset_import: [\"\" : 13, \"me\" : 1]>\n"
                     "F <n> (a) => (c) { b = me.Plus <k: int = @n> (a) c = Neg (b) }",
                     &op, 1);
    expect_floats(session, "y", (float[]){-2, -3, -4}, 3);
    api->ReleaseSession(session);
}
END_TEST

SUITE("kernels", the_library_opens, a_kernel_learns_of_its_node, a_kernel_asks_while_it_runs,
      a_function_of_the_model_gives_attributes, the_library_is_released)
