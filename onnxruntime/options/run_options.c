/* SPDX-License-Identifier: Apache-2.0
 * run_options.c - options of runs. */
#include "common/functions.h"
#include "common/interface.h"
#include "options/options.h"

#include <stdlib.h>

OrtStatus *ort_CreateRunOptions(OrtRunOptions **out)
{
    ORT_NEED(out);
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->log_level = ORT_LOGGING_LEVEL_WARNING;
    return NULL;
}

void ort_ReleaseRunOptions(OrtRunOptions *options)
{
    if (!options)
        return;
    free(options->tag);
    free(options->profile);
    ort_pairs_clear(&options->config);
    free(options);
}

OrtStatus *ort_RunOptionsSetTerminate(OrtRunOptions *options)
{
    ORT_NEED(options);
    options->terminate = true;
    return NULL;
}

OrtStatus *ort_RunOptionsUnsetTerminate(OrtRunOptions *options)
{
    ORT_NEED(options);
    options->terminate = false;
    return NULL;
}

OrtStatus *ort_RunOptionsSetRunLogVerbosityLevel(OrtRunOptions *options, int level)
{
    ORT_NEED(options);
    options->log_verbosity = level;
    return NULL;
}

ORT_GETTER(ort_RunOptionsGetRunLogVerbosityLevel, OrtRunOptions, options, int,
           options->log_verbosity)

OrtStatus *ort_RunOptionsSetRunLogSeverityLevel(OrtRunOptions *options, int level)
{
    ORT_NEED(options);
    options->log_level = level;
    return NULL;
}

ORT_GETTER(ort_RunOptionsGetRunLogSeverityLevel, OrtRunOptions, options, int, options->log_level)

OrtStatus *ort_RunOptionsSetRunTag(OrtRunOptions *options, const char *tag)
{
    ORT_NEED(options);
    return ort_set_text(&options->tag, tag);
}

ORT_GETTER(ort_RunOptionsGetRunTag, OrtRunOptions, options, const char *,
           options->tag ? options->tag : "")

OrtStatus *ort_AddRunConfigEntry(OrtRunOptions *options, const char *key, const char *value)
{
    ORT_NEED(options);
    ORT_EXPECT(key && *key && value, "AddRunConfigEntry: expected a key and a value");
    return ort_pairs_set(&options->config, key, value);
}

const char *ort_GetRunConfigEntry(const OrtRunOptions *options, const char *key)
{
    return options && key ? ort_pairs_get(&options->config, key) : NULL;
}

OrtStatus *ort_RunOptionsEnableProfiling(OrtRunOptions *options, const char *prefix)
{
    ORT_NEED(options);
    return ort_set_text(&options->profile, prefix ? prefix : "onnxruntime_run_profile");
}

OrtStatus *ort_RunOptionsDisableProfiling(OrtRunOptions *options)
{
    ORT_NEED(options);
    return ort_set_text(&options->profile, NULL);
}
