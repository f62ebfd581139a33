/* SPDX-License-Identifier: Apache-2.0
 * recorded_values.c - the inputs of a recorded run, and what its outputs are compared with. */
#include "session/recorded.h"

#include "base/element_type.h"
#include "common/data.h"
#include "common/limits.h"
#include "session/recorded_fields.h"
#include "values/raw.h"
#include "values/stats.h"

enum { PLACE = 80 };

/* ---- inputs ---- */

/* Reads the dims of a tensor. Returns their number; -1 after an error. */
static int read_dims(const json_value *of, const char *place, int64_t dim[OC_MAX_RANK], oc_error *e)
{
    const json_value *all = recorded_entry(of, place, "dims", JSON_ARRAY, e);
    if (all && all->n > OC_MAX_RANK)
        tool_fail(e, OC_LIMIT, "%s.dims has %d numbers, at most %d are allowed", place, all->n,
                  OC_MAX_RANK);
    if (e->code != OC_OK)
        return -1;
    int k = 0;
    for (const json_value *v = all->first; v; v = v->next, k++) {
        if (v->kind != JSON_NUMBER || !(v->number >= 0 && v->number <= 0x1p53) ||
            v->number != (double)(int64_t)v->number) {
            tool_fail(e, OC_FORMAT, "%s.dims[%d] is no whole number from 0 to 2^53", place, k);
            return -1;
        }
        dim[k] = (int64_t)v->number;
    }
    return k;
}

/* Sets element i to a text, or to the bytes of an object. */
static void set_string(oc_value *v, int64_t i, const json_value *item, const char *place,
                       oc_error *e)
{
    const json_value *coded = json_get(item, "base64");
    const json_value *text = coded ? coded : item;
    if (text->kind != JSON_TEXT) {
        tool_fail(e, OC_FORMAT, "%s.strings[%lld] is neither a text nor an object with base64",
                  place, (long long)i);
    } else if (!coded) {
        oc_tensor_set_string(v, i, text->text, text->size, e);
    } else {
        char where[PLACE + 40];
        snprintf(where, sizeof where, "%s.strings[%lld]", place, (long long)i);
        const size_t n = base64_size(text->text, text->size);
        const int64_t dim = n < SIZE_MAX ? (int64_t)n : 0;
        oc_value *bytes = raw_read(OC_U8, 1, &dim, text->text, text->size, where, e);
        if (bytes)
            oc_tensor_set_string(v, i, oc_value_data(bytes), (size_t)dim, e);
        oc_value_free(bytes);
    }
}

static oc_value *read_strings(const json_value *of, int rank, const int64_t *dim, const char *place,
                              oc_error *e)
{
    const json_value *all = recorded_entry(of, place, "strings", JSON_ARRAY, e);
    uint64_t n = 1;
    for (int k = 0; k < rank && n <= INT32_MAX; k++)
        n *= (uint64_t)dim[k] <= INT32_MAX ? (uint64_t)dim[k] : (uint64_t)INT32_MAX + 1;
    if (all && n != (uint64_t)all->n)
        tool_fail(e, OC_SHAPE, "%s.strings has %d, which is not the number that its dims take",
                  place, all->n);
    oc_value *v = e->code == OC_OK ? data_tensor(OC_STRING, rank, dim, place, e) : NULL;
    int64_t i = 0;
    for (const json_value *s = v ? all->first : NULL; s && e->code == OC_OK; s = s->next)
        set_string(v, i++, s, place, e);
    return v;
}

