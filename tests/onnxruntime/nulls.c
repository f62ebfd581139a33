/* SPDX-License-Identifier: Apache-2.0
 * nulls.c - calls each function with good arguments, and with NULL in place of each, in a process
 * of its own, and prints what it gave: nulls.py writes the calls and reads what is printed. */
#define _POSIX_C_SOURCE 200809L

#include "own_op.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define MODEL                                                                                      \
    "<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1], metadata_props: [\"k\" : \"v\"]>\n"    \
    "g (float[4] x, float[4] v = {5, 6, 7, 8}) => (float[4] y) <float[4] w = {1, 2, 3, 4}> "

/* ---- good arguments ---- */

static OrtSession *session;
static OrtSessionOptions *options;
static OrtAllocator *allocator;
static OrtValue *value, *text, *list, *map;
static OrtMemoryInfo *memory;
static OrtRunOptions *run_options;
static OrtModelMetadata *metadata;
static OrtTypeInfo *type;
static OrtTensorTypeAndShapeInfo *shape;
static OrtIoBinding *binding;
static OrtThreadingOptions *threading;
static OrtKeyValuePairs *pairs;
static OrtCustomOpDomain *domain;
static OrtStatus *status;
static OrtPrepackedWeightsContainer *weights;
static OrtArenaCfg *arena;
static const OrtMapTypeInfo *map_type;
static const OrtSequenceTypeInfo *sequence_type;
static const OrtLogger *logger;
static const OrtKernelInfo *info;
static OrtKernelContext *context;
static const OrtEpDevice *ep_device;
static const OrtHardwareDevice *hardware;
static OrtEnvCreationOptions creation;
static own_op own = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
static bytes model;
static void *block;
static char **providers;
static char path[] = "/tmp/ocellus-nulls-XXXXXX";
static float four[4] = {1, 2, 3, 4};
static char room[512], out[16][512], *buffers[] = {room, room};
static int64_t dims[] = {4, 1}, zeros[] = {0, 0};
static size_t sizes[] = {16, 16}, a_size[] = {64};
static const char *const names[] = {"x", "y"}, *const outputs[] = {"y"};
static const OrtValue *values[1];
static OrtValue *made[1];

static void take_line(void *param, OrtLoggingLevel level, const char *category, const char *id,
                      const char *place, const char *line)
{
    (void)param, (void)level, (void)category, (void)id, (void)place, (void)line;
}

static void take_outputs(void *user, OrtValue **given, size_t n, OrtStatus *error)
{
    (void)user, (void)given, (void)n;
    api->ReleaseStatus(error);
}

static void take_task(void *user, size_t i)
{
    (void)user, (void)i;
}

static void make_values(void)
{
    int64_t one = 1, keys[] = {5};
    OrtTypeInfo *of;
    value = tensor(four, 16, dims, 1, FLOAT);
    values[0] = value;
    OK(CreateTensorAsOrtValue(allocator, &one, 1, STRING, &text));
    OK(FillStringTensorElement(text, "a", 0));
    OK(CreateValue(values, 1, ONNX_TYPE_SEQUENCE, &list));
    const OrtValue *const both[] = {tensor(keys, 8, &one, 1, INT64),
                                    tensor(four, 4, &one, 1, FLOAT)};
    OK(CreateValue(both, 2, ONNX_TYPE_MAP, &map));
    OK(GetTypeInfo(list, &of));
    OK(CastTypeInfoToSequenceTypeInfo(of, &sequence_type));
    OK(GetTypeInfo(map, &of));
    OK(CastTypeInfoToMapTypeInfo(of, &map_type));
    OK(GetTypeInfo(value, &type));
    OK(GetTensorTypeAndShape(value, &shape));
}

static void make_others(void)
{
    const OrtEpDevice *const *devices;
    size_t n;
    int n_providers;
    OK(CreateRunOptions(&run_options));
    OK(SessionGetModelMetadata(session, &metadata));
    OK(CreateIoBinding(session, &binding));
    OK(BindInput(binding, "x", value));
    OK(BindOutput(binding, "y", value));
    OK(CreateThreadingOptions(&threading));
    OK(CreateCustomOpDomain("me", &domain));
    OK(CreatePrepackedWeightsContainer(&weights));
    OK(CreateArenaCfg(0, -1, -1, -1, &arena));
    OK(AllocatorAlloc(allocator, 16, &block));
    OK(GetAvailableProviders(&providers, &n_providers));
    api->CreateKeyValuePairs(&pairs);
    api->AddKeyValuePair(pairs, "x", "y");
    status = api->CreateStatus(ORT_FAIL, "a status");
    OK(GetEpDevices(env, &devices, &n));
    ep_device = devices[0];
    hardware = api->EpDevice_Device(ep_device);
    creation = (OrtEnvCreationOptions){.version = 24, .log_id = "own"};
}

