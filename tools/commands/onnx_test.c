/* SPDX-License-Identifier: Apache-2.0
 * onnx_test.c - runs one test in the layout of ONNX's backend tests. */
#include "commands/onnx_test.h"

#include "session/inputs.h"
#include "common/json_read.h"
#include "common/limits.h"

static char *path_in(const char *dir, const char *name)
{
    return tool_format("%s/%s", dir, name);
}

bool test_is_folder(const char *dir)
{
    char *model = path_in(dir, "model.onnx");
    const bool yes = io_exists(model);
    free(model);
    return yes;
}

static compare_bound read_bound(const char *dir, const compare_bound *otherwise, oc_error *e)
{
    compare_bound bound = *otherwise;
    io_bytes b;
    char *path = path_in(dir, "data.json");
    if (io_exists(path)) {
        json_tree t;
        io_read(path, 1 << 20, &b, e);
        json_read(&t, b.data, b.size, JSON_STRICT, path, e);
        bound.rtol = json_number_of(json_get(t.root, "rtol"), bound.rtol);
        bound.atol = json_number_of(json_get(t.root, "atol"), bound.atol);
        json_tree_free(&t);
        io_bytes_free(&b);
    }
    free(path);
    return bound;
}

/* Writes "unsupported: A-13, com.me::B-1" into v->text. Returns false when everything is
 * supported. */
static bool list_unsupported(const oc_model *m, test_verdict *v)
{
    oc_model_operator op;
    size_t at = (size_t)snprintf(v->text, sizeof v->text, "unsupported:");
    int n = 0;
    for (int i = 0; oc_model_operator_at(m, i, &op) && at < sizeof v->text; i++)
        if (op.support == OC_SUPPORT_NONE)
            at += (size_t)snprintf(v->text + at, sizeof v->text - at, "%s %s%s%s-%lld",
                                   n++ ? "," : "", op.domain, *op.domain ? "::" : "", op.name,
                                   (long long)op.opset);
    if (!n)
        v->text[0] = 0;
    return n > 0;
}

static void list_operators(const oc_model *m, test_verdict *v)
{
    oc_model_operator op;
    size_t at = 0;
    v->operators[0] = 0;
    for (int i = 0; oc_model_operator_at(m, i, &op); i++) {
        const char *colons = *op.domain ? "::" : "";
        const size_t size = strlen(op.domain) + strlen(colons) + strlen(op.name) + 1;
        if (size < sizeof v->operators - at)
            at += (size_t)snprintf(v->operators + at, sizeof v->operators - at, "%s%s%s ",
                                   op.domain, colons, op.name);
    }
}

bool test_note_operators(const oc_model *m, test_verdict *v)
{
    list_operators(m, v);
    if (list_unsupported(m, v))
        v->state = TEST_SKIP;
    return v->state != TEST_SKIP;
}

/* Compares output i with the value in the file path. Returns false when it differs or cannot be
 * compared. */
static bool compare_output(const char *path, const oc_model *m, const oc_session *s, int i,
                           const compare_bound *bound, test_verdict *v, oc_error *e)
{
    const tensor_options file = {.cap = LIMIT_FILE, .quiet = true};
    if (i >= oc_model_n_outputs(m)) {
        tool_fail(e, OC_VALUE, "%s: the model has only %d outputs", path, oc_model_n_outputs(m));
        return false;
    }
    const oc_port port = oc_model_output(m, i);
    oc_value *want = tensor_read(path, &port, &file, NULL, e);
    const oc_value *got = oc_fetch_value_at(s, i, e);
    compare_result c = {.agrees = false};
    char figures[COMPARE_FIGURES];
    if (want && got)
        c = compare_values(got, want, bound);
    if (want && got)
        compare_add(&v->sum, &c);
    if (want && got && !c.agrees)
        snprintf(v->text, sizeof v->text, "output '%s': %s%s%s", port.name, c.text, c.n ? "; " : "",
                 c.n ? compare_figures(&c, figures) : "");
    oc_value_free(want);
    return c.agrees;
}

static bool run_data_set(const char *dir, const oc_model *m, oc_session *s,
                         const compare_bound *bound, test_verdict *v, oc_error *e)
{
    const tensor_options file = {.cap = LIMIT_FILE, .quiet = true};
    inputs in = inputs_new(m, &file);
    inputs_read_dir(&in, dir, e);
    inputs_bind(&in, s, e);
    oc_run(s, e);
    bool agrees = e->code == OC_OK;
    int n = 0;
    for (bool found = true; agrees && found; n++) {
        char *path = tool_format("%s/output_%d.pb", dir, n);
        found = io_exists(path);
        if (found)
            agrees = compare_output(path, m, s, n, bound, v, e);
        else if (n == 0)
            tool_fail(e, OC_IO, "%s: no expected outputs", dir);
        free(path);
    }
    inputs_free(&in);
    return agrees && e->code == OC_OK;
}

static bool run_data_sets(const char *dir, const oc_model *m, const test_options *o,
                          test_verdict *v, oc_error *e)
{
    oc_session_options options = session_args_options(&o->session);
    options.bodies = o->bodies;
    const compare_bound bound = read_bound(dir, &o->bound, e);
    bool agrees = true;
    for (int k = 0; agrees; k++) {
        char *set = tool_format("%s/test_data_set_%d", dir, k);
        const bool found = io_is_dir(set);
        if (found) {
            oc_session *s = oc_session_new(m, &options, e);
            agrees = s && run_data_set(set, m, s, &bound, v, e);
            oc_session_free(s);
        } else if (k == 0) {
            tool_fail(e, OC_IO, "%s: no test_data_set_0", dir);
        }
        free(set);
        if (!found)
            break;
    }
    return agrees && e->code == OC_OK;
}

test_verdict test_run(const char *dir, const test_options *o)
{
    test_verdict v = {.state = TEST_PASS, .sum = {.agrees = true}};
    oc_error e = {0};
    char *path = path_in(dir, "model.onnx");
    oc_model *m = session_open_next(path, &o->session, o->seen, &e);
    if (m && test_note_operators(m, &v) && !run_data_sets(dir, m, o, &v, &e))
        v.state = TEST_FAIL;
    if (e.code != OC_OK) {
        v.state = e.code == OC_UNSUPPORTED ? TEST_SKIP : TEST_FAIL;
        snprintf(v.text, sizeof v.text, "%s: %s", oc_status_name(e.code), e.text);
    }
    oc_model_free(m);
    free(path);
    return v;
}
