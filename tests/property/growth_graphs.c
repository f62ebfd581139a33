/* SPDX-License-Identifier: Apache-2.0
 * growth_graphs.c - models of n functions, things in graphs within, items, and keys of operators.
 */
#include "growth.h"

/* ---- functions ---- */

static void functions(text_buffer *t, int n)
{
    text_add(t,
             "<ir_version: 10, opset_import: [\"\": 20, \"own\": 1]>\n"
             "g (float x0) => (float x%d) {\n",
             n);
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = own.f%d (x%d)\n", i + 1, i, i);
    text_add(t, "}\n");
    for (int i = 0; i < n; i++)
        text_add(t, "<domain: \"own\", opset_import: [\"\": 20]> f%d (x) => (y) { y = Abs (x) }\n",
                 i);
}

static void calls(text_buffer *t, int n)
{
    text_add(t,
             "<ir_version: 10, opset_import: [\"\": 20, \"own\": 1]>\n"
             "g (float x0) => (float x%d) {\n",
             n);
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = own.f (x%d)\n", i + 1, i);
    text_add(t, "}\n<domain: \"own\", opset_import: [\"\": 20]> f (x) => (y)\n"
                "{ a = Neg (x)\ny = Abs (a) }\n");
}

/* Each function calls the one before, up to a depth that is allowed. */
static void nested_calls(text_buffer *t, int n)
{
    enum { DEPTH = 100 };
    text_add(t,
             "<ir_version: 10, opset_import: [\"\": 20, \"own\": 1]>\n"
             "g (float x0) => (float x%d) {\n",
             n / DEPTH);
    for (int i = 0; i < n / DEPTH; i++)
        text_add(t, "x%d = own.f%d (x%d)\n", i + 1, i * DEPTH + DEPTH - 1, i);
    text_add(t, "}\n");
    for (int i = 0; i < n / DEPTH * DEPTH; i++)
        text_add(t,
                 "<domain: \"own\", opset_import: [\"\": 20, \"own\": 1]> f%d (x) => (y) "
                 "{ a = Neg (x)\ny = own.f%d (a) }\n",
                 i, i % DEPTH ? i - 1 : n);
    text_add(t, "<domain: \"own\", opset_import: [\"\": 20]> f%d (x) => (y) { y = Abs (x) }\n", n);
}

/* Bodies of the library: Softplus has a text in functions/. */
static void bodies(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x0) => (float[2] x%d) {\n", n);
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Softplus (x%d)\n", i + 1, i);
    text_add(t, "}\n");
}

static void dots(text_buffer *t, int n)
{
    text_add(t, "<ir_version: 10, opset_import: [\"\": 20, \"a");
    for (int k = 0; k < 3; k++) {
        for (int i = 1; i < n; i++)
            text_add(t, ".a");
        text_add(t, k == 0   ? "\": 1]>\ng (float x) => (float y) { y = a"
                    : k == 1 ? ".f (x) }\n<domain: \"a"
                             : "\", opset_import: [\"\": 20]> f (x) => (y) { y = Abs (x) }\n");
    }
}

/* ---- graphs within ---- */

static void branches(text_buffer *t, int n)
{
    text_add(t, HEADER "g (bool c, float x0) => (float x%d) {\n", n);
    for (int i = 0; i < n; i++)
        text_add(t,
                 "x%d = If (c) <then_branch = a () => (float p%d) { p%d = Abs (x%d) },\n"
                 "else_branch = b () => (float q%d) { q%d = Neg (x%d) }>\n",
                 i + 1, i, i, i, i, i, i);
    text_add(t, "}\n");
}

static void captures_at(text_buffer *t, int n, int depth)
{
    text_add(t, HEADER "g (bool c, float x0) => (float y0) {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Abs (x%d)\n", i + 1, i);
    for (int k = 0; k < depth; k++)
        text_add(t,
                 "y%d = If (c) <else_branch = e () => (float z%d) { z%d = Neg (x0) },\n"
                 "then_branch = t () => (float y%d) {\n",
                 k, k, k, k + 1);
    text_add(t, "y%d = Max (x0", depth);
    for (int i = 0; i < n; i++)
        text_add(t, ", x%d", i);
    text_add(t, ")\n");
    for (int k = 0; k < depth; k++)
        text_add(t, "}>\n");
    text_add(t, "}\n");
}

static void captures(text_buffer *t, int n)
{
    captures_at(t, n, 1);
}

static void deep_captures(text_buffer *t, int n)
{
    captures_at(t, n, 24);
}

/* Uses by one node of a value that is named like an outer one, and so gets another name. */
static void hidden_names(text_buffer *t, int n)
{
    text_add(t, HEADER "g (bool c, float[1] x) => (float[N] y) {\n"
                       "y = If (c) <then_branch = a () => (float[N] z) {\n"
                       "x = Constant <value = float[1] {1}> ()\n"
                       "z = Concat <axis = 0> (x");
    for (int i = 1; i < n; i++)
        text_add(t, ", x");
    text_add(t, ")\n}, else_branch = b () => (float[1] z) { z = Neg (x) }>\n}\n");
}

static void loop_nodes(text_buffer *t, int n)
{
    text_add(t,
             HEADER "g (bool c, float x) => (float y, float[N] all) {\n"
                    "three = Constant <value_int = 3> ()\nyes = Constant <value = bool {1}> ()\n"
                    "y, all = Loop <body = b (int64 i, bool go, float x0) => "
                    "(bool again, float x%d, float out) {\nagain = Identity (go)\n",
             n);
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Abs (x%d)\n", i + 1, i);
    text_add(t, "out = Identity (x%d)\n}> (three, yes, x) }\n", n);
}

