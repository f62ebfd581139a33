/* SPDX-License-Identifier: Apache-2.0
 * session.c - sessions made from a path or from memory, and freed. */
#include "sessions/session.h"

#include "common/functions.h"
#include "common/interface.h"
#include "options/config.h"
#include "sessions/written_file.h"
#include "values/value.h"

/* ---- the model ---- */

static bool cancel_loading(void *ctx)
{
    const OrtSession *s = ctx;
    return s->loading && s->loading->cancel_loading;
}

/* Returns a name of a file without "./" before it. */
static const char *plain_name(const char *name)
{
    while (name[0] == '.' && name[1] == '/')
        for (name += 2; *name == '/';)
            name++;
    return name;
}

/* Finds external data in files that the program holds in memory. */
static bool find_file(void *ctx, const char *location, const void **bytes, size_t *size)
{
    const OrtSession *s = ctx;
    for (size_t i = 0; i < s->options.n_file; i++)
        if (strcmp(plain_name(s->options.file[i].name), plain_name(location)) == 0) {
            *bytes = s->options.file[i].bytes;
            *size = s->options.file[i].size;
            return true;
        }
    return false;
}

/* Finds what the program gives for a tensor of external data, whose file is then not opened. A
 * value of another size is refused when it replaces the tensor (change_initializers). */
static const void *find_initializer(void *ctx, const char *name, const char *location,
                                    int64_t offset, size_t size)
{
    const OrtSession *s = ctx;
    (void)location, (void)offset;
    for (size_t i = 0; i < s->options.n_initializer; i++) {
        const OrtValue *v = s->options.initializer[i].value;
        if (strcmp(s->options.initializer[i].name, name) == 0 && v->kind == OC_TENSOR && v->data &&
            ort_type_bytes(v->type, v->count) == size)
            return v->data;
    }
    return NULL;
}

/* Loads the file at path, or a model of size bytes that s has a copy of. */
static OrtStatus *load(OrtSession *s, const char *path, size_t size, const oc_model_options *o)
{
    oc_error e = {0};
    s->model = path ? oc_model_load(path, o, &e) : oc_model_load_memory(s->bytes, size, o, &e);
    if (e.code == OC_CANCELLED && cancel_loading(s))
        return ort_CreateStatus(ORT_MODEL_LOAD_CANCELED, e.text);
    return ort_from_error(&e);
}

/* ---- initializers of the program's ---- */

static OrtStatus *make_cuts(const OrtSession *s, oc_cut *cut, oc_value **value)
{
    for (size_t i = 0; i < s->options.n_initializer; i++) {
        const ort_initializer *from = &s->options.initializer[i];
        ORT_TRY(ort_value_to_ocellus(from->value, OC_TENSOR, from->value->type, &value[i]));
        cut[i] = (oc_cut){.name = from->name, .value = value[i]};
    }
    return NULL;
}

/* Sets s->changed to the model with the program's values as initializers, if there are any. */
static OrtStatus *change_initializers(OrtSession *s)
{
    const size_t n = s->options.n_initializer;
    oc_error e = {0};
    oc_cut *cut = NULL;
    oc_value **value = NULL;
    if (!n)
        return NULL;
    OrtStatus *status = ort_new(n * sizeof *cut, &cut);
    if (!status)
        status = ort_new(n * sizeof *value, &value);
    if (!status)
        status = make_cuts(s, cut, value);
    if (!status) {
        s->changed = oc_model_extract(s->model, cut, (int)n, NULL, 0, &e);
        status = ort_from_error(&e);
    }
    for (size_t i = 0; value && i < n; i++)
        oc_value_free(value[i]);
    free(value);
    free(cut);
    return status;
}

/* ---- what is saved ---- */

/* The plan of Ocellus has no form as a file: what is saved is the model, with functions inlined. */
static OrtStatus *save_model(const OrtSession *s)
{
    oc_error e = {0};
    const char *path = s->options.optimized_model;
    if (!path)
        return NULL;
    ort_replacing file;
    ORT_TRY(ort_replace_begin(path, &file));
    const oc_writer out = {.write = ort_replace_write, .ctx = &file};
    oc_model *plain = oc_model_expand(s->changed ? s->changed : s->model, OC_BODY_NATIVE, NULL, &e);
    oc_model_save(plain, OC_FORMAT_ONNX, &out, &e);
    oc_model_free(plain);
    if (e.code == OC_OK || e.code == OC_IO)
        return ort_replace_end(&file);
    ort_replace_drop(&file);
    return ort_from_error(&e);
}

/* ---- sessions ---- */

static OrtStatus *set_logger(OrtSession *s, const OrtEnv *env)
{
    ORT_TRY(ort_logger_copy(&env->logger, &s->logger));
    if (s->options.log_id)
        ORT_TRY(ort_set_text(&s->logger.id, s->options.log_id));
    if (s->options.log_level >= 0)
        s->logger.level = (OrtLoggingLevel)s->options.log_level;
    if (s->options.log_function) {
        s->logger.function = s->options.log_function;
        s->logger.param = s->options.log_param;
    }
    return NULL;
}

