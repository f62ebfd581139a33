/* SPDX-License-Identifier: Apache-2.0
 * test_external_host.c - external data that the host gives, and a folder that it names. */
#define _POSIX_C_SOURCE 200809L
#include "external_folder.h"

typedef struct host {
    float weights[2];
    int calls;
    bool refuse;
} host;

static bool open_external(void *ctx, const char *location, const void **bytes, size_t *size)
{
    host *h = ctx;
    h->calls++;
    if (h->refuse || strcmp(location, "../any") != 0)
        return false;
    *bytes = h->weights;
    *size = sizeof h->weights;
    return true;
}

static oc_status load_memory(const char *location, const oc_model_options *options, float *first,
                             oc_error *e)
{
    wire w = make_model(location, NULL, "8");
    oc_model *m = new_model(options);
    *e = (oc_error){0};
    if (oc_load_bytes(m, w.bytes, w.size, e) == OC_OK)
        memcpy(first, m->graph.initializer[0].value.data, sizeof *first);
    oc_model_free(m);
    wire_free(&w);
    return e->code;
}

START_TEST(memory_models_ask_the_host)
{
    host h = {.weights = {7, 8}};
    oc_error e;
    float first = 0;
    oc_model_options options = {.external = open_external, .external_ctx = &h};
    ck_assert_int_eq(load_memory("w.bin", NULL, &first, &e), OC_IO);
    ck_assert(strstr(e.text, "comes from no folder"));
    ck_assert_int_eq(load_memory("../any", &options, &first, &e), OC_OK);
    ck_assert(first == 7);
    ck_assert_int_eq(h.calls, 1);
    ck_assert_int_eq(load_memory("other", &options, &first, &e), OC_IO);
    ck_assert(strstr(e.text, "the host refused it"));
    h.refuse = true;
    ck_assert_int_eq(load_memory("../any", &options, &first, &e), OC_IO);
}
END_TEST

START_TEST(memory_models_may_have_a_folder)
{
    oc_error e;
    float first = 0;
    make_folder();
    const oc_model_options options = {.external_dir = folder};
    ck_assert_int_eq(load_memory("w.bin", &options, &first, &e), OC_OK);
    ck_assert(first == 1);
    ck_assert_int_eq(load_memory("../outside.bin", &options, &first, &e), OC_IO);
    ck_assert_int_eq(load_memory("soft.bin", &options, &first, &e), OC_IO);
    remove_folder();
}
END_TEST

START_TEST(models_from_a_path_ask_the_host_first)
{
    host h = {.weights = {7, 8}};
    make_folder();
    for (int i = 0; i < 2; i++) {
        oc_error e = {0};
        wire w = make_model(i ? "w.bin" : "../any", NULL, "8");
        oc_model *m = new_model(&(oc_model_options){.external = open_external, .external_ctx = &h});
        put_file(at(folder, "m.onnx"), w.bytes, w.size);
        ck_assert_int_eq(oc_load_file(m, at(folder, "m.onnx"), &e), OC_OK);
        ck_assert(*(const float *)m->graph.initializer[0].value.data == (i ? 1 : 7));
        oc_model_free(m);
        wire_free(&w);
    }
    remove_folder();
}
END_TEST

static const void *give_weight(void *ctx, const char *name, const char *location, int64_t offset,
                               size_t size)
{
    host *h = ctx;
    h->calls++;
    ck_assert_str_eq(name, "w");
    ck_assert_str_eq(location, "../any");
    ck_assert_int_eq(offset, 0);
    ck_assert_uint_eq(size, sizeof h->weights);
    return h->refuse ? NULL : h->weights;
}

START_TEST(a_tensor_may_be_given_in_place_of_external_data)
{
    host h = {.weights = {7, 8}};
    oc_error e = {0};
    float first = 0;
    const oc_model_options options = {.initializer = give_weight, .external_ctx = &h};
    ck_assert_int_eq(load_memory("../any", &options, &first, &e), OC_OK);
    ck_assert(first == 7);
    h.refuse = true;
    ck_assert_int_eq(load_memory("../any", &options, &first, &e), OC_IO);
    ck_assert_int_eq(h.calls, 2);

    make_folder();
    wire w = make_model("../any", NULL, "8");
    put_file(at(folder, "m.onnx"), w.bytes, w.size);
    h.refuse = false;
    oc_model *m = new_model(&options);
    e = (oc_error){0};
    oc_load_file(m, at(folder, "m.onnx"), &e);
    ck_assert_int_eq(e.code, OC_OK);
    ck_assert(*(float *)m->graph.initializer[0].value.data == 7);
    oc_model_free(m);
    wire_free(&w);
    remove_folder();
}
END_TEST

/* ---- data that cannot be read */

static oc_model *load_lost(const char *text, oc_error *e)
{
    const oc_model_options options = {.without_weights = true};
    *e = (oc_error){0};
    return oc_model_load_memory(text, strlen(text), &options, e);
}

