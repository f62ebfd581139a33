/* SPDX-License-Identifier: Apache-2.0
 * config.c - entries of session options: those of Ocellus' own, and those that have no meaning. */
#include "options/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

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

/* ---- entries of Ocellus' own ---- */

/* What they set. */
typedef struct read_config {
    oc_model_options *model;
    oc_session_options *session;
} read_config;

static OrtStatus *read_limit(const char *key, const char *value, read_config *c)
{
    double number;
    ORT_TRY(read_number(key, value, 1e18, &number));
    oc_limits *limits = &c->session->limits;
    if (strcmp(key, "ocellus.memory_cap") == 0)
        c->model->limits.memory_cap = (size_t)number;
    else if (strcmp(key, "ocellus.max_steps") == 0)
        limits->max_steps = (int64_t)number;
    else if (strcmp(key, "ocellus.deadline") == 0)
        limits->deadline = c->model->limits.deadline = number;
    else
        c->session->seed = (uint64_t)number;
    return NULL;
}

static OrtStatus *read_exact_conv(const char *key, const char *value, read_config *c)
{
    return read_switch(key, value, &c->session->exact_conv);
}

static OrtStatus *read_exact_quant(const char *key, const char *value, read_config *c)
{
    return read_switch(key, value, &c->session->exact_quant);
}

static OrtStatus *read_cpu(const char *key, const char *value, read_config *c)
{
    (void)key;
    c->session->cpu = value;
    return NULL;
}

static OrtStatus *read_op_options(const char *key, const char *value, read_config *c)
{
    (void)key;
    c->session->op_options = value;
    return NULL;
}

static OrtStatus *read_folder(const char *key, const char *value, read_config *c)
{
    (void)key;
    c->model->external_dir = value;
    return NULL;
}

static const struct {
    const char *key;
    OrtStatus *(*read)(const char *key, const char *value, read_config *c);
} entry[] = {
    {"ocellus.memory_cap", read_limit},
    {"ocellus.max_steps", read_limit},
    {"ocellus.deadline", read_limit},
    {"ocellus.seed", read_limit},
    {"ocellus.exact_conv", read_exact_conv},
    {"ocellus.exact_quant", read_exact_quant},
    {"ocellus.cpu", read_cpu},
    {"ocellus.op_options", read_op_options},
    {"session.model_external_initializers_file_folder_path", read_folder},
};

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
                             read_config *c)
{
    for (size_t i = 0; i < sizeof entry / sizeof *entry; i++)
        if (strcmp(key, entry[i].key) == 0)
            return entry[i].read(key, value, c);
    if (!is_idle(key))
        ort_log(logger, ORT_LOGGING_LEVEL_WARNING, "session config entry '%s' is unknown", key);
    return NULL;
}

OrtStatus *ort_config_read(const OrtSessionOptions *options, const OrtLogger *logger,
                           oc_model_options *model, oc_session_options *session)
{
    read_config c = {model, session};
    for (size_t i = 0; i < options->config.n; i++)
        ORT_TRY(read_entry(options->config.key[i], options->config.value[i], logger, &c));
    return NULL;
}