static oc_value *read_tensor(const json_value *of, const char *place, oc_error *e)
{
    int64_t dim[OC_MAX_RANK];
    char where[PLACE + 8];
    const char *name = recorded_text(of, place, "type", e);
    const oc_type type = name ? oc_type_find(name, strlen(name)) : OC_UNDEFINED;
    if (type == OC_UNDEFINED)
        tool_fail(e, OC_FORMAT, "%s.type is '%.60s', expected a type of elements", place,
                  name ? name : "");
    const int rank = read_dims(of, place, dim, e);
    if (e->code != OC_OK)
        return NULL;
    if (type == OC_STRING)
        return read_strings(of, rank, dim, place, e);
    const json_value *data = recorded_entry(of, place, "data", JSON_TEXT, e);
    snprintf(where, sizeof where, "%s.data", place);
    return data ? raw_read(type, rank, dim, data->text, data->size, where, e) : NULL;
}

/* Reads the items of a sequence, which are tensors. */
static oc_value *read_sequence(const json_value *of, oc_type type, const char *place, oc_error *e)
{
    const json_value *all = recorded_entry(of, place, "items", JSON_ARRAY, e);
    const int n = all ? all->n : 0;
    oc_value **item = tool_alloc((size_t)n, sizeof *item), *v = NULL;
    int i = 0;
    for (const json_value *from = all ? all->first : NULL; from && e->code == OC_OK;
         from = from->next) {
        char inner[PLACE];
        snprintf(inner, sizeof inner, "%.50s.items[%d]", place, i);
        item[i++] = read_tensor(from, inner, e);
    }
    if (e->code == OC_OK)
        v = oc_sequence_new(type, n, (const oc_value *const *)item, data_allocator(), e);
    while (i > 0)
        oc_value_free(item[--i]);
    free(item);
    return v;
}

static oc_value *read_optional(const json_value *of, oc_type type, const char *place, oc_error *e)
{
    const json_value *all = recorded_entry(of, place, "items", JSON_ARRAY, e);
    const json_value *from = json_item(all, 0);
    char inner[PLACE];
    oc_value *item = NULL;
    if (all && all->n > 1)
        tool_fail(e, OC_FORMAT, "%s.items has %d, expected one of an optional, or none", place,
                  all->n);
    snprintf(inner, sizeof inner, "%.50s.items[0]", place);
    if (from && e->code == OC_OK)
        item = json_get(from, "items") ? read_sequence(from, type, inner, e)
                                       : read_tensor(from, inner, e);
    oc_value *v = e->code == OC_OK ? oc_optional_new(type, item, data_allocator(), e) : NULL;
    oc_value_free(item);
    return v;
}

/* Reads the value of an input, and checks that it has the SHA-256 that stands beside it. */
static oc_value *read_input(const json_value *of, const oc_port *port, const char *place,
                            oc_error *e)
{
    const char *expected = recorded_sha256(of, place, e);
    oc_value *v = port->kind == OC_SEQUENCE   ? read_sequence(of, port->type, place, e)
                  : port->kind == OC_OPTIONAL ? read_optional(of, port->type, place, e)
                                              : read_tensor(of, place, e);
    const raw_digest digest = v ? raw_sha256(v, e) : (raw_digest){""};
    if (e->code == OC_OK && strcmp(digest.text, expected) != 0)
        tool_fail(e, OC_VALUE, "%s: its elements have the sha256 %s, but it says %s", place,
                  digest.text, expected);
    return v;
}

void recorded_inputs(const recorded *r, inputs *in, oc_error *e)
{
    const json_value *all = recorded_entry(r->tree.root, "", "inputs", JSON_ARRAY, e);
    int k = 0;
    for (const json_value *of = all ? all->first : NULL; of && e->code == OC_OK;
         of = of->next, k++) {
        char place[PLACE];
        snprintf(place, sizeof place, "inputs[%d]", k);
        const char *name = recorded_text(of, place, "name", e);
        const int i = name ? text_index_find(&in->names, name) : -1;
        if (i < 0) {
            tool_fail(e, OC_FORMAT, "%s: the model has no input '%.200s'", place, name ? name : "");
            return;
        }
        const oc_port port = oc_model_input(in->model, i);
        if (in->value[i])
            tool_fail(e, OC_FORMAT, "%s: there are two of input '%s'", place, name);
        else
            in->value[i] = read_input(of, &port, place, e);
    }
    for (int i = 0; i < in->n; i++)
        if (!in->value[i] && !oc_model_input(in->model, i).has_default)
            tool_fail(e, OC_FORMAT, "inputs: there is none of input '%.200s', which has no default",
                      oc_model_input(in->model, i).name);
}

