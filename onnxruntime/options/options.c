/* SPDX-License-Identifier: Apache-2.0
 * options.c - options of sessions. What would change how fast another engine is, is accepted. */
#include "options/options.h"

#include "common/functions.h"
#include "common/interface.h"
#include "values/value.h"

OrtStatus *ort_CreateSessionOptions(OrtSessionOptions **out)
{
    ORT_NEED(out);
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->log_level = -1;
    (*out)->optimization = ORT_ENABLE_ALL;
    (*out)->memory_pattern = true;
    return NULL;
}

void ort_ReleaseSessionOptions(OrtSessionOptions *options)
{
    if (options)
        ort_options_clear(options);
    free(options);
}

/* ---- lists ---- */

static OrtStatus *add_override(OrtSessionOptions *o, const char *name, bool denotation,
                               int64_t size)
{
    ORT_EXPECT(name && size >= 0,
               "a free dimension '%s' of size %lld, expected a name and 0 or more",
               name ? name : "NULL", (long long)size);
    ORT_TRY(ort_grow(&o->override, o->n_override, sizeof *o->override));
    ort_override *added = &o->override[o->n_override];
    *added = (ort_override){.denotation = denotation, .size = size};
    ORT_TRY(ort_copy_text(name, &added->name));
    o->n_override++;
    return NULL;
}

static OrtStatus *add_initializer(OrtSessionOptions *o, const char *name, const OrtValue *value)
{
    ORT_EXPECT(name && *name && value, "an initializer '%s', expected a name and a value",
               name ? name : "NULL");
    for (size_t i = 0; i < o->n_initializer; i++)
        ORT_EXPECT(strcmp(o->initializer[i].name, name) != 0,
                   "initializer '%s' has a value already", name);
    ORT_TRY(ort_grow(&o->initializer, o->n_initializer, sizeof *o->initializer));
    ort_initializer *added = &o->initializer[o->n_initializer];
    ORT_TRY(ort_copy_text(name, &added->name));
    added->value = ort_value_hold(value);
    o->n_initializer++;
    return NULL;
}

static OrtStatus *add_file(OrtSessionOptions *o, const char *name, const void *bytes, size_t size)
{
    ORT_EXPECT(name && *name && (bytes || !size), "a file '%s', expected a name and bytes",
               name ? name : "NULL");
    ORT_TRY(ort_grow(&o->file, o->n_file, sizeof *o->file));
    o->file[o->n_file] = (ort_file){.bytes = bytes, .size = size};
    ORT_TRY(ort_copy_text(name, &o->file[o->n_file].name));
    o->n_file++;
    return NULL;
}

static OrtStatus *add_domain(OrtSessionOptions *o, OrtCustomOpDomain *domain)
{
    ORT_TRY(ort_grow(&o->domain, o->n_domain, sizeof *o->domain));
    o->domain[o->n_domain++] = domain;
    return NULL;
}

static OrtStatus *copy_lists(const OrtSessionOptions *from, OrtSessionOptions *copy)
{
    for (size_t i = 0; i < from->n_override; i++)
        ORT_TRY(add_override(copy, from->override[i].name, from->override[i].denotation,
                             from->override[i].size));
    for (size_t i = 0; i < from->n_initializer; i++)
        ORT_TRY(add_initializer(copy, from->initializer[i].name, from->initializer[i].value));
    for (size_t i = 0; i < from->n_file; i++)
        ORT_TRY(add_file(copy, from->file[i].name, from->file[i].bytes, from->file[i].size));
    for (size_t i = 0; i < from->n_domain; i++)
        ORT_TRY(add_domain(copy, from->domain[i]));
    return NULL;
}

OrtStatus *ort_options_copy(const OrtSessionOptions *from, OrtSessionOptions *copy)
{
    copy->threads = from->threads;
    copy->shares_threads = from->shares_threads;
    copy->execution_mode = from->execution_mode;
    copy->optimization = from->optimization;
    copy->memory_pattern = from->memory_pattern;
    copy->log_level = from->log_level;
    copy->log_function = from->log_function;
    copy->log_param = from->log_param;
    ORT_TRY(ort_copy_text(from->log_id, &copy->log_id));
    ORT_TRY(ort_copy_text(from->profile, &copy->profile));
    ORT_TRY(ort_copy_text(from->optimized_model, &copy->optimized_model));
    ORT_TRY(ort_pairs_copy(&from->config, &copy->config));
    return copy_lists(from, copy);
}