static void make_arguments(void)
{
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, 2));
    OK(AddSessionConfigEntry(options, "k", "v"));
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
    ok_at(api->CreateSessionFromArray(env, model.data, model.size, options, &session),
          "the session", __LINE__);
    make_values();
    make_others();
}

/* ---- calls ---- */

typedef enum stage { PROGRAM, CREATE, COMPUTE } stage;

static const struct {
    const char *name;
    int null; /* the argument that is NULL; -1: none */
    stage stage;
} calls[] = {
#define CALL(number, name, null, stage, ...) {#name, null, stage},
#include "nulls.inc"
#undef CALL
};
enum { N_CALLS = sizeof calls / sizeof *calls, REFUSED = 2 /* exit code */ };

static bool is_refused;

static void tell(OrtStatus *given)
{
    is_refused = given != NULL;
    api->ReleaseStatus(given);
}

static void call(int which)
{
    switch (which) {
#define CALL(number, name, null, stage, ...)                                                       \
    case number:                                                                                   \
        __VA_ARGS__;                                                                               \
        break;
#include "nulls.inc"
#undef CALL
    }
    _exit(is_refused ? REFUSED : 0);
}

/* ---- in a process of its own ---- */

static int wanted;

static OrtStatus *create_calling(const OrtCustomOp *op, const OrtApi *given,
                                 const OrtKernelInfo *of, void **kernel)
{
    info = of;
    OK(KernelInfo_GetLogger(of, &logger));
    if (calls[wanted].stage == CREATE)
        call(wanted);
    return create_counter(op, given, of, kernel);
}

static OrtStatus *compute_calling(void *kernel, OrtKernelContext *c)
{
    (void)kernel;
    context = c;
    call(wanted);
    return NULL;
}

static void call_in_kernel(void)
{
    const OrtCustomOp *op = complete(&own, create_calling, compute_calling);
    OrtValue *y;
    OrtSession *with_op = open_session(
        MODEL "{ y = me.Op <f: float = 0.5, i: int = 7, s: string = \"word\", fs: floats = [1.0],"
              "is: ints = [3], ss: strings = [\"a\"], t: tensor = float[2] {8, 9}> (x) }",
        &op, 1);
    ok_at(try_run(with_op, four, 4, "y", &y), "the run", __LINE__);
}

static void call_alone(int which)
{
    wanted = which;
    make_arguments();
    complete(&own, NULL, compute_plus);
    if (calls[which].stage == PROGRAM)
        call(which);
    call_in_kernel();
}

static const char *how(int ended)
{
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == REFUSED)
        return "status";
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? "ok" : "crash";
}

static bool keep_bytes(void *ctx, const void *data, size_t size)
{
    return append(ctx, data, size);
}

static void make_model(void)
{
    static const char source[] = MODEL "{ y = Add (x, w) }";
    oc_error e = {0};
    oc_model *m = oc_model_load_memory(source, strlen(source), NULL, &e);
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){keep_bytes, &model}, &e);
    suite_assert(e.code == OC_OK, "%s", e.text);
    oc_model_free(m);
    const int file = mkstemp(path);
    WANT(file >= 0 && write(file, model.data, model.size) == (ssize_t)model.size);
    close(file);
}

START_TEST(each_argument_is_null_once)
{
    make_model();
    for (int i = 0; i < N_CALLS; i++) {
        int ended;
        fflush(stdout);
        const pid_t child = fork();

        if (child == 0) {
            alarm(60);
            if (!freopen("/dev/null", "w", stderr))
                _exit(1);
            call_alone(i);
            _exit(1);
        }
        WANT(child > 0 && waitpid(child, &ended, 0) == child);
        printf("%s %d %s\n", calls[i].name, calls[i].null, how(ended));
    }
    unlink(path);
}
END_TEST

SUITE("nulls", the_library_opens, each_argument_is_null_once, the_library_is_released)
