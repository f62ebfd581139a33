/* SPDX-License-Identifier: Apache-2.0
 * test_ports.c - inputs and outputs are found by name, and inputs with a default are known. */
#include "models.h"

#include "graph/ports.h"

START_TEST(ports_are_found)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = model_checked(
        "<ir_version: 10, opset_import: [\"\": 20]>\n"
        "g (float a, float b = {1}, float[2] s, float c) => (float x, float y, float x)\n"
        "<sparse_tensor(float[2]) s = float[1] {1} at int64[1] {0}, float w = {2}>\n"
        "{ x = Add (a, w)\ny = Add (b, c) }");
    ck_assert_int_eq(oc_model_index_ports(m, &e), OC_OK);
    ck_assert_int_eq(oc_model_find_input(m, "a"), 0);
    ck_assert_int_eq(oc_model_find_input(m, "b"), 1);
    ck_assert_int_eq(oc_model_find_input(m, "c"), 3);
    ck_assert_int_eq(oc_model_find_output(m, "x"), 0);
    ck_assert_int_eq(oc_model_find_output(m, "y"), 1);
    static const char *const others[] = {"w", "x", "none", ""};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(oc_model_find_input(m, others[i]), -1);
    ck_assert_int_eq(oc_model_find_output(m, "a"), -1);
    static const bool has_default[] = {false, true, true, false};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(m->has_default[i], has_default[i]);
    oc_model_free(m);
}
END_TEST

SUITE("ports", ports_are_found)