void ort_options_clear(OrtSessionOptions *o)
{
    free(o->log_id);
    free(o->profile);
    free(o->optimized_model);
    ort_pairs_clear(&o->config);
    for (size_t i = 0; i < o->n_override; i++)
        free(o->override[i].name);
    free(o->override);
    for (size_t i = 0; i < o->n_initializer; i++) {
        free(o->initializer[i].name);
        ort_ReleaseValue(o->initializer[i].value);
    }
    free(o->initializer);
    for (size_t i = 0; i < o->n_file; i++)
        free(o->file[i].name);
    free(o->file);
    free(o->domain);
}

OrtStatus *ort_CloneSessionOptions(const OrtSessionOptions *from, OrtSessionOptions **out)
{
    ORT_NEED(from && out);
    OrtSessionOptions *copy;
    ORT_TRY(ort_CreateSessionOptions(&copy));
    OrtStatus *status = ort_options_copy(from, copy);
    ORT_GIVE(status, copy, ort_ReleaseSessionOptions, out);
}

OrtStatus *ort_AddFreeDimensionOverride(OrtSessionOptions *options, const char *denotation,
                                        int64_t size)
{
    ORT_NEED(options);
    return add_override(options, denotation, true, size);
}

OrtStatus *ort_AddFreeDimensionOverrideByName(OrtSessionOptions *options, const char *name,
                                              int64_t size)
{
    ORT_NEED(options);
    return add_override(options, name, false, size);
}

OrtStatus *ort_AddInitializer(OrtSessionOptions *options, const char *name, const OrtValue *value)
{
    ORT_NEED(options);
    return add_initializer(options, name, value);
}

OrtStatus *ort_AddExternalInitializers(OrtSessionOptions *options, const char *const *name,
                                       const OrtValue *const *value, size_t n)
{
    ORT_NEED(options && ((name && value) || !n));
    for (size_t i = 0; i < n; i++)
        ORT_TRY(add_initializer(options, name[i], value[i]));
    return NULL;
}

OrtStatus *ort_AddExternalInitializersFromFilesInMemory(OrtSessionOptions *options,
                                                        const char *const *name, char *const *bytes,
                                                        const size_t *size, size_t n)
{
    ORT_NEED(options && ((name && bytes && size) || !n));
    for (size_t i = 0; i < n; i++)
        ORT_TRY(add_file(options, name[i], bytes[i], size[i]));
    return NULL;
}

OrtStatus *ort_AddCustomOpDomain(OrtSessionOptions *options, OrtCustomOpDomain *domain)
{
    ORT_NEED(options);
    ORT_EXPECT(domain, "AddCustomOpDomain: there is no domain");
    return add_domain(options, domain);
}

/* ---- pairs ---- */

OrtStatus *ort_AddSessionConfigEntry(OrtSessionOptions *options, const char *key, const char *value)
{
    ORT_NEED(options);
    ORT_EXPECT(key && *key && value, "AddSessionConfigEntry: expected a key and a value");
    ORT_EXPECT(strlen(key) <= 1024 && strlen(value) <= 8192,
               "a session config entry of %zu and %zu bytes, expected at most 1024 and 8192",
               strlen(key), strlen(value));
    return ort_pairs_set(&options->config, key, value);
}

OrtStatus *ort_HasSessionConfigEntry(const OrtSessionOptions *options, const char *key, int *out)
{
    ORT_NEED(options && key && out);
    *out = ort_pairs_get(&options->config, key) != NULL;
    return NULL;
}

/* The program asks for the size first, by text NULL. */
OrtStatus *ort_GetSessionConfigEntry(const OrtSessionOptions *options, const char *key, char *text,
                                     size_t *size)
{
    ORT_NEED(options && key && size);
    const char *value = ort_pairs_get(&options->config, key);
    ORT_EXPECT(value, "session config entry '%s' is not set", key);
    const size_t room = *size, need = strlen(value) + 1;
    *size = need;
    if (!text)
        return NULL;
    ORT_EXPECT(room >= need, "session config entry '%s' takes %zu bytes, there is room for %zu",
               key, need, room);
    memcpy(text, value, need);
    return NULL;
}

