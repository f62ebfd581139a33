/* SPDX-License-Identifier: Apache-2.0
 * found.c - writes and reads a case as a file: a model in ONNX text whose inputs have the case's
 * numbers as defaults. */
#include "check/found.h"

#include "common/number.h"
#include "files/io.h"

/* A text that grows. */
typedef struct growing {
    char *at;
    size_t size;
} growing;

static void put(growing *t, const char *more, size_t size)
{
    t->at = tool_grow(t->at, t->size + size + 1, 1);
    if (size)
        memcpy(t->at + t->size, more, size);
    t->size += size;
    t->at[t->size] = 0;
}

static void put_text(growing *t, const char *more)
{
    put(t, more, strlen(more));
}

bool check_is_file(const char *name)
{
    return name && io_ends_with(name, ".onnxtxt");
}

/* ---- writing ---- */

static void put_string(growing *t, const oc_string *s)
{
    put_text(t, "\"");
    for (size_t i = 0; i < s->size; i++) {
        if (strchr("\"\\", s->data[i]))
            put_text(t, "\\");
        put(t, s->data + i, 1);
    }
    put_text(t, "\"");
}

/* Writes a float with a point, because in types below 32 bits an integer would be a code. */
static void put_element(growing *t, const oc_value *v, int64_t i)
{
    char number[NUMBER_TEXT];
    const oc_type type = oc_value_type(v);
    if (type == OC_STRING) {
        put_string(t, (const oc_string *)oc_value_data(v) + i);
        return;
    }
    if (type == OC_BOOL)
        snprintf(number, sizeof number, "%d", number_unsigned(type, oc_value_data(v), i) != 0);
    else
        number_text(type, oc_value_data(v), i, number_digits(type), number);
    put_text(t, number);
    if (number_is_float(type) && strspn(number, "+-0123456789") == strlen(number))
        put_text(t, ".0");
}

static void put_elements(growing *t, const oc_value *v)
{
    put_text(t, " = {");
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        if (i)
            put_text(t, ", ");
        put_element(t, v, i);
    }
    put_text(t, "}");
}

/* Returns "<ir_version: 10, opset_import: [...]", followed by the bound in the metadata. */
static const char *put_head(growing *t, const check_case *c)
{
    const char *end = strstr(c->model, ">\n");
    char props[160];
    put(t, c->model, (size_t)(end - c->model));
    snprintf(props, sizeof props,
             ", metadata_props: [\"check.rtol\": \"%.17g\", \"check.atol\": \"%.17g\"%s]",
             c->bound.rtol, c->bound.atol, c->bound.signs ? ", \"check.signs\": \"1\"" : "");
    put_text(t, props);
    return end;
}

char *check_found_text(const check_case *c, const char *comment)
{
    growing t = {0};
    for (const char *line = comment; *line;) {
        const size_t size = strcspn(line, "\n");
        put_text(&t, "# ");
        put(&t, line, size);
        put_text(&t, "\n");
        line += size + (line[size] != 0);
    }
    const char *at = put_head(&t, c), *ports = strchr(at, '(') + 1;
    put(&t, at, (size_t)(ports - at));
    for (int i = 0; i < c->n_in; i++) {
        const char *close = strchr(ports, ']') + 1; /* where the dims of a port end */
        const size_t size = (size_t)(close - ports) + strcspn(close, ",)");
        put(&t, ports, size);
        put_elements(&t, c->in[i]);
        ports += size;
    }
    put_text(&t, ports);
    return t.at;
}

void check_found_write(const char *path, const char *text, oc_error *e)
{
    io_file f;
    io_create(&f, path, e);
    if (f.stream)
        fputs(text, f.stream); /* a case that was found before SIGINT is written too */
    io_commit(&f, e);
}

/* ---- reading ---- */

static void read_bound(const oc_model *m, compare_bound *bound)
{
    const char *key, *value;
    for (int i = 0; (key = oc_model_metadata(m, i, &value)) != NULL; i++) {
        if (strcmp(key, "check.rtol") == 0)
            *bound = (compare_bound){.rtol = strtod(value, NULL)};
        else if (strcmp(key, "check.atol") == 0)
            bound->atol = strtod(value, NULL);
        else if (strcmp(key, "check.signs") == 0)
            bound->signs = strcmp(value, "1") == 0;
    }
}

/* Checks that the case gives all its inputs. */
static void check_inputs_given(const char *path, const oc_model *m, oc_error *e)
{
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        if (!oc_model_input(m, i).has_default)
            tool_fail(e, OC_ARGUMENT,
                      "%s: input '%s' has no default; expected a case, whose inputs all have one",
                      path, oc_model_input(m, i).name);
}

void check_found_read(const char *path, const compare_bound *otherwise, check_case *out,
                      oc_error *e)
{
    enum { MOST_TEXT = 1 << 26 };
    io_bytes bytes = {0};
    *out = (check_case){.defect = -1, .bound = *otherwise};
    io_read(path, MOST_TEXT, &bytes, e);
    if (e->code != OC_OK)
        return;
    out->model = tool_format("%.*s", (int)bytes.size, (const char *)bytes.data);
    io_bytes_free(&bytes);
    oc_model *m = oc_model_load_memory(out->model, strlen(out->model), NULL, e);
    if (e->code != OC_OK) {
        const oc_error found = *e;
        snprintf(e->text, sizeof e->text, "%.300s: %.700s", path, found.text);
    } else {
        check_inputs_given(path, m, e);
        read_bound(m, &out->bound);
        out->n_out = oc_model_n_outputs(m);
    }
    snprintf(out->group, sizeof out->group, "%.300s", path);
    snprintf(out->name, sizeof out->name, "%.300s", path);
    oc_model_free(m);
}
