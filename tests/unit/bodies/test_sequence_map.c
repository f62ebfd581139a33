/* SPDX-License-Identifier: Apache-2.0
 * test_sequence_map.c - SequenceMap's body as text, for calls of several shapes. */
#include "suite.h"

#include "graph/build.h"
#include "bodies/library.h"
#include "models.h"

#define HEAD   "<ir_version: 10, opset_import: [\"\": 17]> g (seq(float) s, float t, u) => (y) {"
#define IMPORT "<domain: \"\", opset_import: [\"\" : 17, \"attribute\" : 1]>\n"

/* The text for the first node, or the error. */
static void check(const char *nodes, const char *expected)
{
    char text[600];
    oc_error e = {.code = OC_OK};
    snprintf(text, sizeof text, HEAD "%s }", nodes);
    oc_model *m = model_read(text);
    oc_types types = oc_types_new(&m->arena, NULL);
    for (int i = 0; i < m->graph.n_input; i++)
        oc_type_put(&types.of, m->graph.input[i].name, oc_type_declared(&m->graph.input[i].type));
    const oc_body_call call = {&m->graph.node[0], &types, 17};
    const char *printed;
    const oc_status status = oc_print_sequence_map(&call, &m->arena, &printed, &e);
    ck_assert_str_eq(status == OC_OK ? printed : e.text, expected);
    ck_assert_int_eq(status, e.code);
    oc_model_free(m);
}

START_TEST(a_loop_over_the_items)
{
    check("y = SequenceMap <body = b (x) => (int64[N] z) { z = Shape (x) }> (s)",
          IMPORT "SequenceMap <body> (in_0) => (out_0)\n"
                 "{\n"
                 "  n = SequenceLength (in_0)\n"
                 "  go = Constant <value: tensor = bool {1}> ()\n"
                 "  empty_0 = SequenceEmpty <dtype = 7> ()\n"
                 "  out_0 = Loop <body = step (int64 i, bool going, seq(int64) before_0) => (bool "
                 "goes_on, seq(int64) after_0) {\n"
                 "    item_0 = SequenceAt (in_0, i)\n"
                 "    result_0 = attribute.body (item_0)\n"
                 "    after_0 = SequenceInsert (before_0, result_0)\n"
                 "    goes_on = Identity (going)\n"
                 "  }> (n, go, empty_0)\n"
                 "}\n");
}
END_TEST

START_TEST(sequences_and_tensors_side_by_side)
{
    check("y = SequenceMap <body = b (p, q, r) => (float z, float16 w) {}> (s, t, s)", IMPORT
          "SequenceMap <body> (in_0, in_1, in_2) => (out_0, out_1)\n"
          "{\n"
          "  n = SequenceLength (in_0)\n"
          "  go = Constant <value: tensor = bool {1}> ()\n"
          "  empty_0 = SequenceEmpty <dtype = 1> ()\n"
          "  empty_1 = SequenceEmpty <dtype = 10> ()\n"
          "  out_0, out_1 = Loop <body = step (int64 i, bool going, seq(float) before_0, "
          "seq(float16) before_1) => (bool goes_on, seq(float) after_0, seq(float16) after_1) "
          "{\n"
          "    item_0 = SequenceAt (in_0, i)\n"
          "    item_1 = Identity (in_1)\n"
          "    item_2 = SequenceAt (in_2, i)\n"
          "    result_0, result_1 = attribute.body (item_0, item_1, item_2)\n"
          "    after_0 = SequenceInsert (before_0, result_0)\n"
          "    after_1 = SequenceInsert (before_1, result_1)\n"
          "    goes_on = Identity (going)\n"
          "  }> (n, go, empty_0, empty_1)\n"
          "}\n");
}
END_TEST

START_TEST(calls_that_cannot_be_printed)
{
    check("y = SequenceMap <body = b (p, q) => (float z) {}> (s, u)",
          "node of 'y' (SequenceMap-17): the type of input 1 is not known, which its body depends "
          "on: "
          "expected a declared one");
    check("y = SequenceMap <body = b (p) => (z) {}> (s)",
          "node of 'y' (SequenceMap-17): output 0 of the graph has no type, expected a declared "
          "tensor");
    check("[m] y = SequenceMap <body = b (p) => (float z) {}> (s, t)",
          "node 'm' (SequenceMap-17): its graph has 1 inputs and 1 outputs, expected 2 and 1 as "
          "the node has");
    check("y = SequenceMap (s)",
          "node of 'y' (SequenceMap-17): attribute 'body' is missing, expected a "
          "graph");
}
END_TEST

SUITE("sequence_map", a_loop_over_the_items, sequences_and_tensors_side_by_side,
      calls_that_cannot_be_printed)
