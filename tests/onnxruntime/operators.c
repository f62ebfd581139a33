/* SPDX-License-Identifier: Apache-2.0
 * operators.c - operators of the program: their types, versions and errors, and whose kernels run.
 */
#include "own_op.h"

#include <pthread.h>
#include <stdio.h>

/* ---- strings ---- */

/* y: the strings of x twice, in reverse order. */
static OrtStatus *compute_reverse(void *kernel, OrtKernelContext *c)
{
    const OrtValue *x;
    OrtValue *y;
    char text[10][20];
    const char *list[10];
    (void)kernel;
    OK(KernelContext_GetInput(c, 0, &x));
    const size_t n = count_of(x);
    for (size_t i = 0; i < n; i++) {
        size_t size;
        OK(GetStringTensorElementLength(x, i, &size));
        OK(GetStringTensorElement(x, size, i, text[i]));
        OK(GetStringTensorElement(x, size, i, text[i] + size));
        text[i][2 * size] = 0;
        list[n - 1 - i] = text[i];
    }
    OK(KernelContext_GetOutput(c, 0, (int64_t[]){(int64_t)n}, 1, &y));
    OK(FillStringTensor(y, list, n));
    return NULL;
}

static void expect_string(const OrtValue *v, size_t i, const char *expected)
{
    char text[100] = {0};
    size_t size;
    OK(GetStringTensorElementLength(v, i, &size));
    OK(GetStringTensorElement(v, size, i, text));
    ck_assert_str_eq(text, expected);
}

START_TEST(strings_are_read_and_made)
{
    own_op reverse = {.name = "Reverse", .in = {STRING}, .n_in = 1, .out = {STRING}, .n_out = 1};
    const OrtCustomOp *op = complete(&reverse, NULL, compute_reverse);
    OrtSession *session = open_session(
        HEADER "g (string[N] x) => (string[N] z) { y = me.Reverse (x) z = me.Reverse (y) }", &op,
        1);
    OrtAllocator *allocator;
    OrtValue *x, *first = NULL, *second = NULL;
    const char *in = "x", *out = "z";
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(CreateTensorAsOrtValue(allocator, (int64_t[]){3}, 1, STRING, &x));
    OK(FillStringTensor(x, (const char *[]){"a", "", "bc"}, 3));
    OK(Run(session, NULL, &in, (const OrtValue *const *)&x, 1, &out, 1, &first));
    OK(FillStringTensor(x, (const char *[]){"d", "e", "f"}, 3));
    OK(Run(session, NULL, &in, (const OrtValue *const *)&x, 1, &out, 1, &second));
    expect_string(first, 0, "aaaa");
    expect_string(first, 1, "");
    expect_string(first, 2, "bcbcbcbc");
    expect_string(second, 2, "ffff");
    api->ReleaseValue(x);
    api->ReleaseValue(first);
    api->ReleaseValue(second);
    api->ReleaseSession(session);
}
END_TEST

/* ---- ports of any type, and of several ---- */

static size_t element_size(ONNXTensorElementDataType type)
{
    return type == DOUBLE || type == INT64 ? 8 : 4;
}

/* y = x, of any type */
static OrtStatus *compute_copy(void *kernel, OrtKernelContext *c)
{
    const OrtValue *x;
    OrtTensorTypeAndShapeInfo *info;
    ONNXTensorElementDataType type;
    int64_t dim[4];
    size_t rank, n;
    (void)kernel;
    const void *from = input(c, 0, dim, &rank, &n);
    void *to = output(c, 0, dim, rank);
    OK(KernelContext_GetInput(c, 0, &x));
    OK(GetTensorTypeAndShape(x, &info));
    OK(GetTensorElementType(info, &type));
    api->ReleaseTensorTypeAndShapeInfo(info);
    memcpy(to, from, n * element_size(type));
    return NULL;
}

