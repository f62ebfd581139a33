/* SPDX-License-Identifier: Apache-2.0
 * api_model.c - models in the public interface: loads, describes, saves and expands them. */
#include "bodies/bodies.h"
#include "graph/build.h"
#include "graph/check.h"
#include "graph/ports.h"
#include "graph/print.h"
#include "loader/loader.h"
#include "loader/replace.h"
#include "runtime/derived.h"
#include "runtime/functions.h"
#include "runtime/options.h"
#include "runtime/plans.h"
#include "runtime/port.h"
#include "runtime/sized.h"

/* ---- loading ---- */

static oc_model *finish_load(oc_model *m, oc_status status, oc_error *e)
{
    const char *path = m->path; /* an error about a file of functions names that file already */
    if (status == OC_OK && (status = oc_functions_add(m, e)) != OC_OK)
        path = NULL;
    if (status == OC_OK)
        status = oc_imports_complete(m, e);
    if (status == OC_OK)
        status = oc_model_check(m, e);
    if (status == OC_OK)
        status = oc_model_count_usage(m, e);
    if (status == OC_OK && (status = oc_functions_check(m, e)) != OC_OK)
        path = NULL;
    if (status == OC_OK)
        status = oc_model_index_ports(m, e);
    if (status == OC_OK)
        status = oc_plans_new(m, e);
    oc_model_end_watch(m);
    if (status == OC_OK && e->code == OC_OK) /* a callback may have set e */
        return m;
    if (path)
        oc_error_in(e, path);
    oc_model_free(m);
    return NULL;
}

/* Does memory hold elements as files do? */
static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Makes an empty model. Returns NULL if e has an error already or if this call fails. */
static oc_model *begin_load(const void *source, const oc_model_options *options, size_t size,
                            oc_error *e)
{
    oc_model *m = NULL;
    oc_model_options own;
    if (!oc_error_is_clear(e))
        return NULL;
    if (!source)
        oc_error_set(e, OC_ARGUMENT, "oc_model_load: there is no path, memory or stream");
    else if (!is_little_endian())
        oc_error_set(e, OC_UNSUPPORTED,
                     "oc_model_load: this processor is big-endian, and Ocellus is "
                     "for little-endian ones");
    else if (oc_sized_read(&own, sizeof own, "oc_model_options", options, size, e) == OC_OK &&
             oc_limits_check(&own.limits, e) == OC_OK)
        oc_model_new(&own, &m, e);
    return m;
}

oc_model *oc_model_load_sized(const char *path, const oc_model_options *options,
                              size_t options_size, oc_error *e)
{
    oc_model *m = begin_load(path, options, options_size, e);
    return m ? finish_load(m, oc_load_file(m, path, e), e) : NULL;
}

oc_model *oc_model_load_memory_sized(const void *bytes, size_t size,
                                     const oc_model_options *options, size_t options_size,
                                     oc_error *e)
{
    oc_model *m = begin_load(bytes, options, options_size, e);
    return m ? finish_load(m, oc_load_bytes(m, bytes, size, e), e) : NULL;
}

oc_model *oc_model_load_stream_sized(const oc_reader *in, const oc_model_options *options,
                                     size_t options_size, oc_error *e)
{
    oc_model *m = begin_load(in && in->read ? in : NULL, options, options_size, e);
    return m ? finish_load(m, oc_load_stream(m, in, e), e) : NULL;
}

/* ---- ports ---- */

int oc_model_n_inputs(const oc_model *model)
{
    return model ? model->graph.n_input : 0;
}

int oc_model_n_outputs(const oc_model *model)
{
    return model ? model->graph.n_output : 0;
}

void oc_model_input_sized(const oc_model *model, int i, oc_port *out, size_t out_size)
{
    oc_port p = {.name = "", .rank = -1};
    if (i >= 0 && i < oc_model_n_inputs(model)) {
        p = oc_port_of(&model->graph.input[i]);
        p.has_default = model->has_default[i];
    }
    oc_sized_write(out, out_size, &p, sizeof p);
}

void oc_model_output_sized(const oc_model *model, int i, oc_port *out, size_t out_size)
{
    oc_port p = {.name = "", .rank = -1};
    if (i >= 0 && i < oc_model_n_outputs(model))
        p = oc_port_of(&model->graph.output[i]);
    oc_sized_write(out, out_size, &p, sizeof p);
}