static void carried(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x) => (float y0) {\n"
                       "three = Constant <value_int = 3> ()\nyes = Constant <value = bool {1}> ()\n"
                       "y0");
    for (int i = 1; i < n; i++)
        text_add(t, ", y%d", i);
    text_add(t, " = Loop <body = b (int64 i, bool go");
    for (int i = 0; i < n; i++)
        text_add(t, ", float a%d", i);
    text_add(t, ") => (bool again");
    for (int i = 0; i < n; i++)
        text_add(t, ", float b%d", i);
    text_add(t, ") {\nagain = Identity (go)\n");
    for (int i = 0; i < n; i++)
        text_add(t, "b%d = Abs (a%d)\n", i, i);
    text_add(t, "}> (three, yes");
    for (int i = 0; i < n; i++)
        text_add(t, ", x");
    text_add(t, ")\n}\n");
}

static void rounds(text_buffer *t, int n)
{
    text_add(t,
             HEADER "g (float x) => (float y, float[N] all) {\n"
                    "n = Constant <value_int = %d> ()\nyes = Constant <value = bool {1}> ()\n"
                    "y, all = Loop <body = b (int64 i, bool go, float x0) => "
                    "(bool again, float x1, float out) {\nagain = Identity (go)\n"
                    "x1 = Abs (x0)\nout = Neg (x1)\n}> (n, yes, x) }\n",
             n);
}

/* ---- sequences ---- */

static void items(text_buffer *t, int n)
{
    text_add(t,
             HEADER "g (float[%d] x) => (float[M] y, int64 l) {\n"
                    "s = SplitToSequence <keepdims = 1> (x)\nl = SequenceLength (s)\n"
                    "y = ConcatFromSequence <axis = 0> (s)\n}\n",
             n);
}

/* Buffers of many sizes, many of each. */
static void sized_items(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x) => (float[M] y) <int64[%d] sizes = {1", n);
    int total = 1;
    for (int i = 1; i < n; i++) {
        text_add(t, ", %d", 1 + i % 7 * 16);
        total += 1 + i % 7 * 16;
    }
    text_add(t,
             "}> {\nshape = Constant <value_ints = [%d]> ()\nwide = Expand (x, shape)\n"
             "s = SplitToSequence (wide, sizes)\ny = ConcatFromSequence <axis = 0> (s)\n}\n",
             total);
}

static void constructed(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[1] x) => (float[M] y) {\ns = SequenceConstruct (x");
    for (int i = 1; i < n; i++)
        text_add(t, ", x");
    text_add(t, ")\ny = ConcatFromSequence <axis = 0> (s)\n}\n");
}

/* ---- lists that operators look things up in ---- */

static void keys(text_buffer *t, int n)
{
    for (int values = 0; values < 2; values++) {
        text_add(t, values ? "], values_int64s = [0"
                           : "<ir_version: 10, opset_import: [\"\": 20, \"ai.onnx.ml\": 4]>\n"
                             "g (string[1] x) => (int64[M] y, int64[K] u) {\n"
                             "y = ai.onnx.ml.LabelEncoder <keys_strings = [\"\"");
        for (int i = 1; i < n; i++)
            text_add(t, values ? ", %d" : ", \"key %d\"", i);
    }
    text_add(t,
             "]> (x)\nn = Constant <value_ints = [%d]> ()\nw = Expand (y, n)\n"
             "one = Constant <value_int = 1> ()\nr = CumSum (w, zero)\nu = Unique (r)\n"
             "zero = Constant <value_int = 0> ()\n}\n",
             n);
}

static void grams(text_buffer *t, int n)
{
    text_add(t,
             HEADER "g (int64[1] x) => (float[M] y) {\nn = Constant <value_ints = [%d]> ()\n"
                    "w = Expand (x, n)\ny = TfIdfVectorizer <max_gram_length = 1, "
                    "max_skip_count = 0, min_gram_length = 1, mode = \"TF\", "
                    "ngram_counts = [0], ngram_indexes = [0",
             n);
    for (int i = 1; i < n; i++)
        text_add(t, ", %d", i);
    text_add(t, "], pool_int64s = [0");
    for (int i = 1; i < n; i++)
        text_add(t, ", %d", i);
    text_add(t, "]> (w) }\n");
}

const growth growths_of_graphs[] = {
    {"functions", functions, 1250, false},
    {"calls", calls, 1250, false},
    {"functions that call each other", nested_calls, 1250, false},
    {"bodies of operators", bodies, 1000, false},
    {"dots", dots, 12500, false},
    {"branches", branches, 750, false},
    {"captures", captures, 2500, false},
    {"captures through many graphs", deep_captures, 750, false},
    {"uses of a hidden name", hidden_names, 2500, false},
    {"nodes in a loop", loop_nodes, 2000, false},
    {"values that a loop carries", carried, 2000, false},
    {"rounds of a loop", rounds, 7500, false},
    {"items of a sequence", items, 5000, false},
    {"items of many sizes", sized_items, 1250, false},
    {"items given one by one", constructed, 5000, false},
    {"keys", keys, 5000, false},
    {"grams", grams, 5000, false},
    {NULL, NULL, 0, false},
};
