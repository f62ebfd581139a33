/* SPDX-License-Identifier: Apache-2.0
 * test_prepare.c - weights that operators pack with the plan, and that no run reads, leave memory.
 */
#include "graph/build.h"
#include "suite.h"

#include <ocellus.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 32, WEIGHTS = SIDE * SIDE };

static const void *left;
static size_t left_bytes;

static void note(const void *bytes, size_t n)
{
    left = bytes;
    left_bytes = n;
}

/* The model of these ports and nodes, with a weight w of 32 x 32 of the type. */
static oc_model *load(const char *type, const char *ports, const char *nodes, oc_error *e)
{
    char text[4 * WEIGHTS + 2000];
    int at =
        snprintf(text, sizeof text,
                 "<ir_version: 10, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\n"
                 "g (%s) => (y) <float s = {0.5}, uint8 z = {3}, int8 wz = {0}, %s[32,32] w = {",
                 ports, type);
    for (int i = 0; i < WEIGHTS; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d", i ? "," : "", i % 7);
    snprintf(text + at, sizeof text - (size_t)at, "}> {\n%s}\n", nodes);
    return oc_model_load_memory(text, strlen(text), NULL, e);
}

/* Does a session leave the bytes of w, as those of a mapped file would be left? */
static void check(const char *type, const char *ports, const char *nodes)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = load(type, ports, nodes, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const oc_value *w = &m->graph.initializer[m->graph.n_initializer - 1].value;
    ck_assert_int_eq(oc_value_n(w), WEIGHTS);
    left = NULL;
    oc_model_may_leave(m, w->data, oc_value_bytes(w), note, &e);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_msg(left == w->data && left_bytes == oc_value_bytes(w), "%s: w stays", nodes);
    oc_session_free(s);
    oc_model_free(m);
}

START_TEST(packed_weights_leave_memory)
{
    check("float", "float[4,32] x", "y = MatMul (x, w)\n");
    check("int8", "uint8[4,32] x", "y = QLinearMatMul (x, s, z, w, s, wz, s, z)\n");
    check("int8", "uint8[N,32] x", "y = QLinearMatMul (x, s, z, w, s, wz, s, z)\n");
}
END_TEST

/* The plan is then that of another model, which borrows from this one. */
START_TEST(so_where_bodies_are_inlined)
{
    check("float", "float[4,32] x, float[32] b",
          "p = MatMul (x, w)\ny = com.microsoft.BiasGelu (p, b)\n");
}
END_TEST

SUITE("prepare", packed_weights_leave_memory, so_where_bodies_are_inlined)
