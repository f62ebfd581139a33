/* SPDX-License-Identifier: Apache-2.0
 *
 * test_c.c - the C interface by itself: the table by version, a run from end to end, and what each
 * mistake gives.
 */
#include <onnxruntime_c_api.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OrtApi *ort;
static const char *folder;
static int passed, failed;

static void count(int right, int line, const char *what)
{
    right ? passed++ : failed++;
    if (!right)
        printf("test_c.c:%d: %s\n", line, what);
}

#define CHECK(condition) count(condition, __LINE__, #condition)

/* Whether there is no error; its text is printed. */
static int done(OrtStatus *status)
{
    if (!status)
        return 1;
    printf("code %d: %s\n", ort->GetErrorCode(status), ort->GetErrorMessage(status));
    ort->ReleaseStatus(status);
    return 0;
}

/* Whether there is an error of this code, with a text that has the word. */
static int fails(OrtStatus *status, OrtErrorCode code, const char *word)
{
    if (!status)
        return 0;
    int right = ort->GetErrorCode(status) == code && strstr(ort->GetErrorMessage(status), word);
    if (!right)
        printf("code %d, expected %d with '%s': %s\n", ort->GetErrorCode(status), code, word,
               ort->GetErrorMessage(status));
    ort->ReleaseStatus(status);
    return right;
}

static const char *model(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.onnx", folder, name);
    return path;
}

static void test_versions(void)
{
    const OrtApiBase *base = OrtGetApiBase();
    CHECK(strncmp(base->GetVersionString(), "1.", 2) == 0);
    for (uint32_t version = 11; version <= ORT_API_VERSION; version++)
        CHECK(base->GetApi(version) != NULL);
    CHECK(base->GetApi(0) == NULL);
    CHECK(base->GetApi(9999) == NULL);
}

static void test_status(void)
{
    OrtStatus *status = ort->CreateStatus(ORT_EP_FAIL, "some text");
    CHECK(ort->GetErrorCode(status) == ORT_EP_FAIL);
    CHECK(strcmp(ort->GetErrorMessage(status), "some text") == 0);
    ort->ReleaseStatus(status);
    ort->ReleaseStatus(NULL);
}

/* Everything that has a release function takes NULL. */
static void test_release_of_nothing(void)
{
    ort->ReleaseEnv(NULL);
    ort->ReleaseSession(NULL);
    ort->ReleaseSessionOptions(NULL);
    ort->ReleaseRunOptions(NULL);
    ort->ReleaseValue(NULL);
    ort->ReleaseMemoryInfo(NULL);
    ort->ReleaseTypeInfo(NULL);
    ort->ReleaseTensorTypeAndShapeInfo(NULL);
    ort->ReleaseModelMetadata(NULL);
    ort->ReleaseIoBinding(NULL);
    ort->ReleaseCustomOpDomain(NULL);
    ort->ReleaseAllocator(NULL);
    ort->ReleaseThreadingOptions(NULL);
    ort->ReleaseArenaCfg(NULL);
}

static void test_names(OrtSession *session)
{
    OrtAllocator *allocator = NULL;
    CHECK(done(ort->GetAllocatorWithDefaultOptions(&allocator)));
    size_t inputs = 0, outputs = 0;
    CHECK(done(ort->SessionGetInputCount(session, &inputs)) && inputs == 1);
    CHECK(done(ort->SessionGetOutputCount(session, &outputs)) && outputs == 1);
    char *name = NULL;
    CHECK(done(ort->SessionGetInputName(session, 0, allocator, &name)) &&
          strcmp(name, "image") == 0);
    CHECK(done(ort->AllocatorFree(allocator, name)));
    CHECK(done(ort->SessionGetOutputName(session, 0, allocator, &name)) &&
          strcmp(name, "scores") == 0);
    CHECK(done(ort->AllocatorFree(allocator, name)));

    OrtTypeInfo *type = NULL;
    const OrtTensorTypeAndShapeInfo *info = NULL;
    const OrtMapTypeInfo *map = NULL;
    CHECK(done(ort->SessionGetInputTypeInfo(session, 0, &type)));
    CHECK(done(ort->CastTypeInfoToTensorInfo(type, &info)) && info);
    CHECK(done(ort->CastTypeInfoToMapTypeInfo(type, &map)) && !map);
    size_t rank = 0;
    int64_t dims[4] = {0};
    CHECK(done(ort->GetDimensionsCount(info, &rank)) && rank == 4);
    CHECK(done(ort->GetDimensions(info, dims, 4)) && dims[0] == 1 && dims[3] == 4);
    CHECK(done(ort->GetDimensions(info, dims, 2)) && dims[1] == 1); /* as many as asked for */
    ort->ReleaseTypeInfo(type);
}

