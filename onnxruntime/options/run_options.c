/* SPDX-License-Identifier: Apache-2.0
 * run_options.c - options of runs. */
#include "common/functions.h"
#include "common/interface.h"
#include "options/options.h"

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

ORT_SWITCH(ort_RunOptionsSetTerminate, OrtRunOptions, options, options->terminate = true)
ORT_SWITCH(ort_RunOptionsUnsetTerminate, OrtRunOptions, options, options->terminate = false)
ORT_SETTER(ort_RunOptionsSetRunLogVerbosityLevel, OrtRunOptions, options, int level,
           options->log_verbosity = level)
ORT_GETTER(ort_RunOptionsGetRunLogVerbosityLevel, OrtRunOptions, options, int,
           options->log_verbosity)

ORT_SETTER(ort_RunOptionsSetRunLogSeverityLevel, OrtRunOptions, options, int level,
           options->log_level = level)
ORT_GETTER(ort_RunOptionsGetRunLogSeverityLevel, OrtRunOptions, options, int, options->log_level)

ORT_PASSES(ort_RunOptionsSetRunTag, OrtRunOptions, options, const char *tag,
           ort_set_text(&options->tag, tag))
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

ORT_PASSES(ort_RunOptionsEnableProfiling, OrtRunOptions, options, const char *prefix,
           ort_set_text(&options->profile, prefix ? prefix : "onnxruntime_run_profile"))

OrtStatus *ort_RunOptionsDisableProfiling(OrtRunOptions *options)
{
    ORT_NEED(options);
    return ort_set_text(&options->profile, NULL);
}
