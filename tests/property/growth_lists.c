/* SPDX-License-Identifier: Apache-2.0
 * growth_lists.c - models of n names, nodes, ports, initializers, attributes and descriptions. */
#include "growth.h"

/* ---- names, nodes and ports ---- */

static void nodes(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x0) => (float[2] x%d) {\n", n);
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Abs (x%d)\n", i + 1, i);
    text_add(t, "}\n");
}

static void nodes_backwards(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x0) => (float[2] x%d) {\n", n);
    for (int i = n - 1; i >= 0; i--)
        text_add(t, "x%d = Abs (x%d)\n", i + 1, i);
    text_add(t, "}\n");
}

static void readers(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x) => (float[2] y0) {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "y%d = Abs (x)\n", i);
    text_add(t, "}\n");
}

static void same_nodes(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x) => (float[2] y0) <float[2] w = {1, 2}> {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "a%d = Add (x, w)\nb%d = MatMul (a%d, w)\ny%d = Add (b%d, b%d)\n", i, i, i, i,
                 i, i);
    text_add(t, "}\n");
}

static void long_names(text_buffer *t, int n)
{
    static const char part[] = "a_long_part_of_a_name_which_all_the_names_have_in_common_";
    text_add(t, HEADER "g (float[2] %s0) => (float[2] %s%d) {\n", part, part, n);
    for (int i = 0; i < n; i++)
        text_add(t, "[\"node/%s%d\"] %s%d = Abs (%s%d)\n", part, i, part, i + 1, part, i);
    text_add(t, "}\n");
}

static void name_bytes(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x) => (float[2] ");
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++)
            text_write(t, "y", 1);
        text_add(t, k ? " = Abs (x) }\n" : ") { ");
    }
}

static void inputs(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x0");
    for (int i = 1; i < n; i++)
        text_add(t, ", float x%d", i);
    text_add(t, ") => (float y) { y = Max (x0");
    for (int i = 1; i < n; i++)
        text_add(t, ", x%d", i);
    text_add(t, ") }\n");
}

static void outputs(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[%d] x) => (float[1] y0", n);
    for (int i = 1; i < n; i++)
        text_add(t, ", float[1] y%d", i);
    text_add(t, ") { y0");
    for (int i = 1; i < n; i++)
        text_add(t, ", y%d", i);
    text_add(t, " = Split <num_outputs = %d> (x) }\n", n);
}

static void one_output(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x) => (float x");
    for (int i = 1; i < n; i++)
        text_add(t, ", float x");
    text_add(t, ") { }\n");
}

static void operands(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x) => (float[2] y, float[M] z) {\n");
    for (int i = 0; i < 100; i++)
        text_add(t, "a%d = Abs (x)\n", i);
    for (int k = 0; k < 2; k++) {
        text_add(t, k ? "y = Max (x" : "z = Concat <axis = 0> (x");
        for (int i = 0; i < n; i++)
            text_add(t, ", a%d", i % 100);
        text_add(t, ")\n");
    }
    text_add(t, "}\n");
}

static void factors(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[2] x) => (float[2] y) { y = Einsum <equation = \"i");
    for (int i = 1; i < n; i++)
        text_add(t, ",i");
    text_add(t, "->i\"> (x");
    for (int i = 1; i < n; i++)
        text_add(t, ", x");
    text_add(t, ") }\n");
}

/* ---- initializers ---- */

static void initializers(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x0) => (float x%d) <float w0 = {1}", n);
    for (int i = 1; i < n; i++)
        text_add(t, ", float w%d = {1}", i);
    text_add(t, "> {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Add (x%d, w%d)\n", i + 1, i, i);
    text_add(t, "}\n");
}

static void defaults_of(text_buffer *t, int n, int ir_version)
{
    text_add(t, "<ir_version: %d, opset_import: [\"\": 8]>\ng (float x", ir_version);
    for (int i = 0; i < n; i++)
        text_add(t, ", float w%d", i);
    text_add(t, ") => (float y) <float w0 = {1}");
    for (int i = 1; i < n; i++)
        text_add(t, ", float w%d = {1}", i);
    text_add(t, "> { y = Max (x");
    for (int i = 0; i < n; i++)
        text_add(t, ", w%d", i);
    text_add(t, ") }\n");
}

static void defaults(text_buffer *t, int n)
{
    defaults_of(t, n, 10);
}

static void named_weights(text_buffer *t, int n)
{
    defaults_of(t, n, 3);
}

static void locations(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[1] x) => (float[1] y) <\n");
    for (int i = 0; i < n; i++)
        text_add(t, "%sfloat[1] w%d = [\"location\": \"weights/of/layer/%d.bin\"]", i ? ",\n" : "",
                 i, i);
    text_add(t, "> { y = Max (x");
    for (int i = 0; i < n; i++)
        text_add(t, ", w%d", i);
    text_add(t, ") }\n");
}

static void elements(text_buffer *t, int n)
{
    text_add(t, HEADER "g (int64 i) => (float y) <float[%d] w = {1", n);
    for (int i = 1; i < n; i++)
        text_add(t, ", %d.5e-3", i);
    text_add(t, "}> { y = Gather (w, i) }\n");
}

static void strings(text_buffer *t, int n)
{
    text_add(t, HEADER "g (string[1] x) => (string[N] u, string[M] v) <string[%d] w = {\"\"", n);
    for (int i = 1; i < n; i++)
        text_add(t, ", \"%d\\n \\x41\"", i % 1000);
    text_add(t, "}> { a = Concat <axis = 0> (x, w)\nu = Unique (a)\nv, k = StringSplit (a) }\n");
}