OrtStatus *ort_GetSessionOptionsConfigEntries(const OrtSessionOptions *options,
                                              OrtKeyValuePairs **out)
{
    ORT_NEED(options && out);
    OrtKeyValuePairs *pairs;
    ORT_TRY(ort_new(sizeof *pairs, &pairs));
    OrtStatus *status = ort_pairs_copy(&options->config, pairs);
    ORT_GIVE(status, pairs, ort_ReleaseKeyValuePairs, out);
}

/* ---- what is one value ---- */

OrtStatus *ort_SetIntraOpNumThreads(OrtSessionOptions *options, int n)
{
    ORT_NEED(options);
    ORT_EXPECT(n >= 0, "SetIntraOpNumThreads: %d threads, expected 0 or more", n);
    options->threads = n;
    return NULL;
}

/* Nodes run one after the other, each on all threads. */
OrtStatus *ort_SetInterOpNumThreads(OrtSessionOptions *options, int n)
{
    (void)options;
    ORT_EXPECT(n >= 0, "SetInterOpNumThreads: %d threads, expected 0 or more", n);
    return NULL;
}

ORT_SWITCH(ort_DisablePerSessionThreads, OrtSessionOptions, options, options->shares_threads = true)

OrtStatus *ort_SetSessionExecutionMode(OrtSessionOptions *options, ExecutionMode mode)
{
    ORT_NEED(options);
    ORT_EXPECT(mode == ORT_SEQUENTIAL || mode == ORT_PARALLEL,
               "SetSessionExecutionMode: %d, expected 0 or 1", (int)mode);
    options->execution_mode = mode;
    return NULL;
}

ORT_GETTER(ort_GetSessionExecutionMode, OrtSessionOptions, options, ExecutionMode,
           options->execution_mode)

OrtStatus *ort_SetSessionGraphOptimizationLevel(OrtSessionOptions *options,
                                                GraphOptimizationLevel level)
{
    ORT_NEED(options);
    ORT_EXPECT((level >= ORT_DISABLE_ALL && level <= ORT_ENABLE_LAYOUT) || level == ORT_ENABLE_ALL,
               "SetSessionGraphOptimizationLevel: %d, expected 0 to 3 or 99", (int)level);
    options->optimization = level;
    return NULL;
}

ORT_PASSES(ort_SetOptimizedModelFilePath, OrtSessionOptions, options, const char *path,
           ort_set_text(&options->optimized_model, path))
ORT_PASSES(ort_EnableProfiling, OrtSessionOptions, options, const char *prefix,
           ort_set_text(&options->profile, prefix ? prefix : "onnxruntime_profile"))

OrtStatus *ort_DisableProfiling(OrtSessionOptions *options)
{
    ORT_NEED(options);
    return ort_set_text(&options->profile, NULL);
}

ORT_SWITCH(ort_EnableMemPattern, OrtSessionOptions, options, options->memory_pattern = true)
ORT_SWITCH(ort_DisableMemPattern, OrtSessionOptions, options, options->memory_pattern = false)
ORT_GETTER(ort_GetMemPatternEnabled, OrtSessionOptions, options, int, options->memory_pattern)
ORT_PASSES(ort_SetSessionLogId, OrtSessionOptions, options, const char *id,
           ort_set_text(&options->log_id, id))

OrtStatus *ort_SetSessionLogSeverityLevel(OrtSessionOptions *options, int level)
{
    ORT_NEED(options);
    ORT_EXPECT(level >= -1 && level <= ORT_LOGGING_LEVEL_FATAL,
               "SetSessionLogSeverityLevel: %d, expected 0 to %d", level,
               (int)ORT_LOGGING_LEVEL_FATAL);
    options->log_level = level;
    return NULL;
}

OrtStatus *ort_SetUserLoggingFunction(OrtSessionOptions *options, OrtLoggingFunction function,
                                      void *param)
{
    ORT_NEED(options);
    options->log_function = function;
    options->log_param = param;
    return NULL;
}

ORT_SETTER(ort_SessionOptionsSetLoadCancellationFlag, OrtSessionOptions, options, bool cancel,
           options->cancel_loading = cancel)