/* The number of inputs, and of the bytes in all of them. */
static OrtStatus *compute_count(void *kernel, OrtKernelContext *c)
{
    size_t n_in, total = 0;
    (void)kernel;
    OK(KernelContext_GetInputCount(c, &n_in));
    for (size_t i = 0; i < n_in; i++) {
        int64_t dim[4];
        size_t rank, n;
        WANT(input(c, i, dim, &rank, &n));
        total += n;
    }
    float *y = output(c, 0, (int64_t[]){2}, 1);
    y[0] = (float)n_in;
    y[1] = (float)total;
    return NULL;
}

START_TEST(ports_of_any_type_take_several)
{
    own_op copy = {.name = "Copy", .n_in = 1, .n_out = 1};
    own_op count = {.name = "Count",
                    .in_kind = {INPUT_OUTPUT_VARIADIC},
                    .n_in = 1,
                    .out = {FLOAT},
                    .n_out = 1,
                    .mixed = true,
                    .least = 1};
    const OrtCustomOp *op[] = {complete(&copy, NULL, compute_copy),
                               complete(&count, NULL, compute_count)};
    OrtSession *session = open_session(HEADER "g (float[N] x) => (float[N] y, float[2] n) {\n"
                                              "  a = Cast <to: int = 11> (x)\n"
                                              "  b = me.Copy (a)\n"
                                              "  c = Cast <to: int = 1> (b)\n"
                                              "  y = me.Copy (c)\n"
                                              "  n = me.Count (x, a, b, c) }",
                                       op, 2);
    expect_floats(session, "y", (float[]){1, 2, 3}, 3);
    expect_floats(session, "n", (float[]){4, 12}, 2);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(tensors_without_elements_pass)
{
    own_op plus = {.name = "Plus", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, NULL, compute_plus);
    OrtSession *session = open_session(
        HEADER "g (float[N] x) => (float[N] y) { a = me.Plus (x) y = me.Plus (a) }", &op, 1);
    OrtValue *out;
    float x;
    ok_at(try_run(session, &x, 0, "y", &out), "the run", __LINE__);
    ck_assert_uint_eq(count_of(out), 0);
    api->ReleaseValue(out);
    api->ReleaseSession(session);
}
END_TEST

/* y = x, whose elements take half a byte */
static OrtStatus *compute_packed(void *kernel, OrtKernelContext *c)
{
    int64_t dim[4];
    size_t rank, n;
    (void)kernel;
    const uint8_t *x = input(c, 0, dim, &rank, &n);
    uint8_t *y = output(c, 0, dim, rank);
    WANT(n == 3 && x[0] == 0xe1 && (x[1] & 15) == 3);
    memcpy(y, x, 2);
    return NULL;
}

START_TEST(elements_of_half_a_byte_are_packed)
{
    own_op copy = {.name = "Packed", .in = {INT4}, .n_in = 1, .out = {INT4}, .n_out = 1};
    const OrtCustomOp *op = complete(&copy, NULL, compute_packed);
    OrtSession *session =
        open_session("<ir_version: 10, opset_import: [\"\" : 21, \"me\" : 1]>\n"
                     "g (float[N] x) => (float[N] y) <float[3] s = {1, -1, 1}> {\n"
                     "  t = Mul (x, s)\n"
                     "  a = Cast <to: int = 22> (t)\n"
                     "  b = me.Packed (a)\n"
                     "  y = Cast <to: int = 1> (b) }",
                     &op, 1);
    expect_floats(session, "y", (float[]){1, -2, 3}, 3);
    api->ReleaseSession(session);
}
END_TEST

static OrtStatus *compute_one(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    *(float *)output(c, 0, (int64_t[]){1}, 1) = 1;
    return NULL;
}

static OrtStatus *compute_two(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    *(float *)output(c, 0, (int64_t[]){1}, 1) = 2;
    return NULL;
}

START_TEST(types_of_inputs_choose_the_operator)
{
    own_op copy = {.name = "Copy", .n_in = 1, .n_out = 1};
    own_op one = {.name = "Which", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    own_op two = {.name = "Which", .in = {DOUBLE}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op[] = {complete(&copy, NULL, compute_copy),
                               complete(&one, NULL, compute_one),
                               complete(&two, NULL, compute_two)};
    OrtSession *session = open_session(HEADER "g (float[N] x) => (float[1] y, float[1] z) {\n"
                                              "  y = me.Which (x)\n"
                                              "  a = Cast <to: int = 11> (x)\n"
                                              "  b = me.Copy (a)\n"
                                              "  z = me.Which (b) }",
                                       op, 3);
    expect_floats(session, "y", (float[]){1}, 1);
    expect_floats(session, "z", (float[]){2}, 1);
    api->ReleaseSession(session);
    fails_at(
        try_open(HEADER "g (int32[N] x) => (float[1] y) { [n] y = me.Which (x) }", op, 3, &session),
        ORT_INVALID_GRAPH, "Which", "n", __LINE__);
}
END_TEST

#define BRANCHES                                                                                   \
    "<then_branch: graph = t () => (float[1] v) <float[N] d> {\n"                                  \
    "  a = Cast <to: int = 1> (x) d = me.Copy (a) v = me.Which (d) },\n"                           \
    "else_branch: graph = e () => (float[1] v) <double[N] d> {\n"                                  \
    "  a = Cast <to: int = 11> (x) d = me.Copy (a) v = me.Which (d) }>\n"

START_TEST(graphs_within_may_have_values_of_one_name)
{
    own_op copy = {.name = "Copy", .n_in = 1, .n_out = 1};
    own_op one = {.name = "Which", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    own_op two = {.name = "Which", .in = {DOUBLE}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op[] = {complete(&copy, NULL, compute_copy),
                               complete(&one, NULL, compute_one),
                               complete(&two, NULL, compute_two)};
    OrtSession *session = open_session(
        HEADER "g (float[N] x) => (float[1] y, float[1] z) {\n"
               "s = ReduceSum <keepdims: int = 0> (x) b = Cast <to: int = 9> (s) c = Not (b)\n"
               "y = If (b) " BRANCHES "z = If (c) " BRANCHES "}",
        op, 3);
    expect_floats(session, "y", (float[]){1}, 1);
    expect_floats(session, "z", (float[]){2}, 1);
    api->ReleaseSession(session);
}
END_TEST

/* ---- kernels and nodes ---- */

/* y: how often this kernel has run. */
static OrtStatus *compute_times(void *kernel, OrtKernelContext *c)
{
    atomic_int *times = kernel;
    *(float *)output(c, 0, (int64_t[]){1}, 1) = (float)++*times;
    return NULL;
}

START_TEST(each_node_has_a_kernel)
{
    own_op times = {.name = "Times", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&times, NULL, compute_times);
    n_made = n_destroyed = 0;
    OrtSession *session =
        open_session("<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1, \"f\" : 1]>\n"
                     "g (float[N] x) => (float[1] y, float[1] z, float[1] u) {\n"
                     "  y = me.Times (x)\n"
                     "  z = f.F (y)\n"
                     "  s = ReduceSum <keepdims: int = 0> (x)\n"
                     "  b = Cast <to: int = 9> (s)\n"
                     "  u = If (b) <\n"
                     "    then_branch: graph = t () => (float[1] v) { v = me.Times (y) },\n"
                     "    else_branch: graph = e () => (float[1] v) { v = me.Times (x) }> }\n"
                     "<domain: \"f\", opset_import: [\"\" : 13, \"me\" : 1]>\n"
                     "F (a) => (c) { b = me.Times (a) d = me.Times (b) c = Add (b, d) }",
                     &op, 1);
    ck_assert_int_eq(n_made, 5);
    expect_floats(session, "y", (float[]){1}, 1);
    expect_floats(session, "z", (float[]){4}, 1);
    expect_floats(session, "u", (float[]){3}, 1);
    api->ReleaseSession(session);
    ck_assert_int_eq(n_destroyed, 5);
}
END_TEST

typedef struct runs {
    OrtSession *session;
    pthread_t thread;
} runs;

static void *run_often(void *arg)
{
    const runs *r = arg;
    for (int i = 0; i < 50; i++)
        expect_floats(r->session, "y", (float[]){3, 4, 5}, 3);
    return NULL;
}

START_TEST(threads_share_kernels)
{
    own_op plus = {.name = "Plus", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, NULL, compute_plus);
    n_made = 0;
    OrtSession *session = open_session(
        HEADER "g (float[N] x) => (float[N] y) { a = me.Plus (x) y = me.Plus (a) }", &op, 1);
    runs r[4];
    for (int i = 0; i < 4; i++) {
        r[i].session = session;
        ck_assert_int_eq(pthread_create(&r[i].thread, NULL, run_often, &r[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(r[i].thread, NULL);
    ck_assert_int_eq(n_made, 2);
    api->ReleaseSession(session);
}
END_TEST

/* ---- operators written for older versions ---- */

static void *create_old(const OrtCustomOp *op, const OrtApi *given, const OrtKernelInfo *info)
{
    void *kernel = NULL;
    ok_at(create_counter(op, given, info, &kernel), "create", __LINE__);
    return kernel;
}

static void compute_old(void *kernel, OrtKernelContext *c)
{
    compute_plus(kernel, c);
}

START_TEST(an_old_operator_has_fewer_functions)
{
    own_op plus = {.name = "Plus", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    complete(&plus, NULL, NULL);
    plus.base.version = 10;
    plus.base.CreateKernel = create_old;
    plus.base.KernelCompute = compute_old;
    /* What follows is not the operator's: nobody may call it. */
    const size_t from = offsetof(OrtCustomOp, GetInputMemoryType);
    memset((char *)&plus.base + from, 0x55, sizeof plus.base - from);
    const OrtCustomOp *op = &plus.base;
    OrtSession *session =
        open_session(HEADER "g (float[N] x) => (float[N] y) { y = me.Plus (x) }", &op, 1);
    expect_floats(session, "y", (float[]){2, 3, 4}, 3);
    api->ReleaseSession(session);
}
END_TEST

/* ---- what fails ---- */

static OrtStatus *create_never(const OrtCustomOp *op, const OrtApi *given,
                               const OrtKernelInfo *info, void **kernel)
{
    (void)op;
    (void)info;
    (void)kernel;
    return given->CreateStatus(ORT_FAIL, "no kernel today");
}

static OrtStatus *compute_never(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    (void)c;
    return api->CreateStatus(ORT_FAIL, "no result today");
}

static OrtStatus *compute_nothing(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    (void)c;
    return NULL;
}

static OrtStatus *compute_wrongly(void *kernel, OrtKernelContext *c)
{
    const OrtValue *x;
    OrtValue *y;
    (void)kernel;
    FAILS(KernelContext_GetInput(c, 1, &x), ORT_INVALID_ARGUMENT, "", "");
    FAILS(KernelContext_GetOutput(c, 1, NULL, 0, &y), ORT_INVALID_ARGUMENT, "", "");
    return api->KernelContext_GetOutput(c, 0, (int64_t[]){-1}, 1, &y);
}

#define NODE HEADER "g (float[N] x) => (float[N] y) { [name_of_node] y = me.Op (x) }"

START_TEST(errors_of_kernels_are_those_of_the_session)
{
    own_op wrong = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&wrong, create_never, compute_plus);
    OrtSession *session;
    OrtValue *out;
    float x[] = {1};
    fails_at(try_open(NODE, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no kernel today", "",
             __LINE__);
    static const struct {
        compute_function *compute;
        const char *text;
    } cases[] = {{compute_never, "no result today"},
                 {compute_nothing, "has not made output 0"},
                 {compute_wrongly, "-1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        complete(&wrong, NULL, cases[i].compute);
        session = open_session(NODE, &op, 1);
        fails_at(try_run(session, x, 1, "y", &out), i < 2 ? ORT_FAIL : ORT_OK, cases[i].text,
                 "name_of_node", __LINE__);
        api->ReleaseSession(session);
    }
}
END_TEST

START_TEST(an_operator_that_serves_no_node_is_not_taken)
{
    own_op plus = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, NULL, compute_plus);
    OrtSession *session;
    plus.provider = "CUDAExecutionProvider";
    fails_at(try_open(NODE, &op, 1, &session), ORT_OK, "Op", "", __LINE__);
    plus.provider = "CPUExecutionProvider";
    plus.start = 2;
    fails_at(try_open(NODE, &op, 1, &session), ORT_OK, "Op", "", __LINE__);
    plus.start = 1;
    session = open_session(NODE, &op, 1);
    api->ReleaseSession(session);
    ok_at(try_open("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                   "g (float[N] x) => (float[N] y) { y = Neg (x) }",
                   &op, 1, &session),
          "a model without such nodes", __LINE__);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(an_operator_replaces_an_older_one_of_onnx)
{
    own_op plus = {.name = "Neg", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, NULL, compute_plus);
    static const struct {
        const char *domain;
        int start;
        float first; /* of y */
    } cases[] = {{"", 1, 1}, {"", 13, 2}, {"ai.onnx", 6, 1}, {"ai.onnx", 13, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float y = cases[i].first;
        OrtSession *session;
        plus.start = cases[i].start;
        ok_at(try_domain(cases[i].domain,
                         "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                         "g (float[N] x) => (float[N] y) { a = Neg (x) y = Abs (a) }",
                         &op, 1, &session),
              "the session", __LINE__);
        expect_floats(session, "y", (float[]){y, y + 1, y + 2}, 3);
        api->ReleaseSession(session);
    }
}
END_TEST

START_TEST(names_have_any_characters)
{
    own_op plus = {.name = "1st-op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&plus, NULL, compute_plus);
    OrtSession *session;
    ok_at(try_domain("my-domain",
                     "<ir_version: 8, opset_import: [\"\" : 13, \"my-domain\" : 1]>\n"
                     "g (float[N] x) => (float[N] y) { y = \"my-domain\".\"1st-op\" (x) }",
                     &op, 1, &session),
          "the session", __LINE__);
    expect_floats(session, "y", (float[]){2, 3, 4}, 3);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(versions_of_an_operator_serve_their_opsets)
{
    own_op one = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1, .end = 2};
    own_op two = {
        .name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1, .start = 3, .end = 4};
    const OrtCustomOp *op[] = {complete(&one, NULL, compute_one),
                               complete(&two, NULL, compute_two)};
    for (int version = 1; version <= 5; version++) {
        char text[200];
        OrtSession *session;
        snprintf(text, sizeof text,
                 "<ir_version: 8, opset_import: [\"\" : 13, \"me\" : %d]>\n"
                 "g (float[N] x) => (float[1] y) { y = me.Op (x) }",
                 version);
        OrtStatus *status = try_open(text, op, 2, &session);
        ok_at(status, "the session", __LINE__);
        expect_floats(session, "y", (float[]){version < 3 ? 1 : 2}, 1);
        api->ReleaseSession(session);
    }
}
END_TEST

SUITE("operators", the_library_opens, strings_are_read_and_made, ports_of_any_type_take_several,
      tensors_without_elements_pass, elements_of_half_a_byte_are_packed,
      an_operator_replaces_an_older_one_of_onnx, names_have_any_characters,
      types_of_inputs_choose_the_operator, graphs_within_may_have_values_of_one_name,
      each_node_has_a_kernel, threads_share_kernels, an_old_operator_has_fewer_functions,
      errors_of_kernels_are_those_of_the_session, an_operator_that_serves_no_node_is_not_taken,
      versions_of_an_operator_serve_their_opsets, the_library_is_released)