static OrtStatus *open_session(OrtSession *s, const OrtEnv *env, const char *path, size_t size)
{
    oc_model_options o = {.limits = {.memory_cap = SIZE_MAX, .cancel = cancel_loading}};
    ort_runner *first;
    const uint64_t begin = ort_profile_clock();
    o.limits.cancel_ctx = s;
    o.external_ctx = s;
    o.external = s->options.n_file ? find_file : NULL;
    o.initializer = s->options.n_initializer ? find_initializer : NULL;
    ORT_TRY(set_logger(s, env));
    ORT_TRY(ort_config_read(&s->options, &s->logger, &o, &s->run_options));
    if (s->options.profile)
        ORT_TRY(ort_profile_new(s->options.profile, &s->profile));
    ORT_TRY(load(s, path, size, &o));
    ort_profile_span(s->profile, path ? "model_loading_uri" : "model_loading_array", begin);
    ORT_TRY(ort_ports_read(s));
    ORT_TRY(change_initializers(s));
    ORT_TRY(ort_operators_new(s->model, &s->options, &s->logger, &s->operators));
    if (!s->run_options.threads) /* an entry of the options has set the number */
        s->run_options.threads = s->options.shares_threads ? env->threads : s->options.threads;
    s->run_options.ops = ort_operators_table(s->operators);
    ORT_TRY(ort_runner_take(s, NULL, &first)); /* makes the plan */
    ort_runner_give(first);
    ort_profile_span(s->profile, "session_initialization", begin);
    return save_model(s);
}

static void free_session(OrtSession *s)
{
    while (s->idle) {
        ort_runner *runner = s->idle;
        s->idle = runner->next;
        ort_runner_free(runner);
    }
    ort_profile_free(s->profile);
    oc_model_free(s->changed);
    oc_model_free(s->model);
    ort_operators_free(s->operators);
    ort_ports_clear(s);
    ort_options_clear(&s->options);
    ort_logger_clear(&s->logger);
    pthread_mutex_destroy(&s->lock);
    free(s->bytes);
    free(s);
}

OrtSession *ort_session_hold(const OrtSession *session)
{
    OrtSession *held = (OrtSession *)(uintptr_t)session;
    atomic_fetch_add(&held->others, 1);
    return held;
}

void ort_ReleaseSession(OrtSession *session)
{
    if (session && atomic_fetch_sub(&session->others, 1) == 0)
        free_session(session);
}

/* Creates a session of the model at path or, if path is NULL, of a model of size bytes. */
static OrtStatus *create(const OrtEnv *env, const char *path, const void *bytes, size_t size,
                         const OrtSessionOptions *options, OrtSession **out)
{
    static const OrtSessionOptions none = {.log_level = -1};
    OrtSession *s;
    *out = NULL;
    ORT_TRY(ort_new(sizeof *s, &s));
    pthread_mutex_init(&s->lock, NULL);
    s->loading = options;
    OrtStatus *status = ort_options_copy(options ? options : &none, &s->options);
    if (!status && !path)
        status = ort_new(size, &s->bytes);
    if (!status && !path && size)
        memcpy(s->bytes, bytes, size);
    if (!status)
        status = open_session(s, env, path, size);
    s->loading = NULL;
    ORT_GIVE(status, s, free_session, out);
}

OrtStatus *ort_CreateSession(const OrtEnv *env, const char *path, const OrtSessionOptions *options,
                             OrtSession **out)
{
    ORT_NEED(out);
    ORT_EXPECT(env && path, "CreateSession: expected an environment and a path");
    return create(env, path, NULL, 0, options, out);
}

OrtStatus *ort_CreateSessionFromArray(const OrtEnv *env, const void *bytes, size_t size,
                                      const OrtSessionOptions *options, OrtSession **out)
{
    ORT_NEED(out);
    ORT_EXPECT(env && (bytes || !size),
               "CreateSessionFromArray: expected an environment and bytes");
    ORT_EXPECT(size <= INT32_MAX,
               "CreateSessionFromArray: %zu bytes, which is past the maximum supported size, %d",
               size, INT32_MAX);
    return create(env, NULL, bytes, size, options, out);
}

/* ---- prepacked weights: sessions of one model share them in any case ---- */

struct OrtPrepackedWeightsContainer {
    char unused;
};

ORT_MAKER(ort_CreatePrepackedWeightsContainer, OrtPrepackedWeightsContainer,
          sizeof(OrtPrepackedWeightsContainer))
ORT_RELEASE(ort_ReleasePrepackedWeightsContainer, OrtPrepackedWeightsContainer)

OrtStatus *ort_CreateSessionWithPrepackedWeightsContainer(const OrtEnv *env, const char *path,
                                                          const OrtSessionOptions *options,
                                                          OrtPrepackedWeightsContainer *,
                                                          OrtSession **out)
{
    ORT_NEED(out);
    return ort_CreateSession(env, path, options, out);
}

OrtStatus *ort_CreateSessionFromArrayWithPrepackedWeightsContainer(const OrtEnv *env,
                                                                   const void *bytes, size_t size,
                                                                   const OrtSessionOptions *options,
                                                                   OrtPrepackedWeightsContainer *,
                                                                   OrtSession **out)
{
    ORT_NEED(out);
    return ort_CreateSessionFromArray(env, bytes, size, options, out);
}

/* ---- profiles ---- */

OrtStatus *ort_SessionEndProfiling(OrtSession *session, OrtAllocator *allocator, char **out)
{
    ORT_NEED(session && out);
    char *name = ort_profile_end(session->profile);
    OrtStatus *status = ort_allocate_text(allocator, name ? name : "", out);
    free(name);
    return status;
}

ORT_GETTER(ort_SessionGetProfilingStartTimeNs, OrtSession, session, uint64_t,
           session->profile ? ort_profile_start(session->profile) : 0)
