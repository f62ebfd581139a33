/* SPDX-License-Identifier: Apache-2.0
 * config.c - entries of session options: those of Ocellus' own, and those that have no meaning. */
#include "options/config.h"

#include <errno.h>
#include <limits.h>

/* ---- entries of Ocellus' own ---- */

static OrtStatus *read_number(const char *key, const char *value, double most, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(value, &end);
    ORT_EXPECT(end != value && !*end && !errno && *out >= 0 && *out <= most,
               "session config entry '%s' is '%s', expected a number from 0 to %g", key, value,
               most);
    return NULL;
}

static OrtStatus *read_switch(const char *key, const char *value, bool *out)
{
    ORT_EXPECT(strcmp(value, "0") == 0 || strcmp(value, "1") == 0,
               "session config entry '%s' is '%s', expected 0 or 1", key, value);
    *out = *value == '1';
    return NULL;
}

/* Sets *out to the place of value among words, "exact|fast". */
static OrtStatus *read_choice(const char *key, const char *value, const char *words, int *out)
{
    const char *word = words;
    const size_t size = strlen(value);
    for (*out = 0; strcspn(word, "|") != size || memcmp(word, value, size) != 0; ++*out) {
        word += strcspn(word, "|");
        ORT_EXPECT(*word, "session config entry '%s' is '%s', expected %s", key, value, words);
        word++;
    }
    return NULL;
}

/* An option of session_options.def, and the bytes of oc_session_options that have it. */
typedef struct own_option {
    const char *key;
    enum { SWITCH, INT, INT64, UINT64, BYTES, SECONDS, TEXT, CHOICE } kind;
    size_t at, size;
    const char *words; /* of a CHOICE: "exact|fast" */
} own_option;

static const own_option own[] = {
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence)                    \
    {"ocellus." #name, kind, offsetof(oc_session_options, field),                                  \
     sizeof((oc_session_options *)0)->field, value},
#include <session_options.def>
};

/* Sets the option at field to what value says. */
static OrtStatus *read_own(const own_option *o, const char *value, void *field)
{
    double number = 0;
    bool on = false;
    if (o->kind == CHOICE)
        return read_choice(o->key, value, o->words, field);
    if (o->kind == SWITCH)
        ORT_TRY(read_switch(o->key, value, &on));
    else if (o->kind != TEXT)
        ORT_TRY(read_number(o->key, value, o->kind == INT ? INT_MAX : 1e18, &number));
    if (o->kind == TEXT)
        *(const char **)field = value;
    else if (o->kind == SWITCH && o->size == sizeof on)
        *(bool *)field = on;
    else if (o->kind == SWITCH || o->kind == INT)
        *(int *)field = o->kind == INT ? (int)number : on;
    else if (o->kind == INT64)
        *(int64_t *)field = (int64_t)number;
    else if (o->kind == UINT64)
        *(uint64_t *)field = (uint64_t)number;
    else if (o->kind == BYTES)
        *(size_t *)field = (size_t)number;
    else
        *(double *)field = number;
    return NULL;
}

/* ---- entries of ONNX Runtime ---- */

#define EXTERNAL_FOLDER "session.model_external_initializers_file_folder_path"

/* Entries of ONNX Runtime that say how it is to be fast, or are about what is absent here: they are
 * accepted. One that ends with a dot stands for all that begin so. */
static const char *const idle[] = {
    "session.disable_prepacking",
    "session.use_env_allocators",
    "session.load_model_format",
    "session.save_model_format",
    "session.set_denormal_as_zero",
    "session.disable_quant_qdq",
    "session.disable_double_qdq_remover",
    "session.enable_quant_qdq_cleanup",
    "session.disable_aot_function_inlining",
    "session.graph_optimizations_loop_level",
    "session.use_device_allocator_for_initializers",
    "session.inter_op.",
    "session.intra_op.",
    "session.intra_op_thread_affinities",
    "session.use_ort_model_bytes",
    "session.use_memory_mapped_ort_model",
    "session.qdqisint8allowed",
    "session.x64quantprecision",
    "session.dynamic_block_base",
    "session.force_spinning_stop",
    "session.strict_shape_type_inference",
    "session.allow_released_opsets_only",
    "session.node_partition_config_file",
    "session.debug_layout_transformation",
    "session.disable_cpu_ep_fallback",
    "session.collect_node_memory_stats_to_file",
    "session.layer_assignment_settings",
    "session.optimized_model_external_initializers_",
    "session.qdq_matmulnbits_",
    "session.enable_dq_matmulnbits_fusion",
    "session.disable_model_compile",
    "session.record_ep_graph_assignment_info",
    "session.memory_optimizer",
    "optimization.",
    "ep.",
    "mlas.",
    "memory.",
};

static bool is_idle(const char *key)
{
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        const size_t n = strlen(idle[i]);
        const bool start = strchr("._", idle[i][n - 1]) != NULL;
        if (strncmp(key, idle[i], n) == 0 && (start || !key[n]))
            return true;
    }
    return false;
}

static OrtStatus *read_entry(const char *key, const char *value, const OrtLogger *logger,
                             oc_model_options *model, oc_session_options *session)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(key, own[i].key) == 0)
            return read_own(&own[i], value, (char *)session + own[i].at);
    if (strcmp(key, EXTERNAL_FOLDER) == 0)
        model->external_dir = value;
    else if (!is_idle(key))
        ort_log(logger, ORT_LOGGING_LEVEL_WARNING, "session config entry '%s' is unknown", key);
    return NULL;
}

OrtStatus *ort_config_read(const OrtSessionOptions *options, const OrtLogger *logger,
                           oc_model_options *model, oc_session_options *session)
{
    session->limits.memory_cap = model->limits.memory_cap;
    for (size_t i = 0; i < options->config.n; i++)
        ORT_TRY(
            read_entry(options->config.key[i], options->config.value[i], logger, model, session));
    /* The cap is of the model, its plans and all its sessions together. */
    model->limits.memory_cap = session->limits.memory_cap;
    model->limits.deadline = session->limits.deadline;
    session->limits.memory_cap = 0;
    return NULL;
}
