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

SUITE("external_host", memory_models_ask_the_host, memory_models_may_have_a_folder,
      models_from_a_path_ask_the_host_first, a_tensor_may_be_given_in_place_of_external_data)