static void test_run(OrtSession *session)
{
    float image[16] = {0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0};
    const int64_t shape[4] = {1, 1, 4, 4};
    const char *inputs[] = {"image"}, *outputs[] = {"scores"};
    OrtMemoryInfo *cpu = NULL;
    OrtValue *in = NULL, *out = NULL;
    CHECK(done(ort->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &cpu)));
    CHECK(done(ort->CreateTensorWithDataAsOrtValue(cpu, image, sizeof image, shape, 4,
                                                   ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &in)));
    int tensor = 0;
    CHECK(done(ort->IsTensor(in, &tensor)) && tensor);
    CHECK(done(ort->Run(session, NULL, inputs, (const OrtValue *const *)&in, 1, outputs, 1, &out)));
    float *scores = NULL;
    CHECK(done(ort->GetTensorMutableData(out, (void **)&scores)));
    CHECK(fabsf(scores[0] + scores[1] + scores[2] - 1) < 1e-6f);
    CHECK(scores[0] > scores[2] && scores[1] < scores[0]);

    float first[3];
    memcpy(first, scores, sizeof first);
    memset(scores, 0, sizeof first); /* an output that is given is written */
    CHECK(done(ort->Run(session, NULL, inputs, (const OrtValue *const *)&in, 1, outputs, 1, &out)));
    CHECK(memcmp(first, scores, sizeof first) == 0);

    OrtTensorTypeAndShapeInfo *info = NULL;
    size_t elements = 0;
    CHECK(done(ort->GetTensorTypeAndShape(out, &info)));
    CHECK(done(ort->GetTensorShapeElementCount(info, &elements)) && elements == 3);
    ort->ReleaseTensorTypeAndShapeInfo(info);
    ort->ReleaseValue(out);
    ort->ReleaseValue(in);
    ort->ReleaseMemoryInfo(cpu);
}

static void test_mistakes(OrtEnv *env, OrtSession *session)
{
    OrtSessionOptions *options = NULL;
    OrtSession *none = NULL;
    OrtMemoryInfo *cpu = NULL;
    OrtValue *value = NULL, *out = NULL;
    char data[8] = {0};
    const int64_t shape[1] = {3};
    const char *inputs[] = {"image"}, *outputs[] = {"scores"};
    CHECK(done(ort->CreateSessionOptions(&options)));
    CHECK(fails(ort->CreateSession(env, model("none"), options, &none), ORT_NO_SUCHFILE, "none"));
    CHECK(none == NULL);
    CHECK(fails(ort->CreateSessionFromArray(env, "no model", 8, options, &none),
                ORT_INVALID_PROTOBUF, ""));
    CHECK(done(ort->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &cpu)));
    CHECK(fails(ort->CreateTensorWithDataAsOrtValue(cpu, data, sizeof data, shape, 1,
                                                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value),
                ORT_INVALID_ARGUMENT, ""));
    CHECK(done(ort->CreateTensorWithDataAsOrtValue(cpu, data, sizeof data, shape, 1,
                                                   ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, &value)));
    CHECK(
        fails(ort->Run(session, NULL, inputs, (const OrtValue *const *)&value, 1, outputs, 1, &out),
              ORT_INVALID_ARGUMENT, "float"));
    CHECK(out == NULL);
    ort->ReleaseValue(value);
    ort->ReleaseMemoryInfo(cpu);
    ort->ReleaseSessionOptions(options);
}

static void test_session(void)
{
    OrtEnv *env = NULL;
    OrtSessionOptions *options = NULL;
    OrtSession *session = NULL;
    CHECK(done(ort->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "test_c", &env)));
    CHECK(done(ort->CreateSessionOptions(&options)));
    CHECK(done(ort->SetIntraOpNumThreads(options, 1)));
    CHECK(done(ort->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_BASIC)));
    CHECK(done(ort->CreateSession(env, model("digits"), options, &session)));
    ort->ReleaseSessionOptions(options); /* the session needs them no more */
    if (session) {
        test_names(session);
        test_run(session);
        test_mistakes(env, session);
    }
    ort->ReleaseSession(session);
    ort->ReleaseEnv(env);
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    ort = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    if (!ort)
        return 1;
    test_versions();
    test_status();
    test_release_of_nothing();
    test_session();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
