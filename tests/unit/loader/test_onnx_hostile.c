/* SPDX-License-Identifier: Apache-2.0
 * test_onnx_hostile.c - damaged binary models, failing allocations, and models made to harm. */
#include "wire.h"

#include "graph/build.h"
#include "graph/check.h"
#include "loader/loader.h"
#include "tricky.h"

#include <time.h>

static oc_model *new_model(const oc_model_options *options)
{
    oc_error e = {0};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(options, &m, &e), OC_OK);
    return m;
}

static wire tricky_bytes(void)
{
    oc_error e = {0};
    wire w = {0};
    oc_model *m = new_model(NULL);
    oc_load_text(m, tricky_model, strlen(tricky_model), &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    m->graph.node[0].opset = 0; /* a binary file cannot say it */
    ck_assert_int_eq(oc_save_onnx(m, &(oc_writer){wire_write, &w}, &e), OC_OK);
    oc_model_free(m);
    return w;
}

/* ---- damage ---- */

/* Loads and checks bytes of exactly this size; any result will do, a fault will not. */
static void survive_bytes(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    heap h = {0};
    uint8_t *exact = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, bytes, size);
    oc_model *m =
        new_model(&(oc_model_options){.alloc = {heap_resize, &h}, .limits.memory_cap = 64 << 20});
    if (oc_load_bytes(m, exact, size, &e) == OC_OK)
        oc_model_check(m, &e);
    ck_assert(e.code == OC_OK || e.text[0]);
    oc_model_free(m);
    ck_assert_uint_eq(h.live, 0);
    free(exact);
}

START_TEST(every_prefix_is_survived)
{
    wire w = tricky_bytes();
    for (size_t n = 0; n <= w.size; n++)
        survive_bytes(w.bytes, n);
    wire_free(&w);
}
END_TEST

START_TEST(every_changed_byte_is_survived)
{
    wire w = tricky_bytes();
    for (size_t i = 0; i < w.size; i++) {
        const uint8_t was = w.bytes[i];
        const uint8_t to[] = {0, 0xff, (uint8_t)(was + 1), (uint8_t)(was - 1), was ^ 0x80, was ^ 8};
        for (size_t k = 0; k < sizeof to; k++) {
            w.bytes[i] = to[k];
            survive_bytes(w.bytes, w.size);
        }
        w.bytes[i] = was;
    }
    wire_free(&w);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    wire w = tricky_bytes();
    oc_status status = OC_NOMEM;
    int k;
    for (k = 1; status != OC_OK; k++) {
        heap h = {.fail_at = k};
        oc_error e = {0};
        oc_model *m = NULL;
        const oc_model_options options = {.alloc = {heap_resize, &h}};
        status = oc_model_new(&options, &m, &e);
        if (status == OC_OK)
            status = oc_load_onnx(m, w.bytes, w.size, &e);
        ck_assert_msg(status == OC_OK || status == OC_NOMEM, "allocation %d: %s", k, e.text);
        oc_model_free(m);
        ck_assert_uint_eq(h.live, 0);
    }
    ck_assert_int_gt(k, 100);
    wire_free(&w);
}
END_TEST

/* ---- hostile ---- */

/* A megabyte of one small field, in a graph or in the model itself. */
static wire megabyte_of(const char *bytes, size_t size, bool in_graph)
{
    wire many = {0}, w = {0};
    while (many.size < 1 << 20)
        wire_raw(&many, bytes, size);
    if (in_graph)
        wire_message(&w, 7, &many);
    else
        w = many;
    return w;
}

START_TEST(a_megabyte_does_not_become_a_hundred)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool in_graph;
    } small[] = {
        {"\x0a\x00", 2, true},                 /* nodes */
        {"\x2a\x00", 2, true},                 /* initializers */
        {"\x5a\x00", 2, true},                 /* inputs */
        {"\x72\x00", 2, true},                 /* annotations */
        {"\x7a\x00", 2, true},                 /* sparse initializers */
        {"\x82\x01\x00", 3, true},             /* metadata */
        {"\x42\x00", 2, false},                /* opsets */
        {"\xca\x01\x00", 3, false},            /* functions */
        {"\x0a\x02\x0a\x00", 4, true},         /* nodes with an input */
        {"\x0a\x02\x2a\x00", 4, true},         /* nodes with an attribute */
        {"\x5a\x04\x12\x02\x0a\x00", 6, true}, /* inputs with a type */
        {"\x2a\x04\x10\x01\x4a\x00", 6, true}, /* tensors with empty raw data */
    };
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        heap h = {0};
        oc_error e = {0};
        wire w = megabyte_of(small[i].bytes, small[i].size, small[i].in_graph);
        oc_model *m = new_model(&(oc_model_options){.alloc = {heap_resize, &h}});
        if (oc_load_bytes(m, w.bytes, w.size, &e) == OC_OK)
            oc_model_check(m, &e);
        ck_assert_int_ne(e.code, OC_OK);
        ck_assert_msg(h.peak < 100 << 20, "case %zu: %zu bytes", i, h.peak);
        oc_model_free(m);
        wire_free(&w);
    }
}
END_TEST

/* Many small nodes with short names, and shapes that are little known: as dense as it gets. */
START_TEST(large_honest_models_fit)
{
    heap h = {0};
    oc_error e = {0};
    wire g = {0};
    for (int i = 0; i < 60000; i++) {
        wire n = {0}, info = {0}, type = {0}, tensor = {0}, shape = {0};
        wire_text(&n, 1, "a");
        wire_text(&n, 1, "b");
        wire_text(&n, 2, "c");
        wire_text(&n, 4, "Add");
        wire_message(&g, 1, &n);
        wire_bytes(&shape, 1, "", 0);
        wire_bytes(&shape, 1, "", 0);
        wire_int(&tensor, 1, OC_F32);
        wire_message(&tensor, 2, &shape);
        wire_message(&type, 1, &tensor);
        wire_text(&info, 1, "c");
        wire_message(&info, 2, &type);
        wire_message(&g, 13, &info);
    }
    wire w = wire_model(&g);
    oc_model *m = new_model(&(oc_model_options){.alloc = {heap_resize, &h}});
    oc_load_onnx(m, w.bytes, w.size, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(m->graph.n_node, 60000);
    oc_model_free(m);
    ck_assert_uint_eq(h.live, 0);
    wire_free(&w);
}
END_TEST

START_TEST(repeated_single_messages_take_no_time)
{
    wire attr = {0}, n = {0}, g = {0};
    oc_error e = {0};
    wire_text(&attr, 1, "a");
    while (attr.size < 1 << 20) /* a graph of one node, again and again */
        wire_raw(&attr, "\x32\x02\x0a\x00", 4);
    wire_message(&n, 5, &attr);
    wire_message(&g, 1, &n);
    wire w = wire_model(&g);
    const clock_t start = clock();
    oc_model *m = new_model(NULL);
    ck_assert_int_eq(oc_load_onnx(m, w.bytes, w.size, &e), OC_FORMAT);
    ck_assert(strstr(e.text, "given twice"));
    ck_assert(clock() - start < CLOCKS_PER_SEC);
    oc_model_free(m);
    wire_free(&w);
}
END_TEST

SUITE("onnx_hostile", every_prefix_is_survived, every_changed_byte_is_survived,
      every_allocation_may_fail, a_megabyte_does_not_become_a_hundred, large_honest_models_fit,
      repeated_single_messages_take_no_time)
