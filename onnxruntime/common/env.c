/* SPDX-License-Identifier: Apache-2.0
 * env.c - environments and the log. */
#include "common/env.h"

#include "common/functions.h"
#include "common/guard.h"
#include "common/interface.h"

#include <stdarg.h>

/* ---- the log ---- */

OrtStatus *ort_logger_copy(const OrtLogger *from, OrtLogger *copy)
{
    copy->function = from->function;
    copy->param = from->param;
    copy->level = from->level;
    return ort_copy_text(from->id, &copy->id);
}

void ort_logger_clear(OrtLogger *logger)
{
    free(logger->id);
    logger->id = NULL;
}

/* place: where in a program's code the line comes from; NULL: from Ocellus. */
static OrtStatus *tell(const OrtLogger *logger, OrtLoggingLevel level, const char *place,
                       const char *text)
{
    const char *id = logger->id ? logger->id : "";
    if (logger->function)
        return ort_guard_log(logger->function, logger->param, level, id, place ? place : "ocellus",
                             text);
    fprintf(stderr, "[%c:ocellus:%s] %s%s%s\n", "VIWEF"[level], id, place ? place : "",
            place ? ": " : "", text);
    return NULL;
}

void ort_log(const OrtLogger *logger, OrtLoggingLevel level, const char *format, ...)
{
    if (level < logger->level)
        return;
    char text[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ort_ReleaseStatus(tell(logger, level, NULL, text));
}

OrtStatus *ort_Logger_LogMessage(const OrtLogger *logger, OrtLoggingLevel level,
                                 const char *message, const char *file, int line,
                                 const char *function)
{
    ORT_NEED(logger && message && file && function);
    char place[400];
    ORT_EXPECT(level >= ORT_LOGGING_LEVEL_VERBOSE && level <= ORT_LOGGING_LEVEL_FATAL,
               "Logger_LogMessage: level %d, expected 0 to %d", (int)level,
               (int)ORT_LOGGING_LEVEL_FATAL);
    snprintf(place, sizeof place, "%s:%d %s", file, line, function);
    return level >= logger->level ? tell(logger, level, place, message) : NULL;
}

ORT_GETTER(ort_Logger_GetLoggingSeverityLevel, OrtLogger, logger, OrtLoggingLevel, logger->level)

/* ---- environments ---- */

/* Sessions have threads of their own, so the program's options for all sessions tell only how
 * many. */
struct OrtThreadingOptions {
    int threads;
};

static OrtStatus *create(OrtLoggingFunction function, void *param, int level, const char *id,
                         const OrtThreadingOptions *threading, OrtEnv **out)
{
    ORT_EXPECT(level >= ORT_LOGGING_LEVEL_VERBOSE && level <= ORT_LOGGING_LEVEL_FATAL,
               "logging level %d, expected 0 to %d", level, (int)ORT_LOGGING_LEVEL_FATAL);
    OrtEnv *env;
    ORT_TRY(ort_new(sizeof *env, &env));
    env->threads = threading ? threading->threads : 0;
    env->logger.function = function;
    env->logger.param = param;
    env->logger.level = (OrtLoggingLevel)level;
    OrtStatus *status = ort_copy_text(id, &env->logger.id);
    ORT_GIVE(status, env, free, out);
}

OrtStatus *ort_CreateEnv(OrtLoggingLevel level, const char *id, OrtEnv **out)
{
    ORT_NEED(out);
    return create(NULL, NULL, (int)level, id, NULL, out);
}

OrtStatus *ort_CreateEnvWithCustomLogger(OrtLoggingFunction function, void *param,
                                         OrtLoggingLevel level, const char *id, OrtEnv **out)
{
    ORT_NEED(out);
    return create(function, param, (int)level, id, NULL, out);
}

OrtStatus *ort_CreateEnvWithGlobalThreadPools(OrtLoggingLevel level, const char *id,
                                              const OrtThreadingOptions *threading, OrtEnv **out)
{
    ORT_NEED(out);
    return create(NULL, NULL, (int)level, id, threading, out);
}

OrtStatus *ort_CreateEnvWithCustomLoggerAndGlobalThreadPools(OrtLoggingFunction function,
                                                             void *param, OrtLoggingLevel level,
                                                             const char *id,
                                                             const OrtThreadingOptions *threading,
                                                             OrtEnv **out)
{
    ORT_NEED(out);
    return create(function, param, (int)level, id, threading, out);
}

OrtStatus *ort_CreateEnvWithOptions(const OrtEnvCreationOptions *options, OrtEnv **out)
{
    ORT_NEED(options && out);
    ORT_EXPECT(options && options->version && options->log_id,
               "CreateEnvWithOptions: expected options of a version, with the log's identifier");
    return create(options->custom_logging_function, options->custom_logging_param,
                  options->logging_severity_level, options->log_id, options->threading_options,
                  out);
}

void ort_ReleaseEnv(OrtEnv *env)
{
    if (env)
        ort_logger_clear(&env->logger);
    free(env);
}

ORT_SETTER(ort_UpdateEnvWithCustomLogLevel, OrtEnv, env, OrtLoggingLevel level,
           env->logger.level = level)

/* ---- threads of sessions that have no number of their own ---- */

ORT_MAKER(ort_CreateThreadingOptions, OrtThreadingOptions, sizeof(OrtThreadingOptions))
ORT_RELEASE(ort_ReleaseThreadingOptions, OrtThreadingOptions)

OrtStatus *ort_SetGlobalIntraOpNumThreads(OrtThreadingOptions *options, int n)
{
    ORT_NEED(options);
    ORT_EXPECT(n >= 0, "SetGlobalIntraOpNumThreads: %d threads, expected 0 or more", n);
    options->threads = n;
    return NULL;
}

OrtStatus *ort_SetGlobalInterOpNumThreads(OrtThreadingOptions *options, int n)
{
    ORT_NEED(options);
    ORT_EXPECT(n >= 0, "SetGlobalInterOpNumThreads: %d threads, expected 0 or more", n);
    return NULL;
}

enum { AFFINITY = 4096 /* characters at most */ };

/* Threads run where the system puts them. */
OrtStatus *ort_SetGlobalIntraOpThreadAffinity(OrtThreadingOptions *options, const char *affinity)
{
    ORT_EXPECT(options && affinity && *affinity && strlen(affinity) <= AFFINITY,
               "SetGlobalIntraOpThreadAffinity: expected processors for each thread, in up to %d "
               "characters",
               (int)AFFINITY);
    return NULL;
}

/* ---- what is accepted: such a function checks that there are options, and does nothing ---- */

#define ORT_ACCEPTED(function, value)                                                              \
    OrtStatus *function(OrtThreadingOptions *options, value)                                       \
    {                                                                                              \
        ORT_NEED(options);                                                                         \
        return NULL;                                                                               \
    }
ORT_ACCEPTED(ort_SetGlobalSpinControl, int)
ORT_ACCEPTED(ort_SetGlobalCustomCreateThreadFn, OrtCustomCreateThreadFn)
ORT_ACCEPTED(ort_SetGlobalCustomThreadCreationOptions, void *)
ORT_ACCEPTED(ort_SetGlobalCustomJoinThreadFn, OrtCustomJoinThreadFn)

OrtStatus *ort_SetGlobalDenormalAsZero(OrtThreadingOptions *options)
{
    ORT_NEED(options);
    return NULL;
}
