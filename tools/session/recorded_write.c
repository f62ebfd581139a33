/* SPDX-License-Identifier: Apache-2.0
 * recorded_write.c - writes a recorded run. */
#include "session/recorded.h"

#include "base/utf8.h"
#include "common/system.h"
#include "session/recorded_names.h"
#include "values/raw.h"
#include "values/stats.h"

void recorded_check(const char *path, const char *model_path, oc_error *e)
{
    if (!path)
        return;
    if (!io_ends_with(path, ".json"))
        tool_fail(e, OC_ARGUMENT, "--record %s: expected a name that ends with .json", path);
    if (strcmp(model_path, "-") == 0)
        tool_fail(e, OC_ARGUMENT,
                  "--record: a model on standard input is no file that a record could name");
}

/* ---- options ---- */

/* Whole numbers up to this one are the same in all readers of JSON. */
#define LARGEST_NUMBER (INT64_C(1) << 53)

static void write_option(json_writer *j, const args_option *row, const void *value)
{
    const int64_t n = row->kind == ARGS_INT ? *(const int64_t *)value : 0;
    char digits[24];
    if (row->kind == ARGS_FLAG) {
        json_bool(j, row->name, *(const bool *)value);
    } else if (row->kind == ARGS_CHOICE) {
        json_text(j, row->name, row->choices[*(const int *)value]);
    } else if (row->kind == ARGS_TEXT) {
        json_text(j, row->name, *(const char *const *)value);
    } else if (n <= LARGEST_NUMBER) {
        json_int(j, row->name, n);
    } else {
        snprintf(digits, sizeof digits, "%" PRId64, n);
        json_text(j, row->name, digits);
    }
}

static void write_options(json_writer *j, const recorded_run *r)
{
    session_args s = *r->session;
    session_told told;
    s.exact_conv = s.exact_conv || s.exact;
    s.exact_quant = s.exact_quant || s.exact;
    json_object(j, "options");
    for (int i = 0; session_args_at(&s, i, &told); i++)
        if (told.changes_results)
            write_option(j, &session_args_rows[i], (const char *)&s + session_args_rows[i].at);
    json_text(j, "expand", r->bodies.expand);
    json_bool(j, "standard", r->bodies.standard);
    json_bool(j, "newer", s.newer);
    json_close(j);
}

/* ---- files ---- */

static void write_file(json_writer *j, const char *key, const char *name, const char *path,
                       oc_error *e)
{
    const file_digest d = file_sha256(path, e);
    json_object(j, key);
    json_text(j, "file", name);
    json_unsigned(j, "bytes", d.bytes);
    json_text(j, "sha256", d.sha256);
    json_close(j);
}

static void write_beside(json_writer *j, const char *key, const char *record, const char *path,
                         oc_error *e)
{
    char *name = recorded_name(record, path);
    write_file(j, key, name, path, e);
    free(name);
}

static void write_files(json_writer *j, const char *record, const recorded_run *r, oc_error *e)
{
    char *folder = io_folder_of(r->model_path);
    const io_names *external = r->session->external;
    write_beside(j, "model", record, r->model_path, e);
    json_array(j, "external");
    for (int i = 0; i < external->n && e->code == OC_OK; i++) {
        char *path = recorded_path(folder, external->name[i]);
        write_file(j, NULL, external->name[i], path, e);
        free(path);
    }
    json_close(j);
    json_array(j, "functions");
    for (int i = 0; i < r->session->functions.n && e->code == OC_OK; i++)
        write_beside(j, NULL, record, r->session->functions.item[i], e);
    json_close(j);
    free(folder);
}

/* ---- values ---- */

/* io_commit tells of a write that fails. */
static bool put_base64(void *ctx, const void *bytes, size_t size)
{
    base64_put(ctx, bytes, size);
    return true;
}

static bool is_utf8(const oc_string *s)
{
    const unsigned char *at = (const unsigned char *)s->data;
    for (size_t left = s->size, n; left; at += n, left -= n)
        if ((n = oc_utf8_size(at, left)) == 0)
            return false;
    return true;
}