/* ---- outputs ---- */

/* Writes type and dims of a recorded output as stats_shape does. */
static void shape_of(const json_value *of, const char *place, char text[STATS_SHAPE], oc_error *e)
{
    int64_t dim[OC_MAX_RANK];
    const char *type = recorded_text(of, place, "type", e);
    const bool tensor = type && oc_type_find(type, strlen(type)) != OC_UNDEFINED;
    const int rank = tensor ? read_dims(of, place, dim, e) : 0;
    if (e->code != OC_OK)
        return;
    size_t at = (size_t)snprintf(text, STATS_SHAPE, tensor ? "%.150s[" : "%.150s", type);
    for (int k = 0; k < rank && at < STATS_SHAPE; k++)
        at += (size_t)snprintf(text + at, STATS_SHAPE - at, "%s%lld", k ? "," : "",
                               (long long)dim[k]);
    if (tensor && at < STATS_SHAPE)
        snprintf(text + at, STATS_SHAPE - at, "]");
}

/* Compares a value with a recorded output. If it differs, writes how into text. */
static bool agrees(const json_value *of, const char *place, const char *name, const oc_value *v,
                   char *text, size_t size, oc_error *e)
{
    char shape[STATS_SHAPE], expected[STATS_SHAPE] = "";
    const char *recorded_bits = recorded_sha256(of, place, e);
    shape_of(of, place, expected, e);
    stats_shape(v, shape);
    if (e->code == OC_OK && strcmp(shape, expected) != 0) {
        snprintf(text, size, "output '%.200s' is %s, recorded as %s", name, shape, expected);
        return false;
    }
    const raw_digest digest = raw_sha256(v, e);
    if (e->code != OC_OK || strcmp(digest.text, recorded_bits) == 0)
        return e->code == OC_OK;
    snprintf(text, size, "output '%.200s' (%s) has other bits than recorded", name, shape);
    return false;
}

bool recorded_outputs(const recorded *r, const oc_model *m, const oc_session *s, char *text,
                      size_t size, oc_error *e)
{
    const json_value *all = recorded_entry(r->tree.root, "", "outputs", JSON_ARRAY, e);
    int k = 0, n_wrong = 0;
    if (all && all->n == 0)
        tool_fail(e, OC_FORMAT, "outputs is empty, so there is nothing to compare");
    for (const json_value *of = all ? all->first : NULL; of && e->code == OC_OK;
         of = of->next, k++) {
        char place[PLACE], other[2 * STATS_SHAPE];
        snprintf(place, sizeof place, "outputs[%d]", k);
        const char *name = recorded_text(of, place, "name", e);
        int i = 0;
        while (name && i < oc_model_n_outputs(m) && strcmp(oc_model_output(m, i).name, name) != 0)
            i++;
        if (name && i == oc_model_n_outputs(m))
            tool_fail(e, OC_FORMAT, "%s: the model has no output '%.200s'", place, name);
        const oc_value *v = oc_fetch_value_at(s, i, e);
        if (v &&
            !agrees(of, place, name, v, n_wrong ? other : text, n_wrong ? sizeof other : size, e))
            n_wrong++;
    }
    if (e->code == OC_OK && n_wrong > 1)
        snprintf(text + strlen(text), size - strlen(text), "; %d more differ", n_wrong - 1);
    else if (e->code == OC_OK && n_wrong == 0)
        snprintf(text, size, "%d output%s the recorded bits", k, k == 1 ? " has" : "s have");
    return e->code == OC_OK && n_wrong == 0;
}
