/* SPDX-License-Identifier: Apache-2.0
 * metadata.c - collects what the exporter of a network tells of it, from the model and from files
 * beside it. */
#include "metadata/metadata.h"

#include "common/system.h"
#include "files/yaml_text.h"

#include <stdarg.h>

enum { LARGEST = 1 << 24 }; /* bytes of a file beside a model */

/* ---- facts ---- */

bool metadata_note(metadata *m, metadata_fact fact, const char *where, const char *key)
{
    if (m->from[fact])
        return false;
    m->from[fact] =
        where ? tool_format("%s: %s", where, key) : tool_format("its property '%s'", key);
    return true;
}

void metadata_remark(metadata *m, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    m->remark = tool_push(m->remark, (size_t)m->n_remarks, sizeof *m->remark);
    m->remark[m->n_remarks++] = tool_format("%s", text);
}

void metadata_pass(metadata *m, const oc_error *wrong, oc_error *e)
{
    if (wrong->code == OC_NOMEM || wrong->code == OC_CANCELLED)
        *e = *wrong;
    else if (wrong->code != OC_OK)
        metadata_remark(m, "%s", wrong->text);
}

/* ---- files ---- */

static bool has_any(const json_value *root, const char *const *key)
{
    while (*key && !json_get(root, *key))
        key++;
    return *key != NULL;
}

/* Takes what a document tells; its entries say what it is. Returns false when it is none of those
 * that are known. */
static bool take_document(metadata *m, const json_value *root, const char *where, oc_error *e)
{
    static const char *const config[] = {"architectures", "model_type", "id2label",
                                         "pretrained_cfg", NULL};
    static const char *const preprocessor[] = {"image_processor_type",
                                               "feature_extractor_type",
                                               "do_resize",
                                               "do_normalize",
                                               "do_rescale",
                                               NULL};
    const bool is_deploy = json_get(root, "models") && json_get(root, "task");
    const bool is_detail = json_get(root, "codebase") && json_get(root, "onnx_config");
    const bool is_pipeline = json_get(root, "pipeline") != NULL;
    const bool is_paddle = json_get(root, "Preprocess") != NULL;
    const bool is_config = has_any(root, config), is_preprocessor = has_any(root, preprocessor);
    if (is_deploy)
        metadata_take_deploy(m, root, where);
    if (is_detail)
        metadata_take_detail(m, root, where);
    if (is_pipeline)
        metadata_take_pipeline(m, root, where);
    if (is_paddle)
        metadata_take_paddle(m, root, where, e);
    if (is_config)
        metadata_take_config(m, root, where, e);
    if (is_preprocessor)
        metadata_take_preprocessor(m, root, where);
    return is_deploy || is_detail || is_pipeline || is_paddle || is_config || is_preprocessor;
}

/* Reads the file at path into t. */
static void read_document(json_tree *t, const char *path, oc_error *e)
{
    io_bytes b;
    text_build json = {0};
    const bool is_yaml = io_ends_with(path, ".yml") || io_ends_with(path, ".yaml");
    io_read(path, LARGEST, &b, e);
    if (is_yaml)
        yaml_to_json(&json, b.data, b.size, path, e);
    if (is_yaml)
        json_read(t, json.bytes.data, json.bytes.size, JSON_STRICT, path, e);
    else
        json_read(t, b.data, b.size, JSON_STRICT, path, e);
    text_free(&json);
    io_bytes_free(&b);
}

/* Does deploy.json name another model than this one? name NULL: nobody knows its name. */
static bool is_of_other_model(const json_value *root, const char *name)
{
    const json_value *model = json_get(root, "models");
    bool named = false;
    for (model = model ? model->first : NULL; model && name; model = model->next) {
        const char *net = json_text_of(json_get(model, "net"));
        if (net && strcmp(net, name) == 0)
            return false;
        named = named || net;
    }
    return named;
}

/* Takes what the documents of a folder tell. name: that of the model's file; NULL: any. */
static void take_folder(metadata *m, const char *folder, const char *name, oc_error *e)
{
    static const char *const files[] = {"deploy.json",   "detail.json", "pipeline.json",
                                        "infer_cfg.yml", "config.json", "preprocessor_config.json"};
    bool is_other = false;
    for (int i = 0; i < 6 && e->code == OC_OK; i++) {
        json_tree t = {0};
        oc_error wrong = {0};
        char *path = strcmp(folder, ".") == 0 ? tool_format("%s", files[i])
                                              : tool_format("%s/%s", folder, files[i]);
        if (!(is_other && i < 3) && io_exists(path))
            read_document(&t, path, &wrong);
        if (i == 0)
            is_other = is_of_other_model(t.root, name);
        if (t.root && !(is_other && i < 3))
            take_document(m, t.root, path, &wrong);
        metadata_pass(m, &wrong, e);
        json_tree_free(&t);
        free(path);
    }
}

/* Takes what --config names; an error when that is nothing known. */
static void take_given(metadata *m, const char *config, oc_error *e)
{
    json_tree t;
    if (io_is_dir(config)) {
        take_folder(m, config, NULL, e);
        return;
    }
    read_document(&t, config, e);
    if (e->code == OC_OK && !take_document(m, t.root, config, e))
        tool_fail(
            e, OC_ARGUMENT,
            "%s: expected a config.json, preprocessor_config.json, pipeline.json or infer_cfg.yml",
            config);
    json_tree_free(&t);
}

/* Takes what stands beside the model. Exports of Hugging Face have the model in a folder "onnx",
 * and its files above. */
static void take_beside(metadata *m, const char *path, oc_error *e)
{
    const char *slash = system_last_slash(path);
    char *folder = io_folder_of(path);
    const char *last = system_last_slash(folder);
    take_folder(m, folder, slash ? slash + 1 : path, e);
    if (strcmp(last ? last + 1 : folder, "onnx") == 0) {
        char *above = last ? io_folder_of(folder) : tool_format(".");
        take_folder(m, above, slash + 1, e);
        free(above);
    }
    free(folder);
}

/* ---- all ---- */

void metadata_read(metadata *m, const oc_model *model, const char *path, const char *config,
                   oc_error *e)
{
    const char *key, *value;
    *m = (metadata){0};
    if (e->code != OC_OK)
        return;
    if (config)
        take_given(m, config, e);
    for (int i = 0; e->code == OC_OK && (key = oc_model_metadata(model, i, &value)) != NULL; i++)
        if (value)
            metadata_take_saved(m, key, value, e);
    for (int i = 0; e->code == OC_OK && (key = oc_model_metadata(model, i, &value)) != NULL; i++)
        if (value)
            metadata_take_property(m, key, value, e);
    metadata_end_properties(m);
    if (path && strcmp(path, "-") != 0)
        take_beside(m, path, e);
}

void metadata_free(metadata *m)
{
    for (int i = 0; i < METADATA_FACTS; i++)
        free(m->from[i]);
    for (int i = 0; i < m->n_remarks; i++)
        free(m->remark[i]);
    free(m->remark);
    metadata_free_names(&m->names);
    metadata_free_names(&m->point_names);
    metadata_free_names(&m->characters);
    free(m->task);
    free(m->family);
    free(m->component);
    free(m->decoder);
    *m = (metadata){0};
}