/* Runs the model with 3 in each element of each input; returns the first element of the output. */
static float run_lost(const oc_model *m, oc_error *e)
{
    const float three[] = {3, 3};
    const int64_t dim[] = {2};
    oc_session *s = oc_session_new(m, NULL, e);
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        oc_bind(s, oc_model_input(m, i).name, OC_F32, 1, dim, three, e);
    oc_run(s, e);
    const float *y = oc_fetch(s, "y", NULL, e);
    const float first = y ? *y : 0;
    oc_session_free(s);
    return first;
}

static const char lost_text[] =
    "<ir_version: 8, opset_import: [\"\": 17]>\n"
    "g ({doc_string: \"left\"} float[2] x, float[2] d = [\"location\": \"lost\"]) => (float[2] y)\n"
    "<float[2] w = [\"location\": \"../lost\", \"offset\": 8], float[2] k = {10, 20}>\n"
    "{ t = Mul (x, w) u = Add (t, k) y = Add (u, d) }";

START_TEST(initializers_that_cannot_be_read_become_inputs)
{
    static const char *const names[] = {"x", "d", "w"}, *const weights[] = {"k", "d", "w"};
    oc_error e;
    oc_weight w;
    oc_model *m = load_lost(lost_text, &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    ck_assert_int_eq(oc_model_n_inputs(m), 3);
    for (int i = 0; i < 3; i++) {
        const oc_port p = oc_model_input(m, i);
        ck_assert_str_eq(p.name, names[i]);
        ck_assert(!p.has_default && p.type == OC_F32 && p.rank == 1 && p.dim[0] == 2);
        ck_assert(oc_model_weight_at(m, i, &w) && w.rank == 1 && w.dim[0] == 2 && w.bytes == 8);
        ck_assert_str_eq(w.name, weights[i]);
        ck_assert(w.external == (i > 0));
    }
    ck_assert(!oc_model_weight_at(m, 3, &w) && !oc_model_weight_at(m, -1, &w));
    ck_assert_str_eq(oc_model_input(m, 0).description, "left");
    ck_assert_ptr_null(oc_model_input(m, 2).description);
    const oc_model_info info = oc_model_describe(m);
    ck_assert(info.n_initializers == 1 && info.n_parameters == 2 && info.n_remarks == 1);
    ck_assert_str_eq(info.remarks[0],
                     "the elements of 2 initializers cannot be read, the first: external data "
                     "'lost': it is refused for a model that comes from no folder");
    ck_assert(run_lost(m, &e) == 3 * 3 + 10 + 3);
    ck_assert_int_eq(e.code, OC_OK);
    oc_model_free(m);
    m = oc_model_load_memory(lost_text, sizeof lost_text - 1, NULL, &e);
    ck_assert(m == NULL && e.code == OC_IO);
}
END_TEST

START_TEST(so_do_binary_ones)
{
    static const struct {
        const char *location, *offset, *why;
    } rows[] = {{"none.bin", "0", "external data 'none.bin': No such file"},
                {"w.bin", "12", "reach past the end of the file"},
                {"soft.bin", "0", "a link leads out of the folder"},
                {"/etc/passwd", "0", "absolute paths are refused"}};
    make_folder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wire w = make_model(rows[i].location, rows[i].offset, "8");
        oc_error e = {0};
        oc_model *m = new_model(&(oc_model_options){.without_weights = true});
        put_file(at(folder, "m.onnx"), w.bytes, w.size);
        ck_assert_msg(oc_load_file(m, at(folder, "m.onnx"), &e) == OC_OK, "%s", e.text);
        ck_assert(m->graph.n_initializer == 0 && m->graph.n_input == 1 && m->n_lost == 1);
        ck_assert_str_eq(m->graph.input[0].name, "w");
        ck_assert_msg(strstr(m->remark[0], rows[i].why) != NULL, "%s", m->remark[0]);
        oc_model_free(m);
        wire_free(&w);
    }
    remove_folder();
}
END_TEST

/* Malformed places, and initializers of graphs within nodes. */
START_TEST(other_mistakes_stay_errors)
{
    oc_error e;
    ck_assert_ptr_null(load_lost("<ir_version: 8, opset_import: [\"\": 17]>\n"
                                 "g (float[2] x, bool b) => (float[2] y)\n{ y = If <then_branch = "
                                 "t () => (float[2] k) <float[2] w = [\"location\": \"lost\"]> "
                                 "{ k = Neg (w) }, else_branch = e () => (float[2] k) "
                                 "{ k = Neg (x) }> (b) }",
                                 &e));
    ck_assert_msg(e.code == OC_IO && strstr(e.text, "'lost': it is refused"), "%s", e.text);
    wire w = make_model("w.bin", "minus", "8");
    oc_model *m = new_model(&(oc_model_options){.without_weights = true});
    e = (oc_error){0};
    ck_assert_int_eq(oc_load_bytes(m, w.bytes, w.size, &e), OC_FORMAT);
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

SUITE("external_host", initializers_that_cannot_be_read_become_inputs, so_do_binary_ones,
      other_mistakes_stay_errors, memory_models_ask_the_host, memory_models_may_have_a_folder,
      models_from_a_path_ask_the_host_first, a_tensor_may_be_given_in_place_of_external_data)