/* Strings are texts; one that is not UTF-8 is an object. */
static void write_strings(json_writer *j, const oc_string *s, int64_t n, oc_error *e)
{
    json_array(j, "strings");
    for (int64_t i = 0; i < n && e->code == OC_OK; i++) {
        if (is_utf8(&s[i])) {
            json_bytes(j, NULL, s[i].data, s[i].size);
            continue;
        }
        json_object(j, NULL);
        base64 b = json_base64(j, "base64");
        base64_put(&b, s[i].data, s[i].size);
        json_base64_end(j, &b);
        json_close(j);
    }
    json_close(j);
}

static void write_type(json_writer *j, const oc_value *v)
{
    char shape[STATS_SHAPE];
    if (oc_value_kind(v) != OC_TENSOR) {
        json_text(j, "type", stats_shape(v, shape));
        return;
    }
    json_text(j, "type", oc_type_name(oc_value_type(v)));
    json_array(j, "dims");
    j->flat++;
    for (int k = 0; k < oc_value_rank(v); k++)
        json_int(j, NULL, oc_value_dims(v)[k]);
    json_close(j);
    j->flat--;
}

/* Writes the elements of a value as members of the object that is open. */
static void write_elements(json_writer *j, const oc_value *v, oc_error *e)
{
    if (oc_value_kind(v) != OC_TENSOR) {
        json_array(j, "items");
        for (int64_t i = 0; i < oc_value_count(v); i++) {
            json_object(j, NULL);
            write_type(j, oc_value_item(v, i));
            write_elements(j, oc_value_item(v, i), e);
            json_close(j);
        }
        json_close(j);
    } else if (oc_value_type(v) == OC_STRING) {
        write_strings(j, oc_value_data(v), oc_value_count(v), e);
    } else {
        base64 b = json_base64(j, "data");
        const oc_writer to = {put_base64, &b};
        raw_write(v, false, &to, e);
        json_base64_end(j, &b);
    }
}

static void begin_value(json_writer *j, const char *name, const oc_value *v, oc_error *e)
{
    const raw_digest digest = raw_sha256(v, e);
    json_object(j, NULL);
    json_text(j, "name", name);
    write_type(j, v);
    json_text(j, "sha256", digest.text);
}

static void write_values(json_writer *j, const recorded_run *r, oc_error *e)
{
    json_array(j, "inputs");
    for (int i = 0; i < r->in->n && e->code == OC_OK; i++) {
        const oc_value *v = r->in->value[i];
        if (!v)
            continue; /* its default counts, which is in the model */
        begin_value(j, oc_model_input(r->model, i).name, v, e);
        write_elements(j, v, e);
        json_close(j);
    }
    json_close(j);
    json_array(j, "outputs");
    for (int i = 0; i < oc_model_n_outputs(r->model); i++) {
        const oc_value *v = oc_fetch_value_at(r->ran, i, e);
        if (!v)
            break;
        begin_value(j, oc_model_output(r->model, i).name, v, e);
        json_close(j);
    }
    json_close(j);
}

/* ---- the document ---- */

void recorded_write(const char *path, const recorded_run *r, oc_error *e)
{
    io_file f;
    if (e->code != OC_OK)
        return;
    io_create(&f, path, e);
    if (e->code == OC_OK) {
        json_writer j = json_begin(f.stream);
        json_object(&j, NULL);
        json_int(&j, "ocellus_run", RECORDED_VERSION);
        json_text(&j, "version", oc_version());
        json_array(&j, "command");
        for (int i = 0; i < r->words.n; i++)
            json_text(&j, NULL, r->words.word[i]);
        json_close(&j);
        write_files(&j, path, r, e);
        write_options(&j, r);
        json_text(&j, "products", oc_session_describe(r->ran).products);
        write_values(&j, r, e);
        json_close(&j);
        json_end(&j);
    }
    io_commit(&f, e);
}