static void sparse_entries(text_buffer *t, int n)
{
    text_add(t, HEADER "g (int64 i) => (float y) <sparse_tensor(float[%d]) w = float[%d] {1", n, n);
    for (int i = 1; i < n; i++)
        text_add(t, ", 2");
    text_add(t, "} at int64[%d] {0", n);
    for (int i = 1; i < n; i++)
        text_add(t, ", %d", i);
    text_add(t, "}> { y = Gather (w, i) }\n");
}

/* ---- attributes and what only describes ---- */

static void attribute_items(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[1] x) => (float[N] y) { c = Constant <value_ints = [1");
    for (int i = 1; i < n; i++)
        text_add(t, ", %d", i);
    text_add(t, "]> ()\nf = Cast <to = 1> (c)\ny = Add (x, f) }\n");
}

static void attributes(text_buffer *t, int n)
{
    text_add(t, "<ir_version: 10, opset_import: [\"\": 20, \"own\": 1]>\n"
                "g (float[1] x) => (float[1] y) { y = own.f <a0 = 0");
    for (int i = 1; i < n; i++)
        text_add(t, ", a%d = %d", i, i);
    text_add(t, "> (x) }\n<domain: \"own\", opset_import: [\"\": 20]> f <a0");
    for (int i = 1; i < n; i++)
        text_add(t, ", a%d", i);
    text_add(t, "> (x) => (y) { c = Constant <value_int: int = @a0> ()\n"
                "f = Cast <to = 1> (c)\ny = Add (x, f) }\n");
}

static void symbols(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[a] x) => (float[b] y) <float[s0");
    for (int i = 1; i < n; i++)
        text_add(t, ", s%d", i);
    text_add(t, "] z> { y = Abs (x) }\n");
}

static void value_infos(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[1] x0) => (float[1] x%d) <float[1] x1", n);
    for (int i = 2; i < n; i++)
        text_add(t, ", float[%d] x%d", i, i); /* none but the first is true */
    text_add(t, "> {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = Abs (x%d)\n", i + 1, i);
    text_add(t, "}\n");
}

/* The shapes become known in a run, and contradict all that is declared. */
static void contradictions(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float[N] x0) => (float[N] x%d) <float[2] x1", n);
    for (int i = 2; i < n; i++)
        text_add(t, ", float[2] x%d", i);
    text_add(t, "> {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "x%d = CumSum (x%d, z)\n", i + 1, i);
    text_add(t, "z = Constant <value_int = 0> ()\n}\n");
}

static void metadata(text_buffer *t, int n)
{
    text_add(t, "<ir_version: 10, opset_import: [\"\": 20], metadata_props: [\"a\": \"b\"");
    for (int i = 1; i < n; i++)
        text_add(t, ", \"key %d\": \"value %d\"", i, i);
    text_add(t, "]>\ng (float[a] x) => (float[b] y) { y = Abs (x) }\n");
}

static void quantizations(text_buffer *t, int n)
{
    text_add(t, HEADER "{quantization: [\"x\": [\"SCALE_TENSOR\": \"s\"]");
    for (int i = 1; i < n; i++)
        text_add(t, ", \"t%d\": [\"SCALE_TENSOR\": \"s%d\"]", i, i);
    text_add(t, "]} g (float[a] x) => (float[b] y) { y = Abs (x) }\n");
}

static void comments(text_buffer *t, int n)
{
    text_add(t, HEADER "{doc_string: \"");
    for (int i = 0; i < n; i++)
        text_add(t, "%s", "a line\\n");
    text_add(t, "\"} g (float x) => (float y) {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "# %d\n\n", i);
    text_add(t, "y = Abs (x) }\n");
}

/* Imports are few, so they are searched one by one: the nodes behind them are many. */
static void imports(text_buffer *t, int n)
{
    text_add(t, "<ir_version: 10, opset_import: [");
    for (int i = 0; i < 250; i++)
        text_add(t, "\"domain%d\": 1, ", i);
    text_add(t, "\"\": 20]> g (float x) => (float y0) {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "y%d = Abs (x)\n", i);
    text_add(t, "}\n");
}

static void unsupported(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x) => (float y0) {\n");
    for (int i = 0; i < n; i++)
        text_add(t, "y%d = No%d (x)\n", i, i);
    text_add(t, "}\n");
}

const growth growths_of_lists[] = {
    {"nodes", nodes, 2500, false},
    {"nodes backwards", nodes_backwards, 2500, false},
    {"readers of one value", readers, 2500, false},
    {"nodes that do the same", same_nodes, 1000, false},
    {"long names", long_names, 2000, false},
    {"bytes of a name", name_bytes, 100000, false},
    {"inputs", inputs, 3750, false},
    {"outputs", outputs, 3750, false},
    {"outputs of one value", one_output, 5000, false},
    {"operands", operands, 5000, false},
    {"factors of a sum", factors, 500, false},
    {"initializers", initializers, 2000, false},
    {"inputs with a default", defaults, 3750, false},
    {"weights among the inputs", named_weights, 3750, false},
    {"locations of external data", locations, 2500, false},
    {"elements", elements, 10000, false},
    {"strings", strings, 5000, false},
    {"sparse entries", sparse_entries, 7500, false},
    {"items of an attribute", attribute_items, 12500, false},
    {"attributes", attributes, 2500, false},
    {"symbols of dims", symbols, 7500, false},
    {"declared values", value_infos, 2000, false},
    {"declarations that a run contradicts", contradictions, 1250, false},
    {"entries of metadata", metadata, 7500, false},
    {"quantization annotations", quantizations, 5000, false},
    {"comments", comments, 15000, false},
    {"nodes behind opset imports", imports, 5000, false},
    {"missing operators", unsupported, 3750, true},
    {NULL, NULL, 0, false},
};
