/* SPDX-License-Identifier: Apache-2.0
 * options.h - what a program asks of a session, and of a run. */
#pragma once

#include "common/pairs.h"

#include <stdatomic.h>

/* A size that the program gives a dim of the model's inputs, by its name or its denotation. */
typedef struct ort_override {
    char *name;
    bool denotation; /* name is a denotation, such as "DATA_BATCH" */
    int64_t size;
} ort_override;

/* A value that the program gives an initializer. */
typedef struct ort_initializer {
    char *name;
    OrtValue *value; /* the options hold it */
} ort_initializer;

/* A file of external data in memory of the program's. */
typedef struct ort_file {
    char *name;
    const void *bytes;
    size_t size;
} ort_file;

struct OrtSessionOptions {
    int threads;         /* 0: one for each processor */
    bool shares_threads; /* the environment says how many threads */
    ExecutionMode execution_mode;
    GraphOptimizationLevel optimization;
    bool memory_pattern;
    char *log_id;                    /* NULL: the environment's */
    int log_level;                   /* -1: the environment's */
    OrtLoggingFunction log_function; /* NULL: the environment's */
    void *log_param;
    char *profile;         /* how names of profiles begin; NULL: there is no profile */
    char *optimized_model; /* where the model is saved; NULL: nowhere */
    OrtKeyValuePairs config;
    ort_override *override;
    size_t n_override;
    ort_initializer *initializer;
    size_t n_initializer;
    ort_file *file;
    size_t n_file;
    OrtCustomOpDomain **domain; /* the program's, but for those of libraries */
    size_t n_domain;
    _Atomic bool cancel_loading;
};

struct OrtRunOptions {
    int log_level, log_verbosity;
    char *tag;
    char *profile; /* how the name of this run's profile begins; NULL: there is none */
    OrtKeyValuePairs config;
    _Atomic bool terminate; /* ends the runs that have these options */
};

/* *copy, zeroed, becomes options like others, with memory of its own. */
OrtStatus *ort_options_copy(const OrtSessionOptions *from, OrtSessionOptions *copy);
void ort_options_clear(OrtSessionOptions *options);