/* ---- facts ---- */

static void count_parameters(oc_model_info *info, const oc_dims *dims)
{
    const int64_t more = oc_dims_count(dims), left = INT64_MAX - info->n_parameters;
    info->n_parameters += oc_min(more, left);
}

static oc_model_info describe(const oc_model *m)
{
    if (!m)
        return (oc_model_info){.producer_name = "",
                               .producer_version = "",
                               .domain = "",
                               .graph_name = "",
                               .description = "",
                               .graph_description = ""};
    oc_model_info info = {.ir_version = m->ir_version,
                          .producer_name = m->producer_name,
                          .producer_version = m->producer_version,
                          .domain = m->domain,
                          .graph_name = m->graph.name,
                          .model_version = m->model_version,
                          .n_opsets = m->opsets.n,
                          .n_nodes = m->graph.n_node,
                          .n_functions = m->n_function,
                          .n_initializers = m->graph.n_initializer + m->graph.n_sparse,
                          .description = m->doc ? m->doc : "",
                          .graph_description = m->graph.doc ? m->graph.doc : "",
                          .remarks = m->remark,
                          .n_remarks = m->n_remark};
    for (int i = 0; i < m->graph.n_initializer; i++)
        count_parameters(&info, &m->graph.initializer[i].value.dims);
    for (int i = 0; i < m->graph.n_sparse; i++)
        count_parameters(&info, &m->graph.sparse[i].dims);
    return info;
}

void oc_model_describe_sized(const oc_model *m, oc_model_info *out, size_t out_size)
{
    const oc_model_info info = describe(m);
    oc_sized_write(out, out_size, &info, sizeof info);
}

const char *oc_model_opset(const oc_model *m, int i, int64_t *version)
{
    if (!m || i < 0 || i >= m->opsets.n)
        return NULL;
    if (version)
        *version = m->opsets.item[i].version;
    return m->opsets.item[i].domain;
}

/* ---- saving and expanding ---- */

/* Holds the model meanwhile, because the writer is the host's and may free it. */
static void save(const oc_model *m, oc_format format, const oc_writer *out, oc_error *e)
{
    oc_model_hold(m);
    if (format == OC_FORMAT_TEXT)
        oc_print_model(m, out, e);
    else
        oc_save_onnx(m, out, e);
    oc_model_drop(m);
}

void oc_model_save(const oc_model *m, oc_format format, const oc_writer *out, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return;
    if (!m || !out || !out->write)
        oc_error_set(e, OC_ARGUMENT, "oc_model_save: there is no model or no writer");
    else if (format != OC_FORMAT_ONNX && format != OC_FORMAT_TEXT)
        oc_error_set(e, OC_ARGUMENT, "oc_model_save: format %d, expected 0 or 1", (int)format);
    else
        save(m, format, out, e);
}

void oc_model_save_file(const oc_model *m, oc_format format, const char *path, oc_error *e)
{
    oc_replacement file;
    oc_writer out;
    if (!oc_error_is_clear(e))
        return;
    if (!path) {
        oc_error_set(e, OC_ARGUMENT, "oc_model_save_file: there is no path");
    } else if (oc_replace_begin(&file, path, &out, e) == OC_OK) {
        oc_model_save(m, format, &out, e);
        oc_replace_end(&file, e);
    }
}

static oc_model *expand(const oc_model *m, const oc_body_options *choice, oc_error *e)
{
    oc_model *out = NULL;
    oc_watch watch;
    oc_watch_begin(&watch, "expanding", &m->options.limits);
    oc_model_hold(m);
    const oc_status status = oc_bodies_expand(m, choice, &watch, &out, e);
    return oc_derived_finish(out, status, m, NULL, e);
}

oc_model *oc_model_expand(const oc_model *m, oc_body_policy policy, const char *only, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (!m)
        oc_error_set(e, OC_ARGUMENT, "oc_model_expand: there is no model");
    else if (oc_policy_check(policy, e) == OC_OK)
        return expand(m, &(oc_body_options){.policy = policy, .only = only}, e);
    return NULL;
}
