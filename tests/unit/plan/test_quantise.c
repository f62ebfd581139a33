/* SPDX-License-Identifier: Apache-2.0
 * test_quantise.c - which steps between DequantizeLinear and QuantizeLinear compute on codes? */
#include "graph/graph.h"
#include "ops/kit/op.h"
#include "ops/kit/registry.h"
#include "ops/signature/sig.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

#define CONSTANTS                                                                                  \
    "<float s = {0.5}, uint8 z = {3}, float t = {0.25}, int8 n = {-1}, float i = {0.125}, "        \
    "float o = {1}, int8[2,1,1,1] W = {3, -5}, float[2] ws = {0.5, 0.25}, int8[2] wz = {0, 0}, "   \
    "int32[2] b = {7, -9}, float[2] bs = {0.25, 0.125}, float[2] far = {0.2, 0.1}, "               \
    "float[2] c = {1.5, -2.5}, float[2,1,1,1] F = {0.5, -1}, int8[2,3] M = {1, 2, 3, 4, 5, 6}, "   \
    "float[3] ms = {0.5, 0.25, 1}, float low = {0}, float six = {6}, int8[3,2] R = {1, 2, 3, 4, "  \
    "5, 6}, float[2] h = {1, 2}, float half = {0.5}, float ninth = {0.9}, "                        \
    "int64[1] one = {1}, int64[8] pads = {0, 0, 1, 0, 0, 0, 0, 1}, float[4] row = {1, 2, 3, 4}, "  \
    "float[4] sizes = {1, 1, 2, 2}, int32[3] rb = {3, 4, 5}, float[3] rs = {0.25, 0.125, 0.5}> "

/* The operators of the plan's steps, with blanks between. */
static const char *steps_of(const oc_session *s, char text[600])
{
    oc_plan_step step;
    *text = 0;
    for (int i = 0; oc_session_step_at(s, i, &step); i++)
        if (!step.folded && !step.fused_into)
            snprintf(text + strlen(text), 600 - strlen(text), "%s%s", *text ? " " : "", step.runs);
    return text;
}

static const char *plan_of(const char *nodes, int opset, oc_session_options o, char text[600])
{
    char model[3000];
    oc_error e = {.code = OC_OK};
    snprintf(model, sizeof model,
             "<ir_version: 10, opset_import: [\"\" : %d, \"com.microsoft\" : 1]>\n"
             "g (uint8[1,1,4,4] x, uint8[1,2] a, float d) => (y) " CONSTANTS "{\n%s}\n",
             opset, nodes);
    o.threads = 1;
    o.no_nchw16c = true;
    oc_model *m = oc_model_load_memory(model, strlen(model), NULL, &e);
    oc_session *s = oc_session_new(m, &o, &e);
    ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, model);
    steps_of(s, text);
    oc_session_free(s);
    oc_model_free(m);
    return text;
}

#define X    "p = DequantizeLinear (x, s, z)\n"
#define A    "p = DequantizeLinear (a, s, z)\n"
#define W    "w = DequantizeLinear <axis = 0> (W, ws, wz)\n"
#define BIAS "v = DequantizeLinear <axis = 0> (b, bs)\n"
#define Q    "y = QuantizeLinear (q, t, n)\n"

static const struct {
    const char *nodes, *seen;
} rows[] = {
    {X W "q = Conv (p, w)\n" Q, "QLinearConv"},
    {X W BIAS "q = Conv (p, w, v)\n" Q, "QLinearConv"},
    {X W BIAS "k = Conv (p, w, v)\nq = Relu (k)\n" Q, "QLinearConv"},
    {X W "k = Conv (p, w)\nl = Clip (k, low, six)\nq = Relu (l)\n" Q, "QLinearConv"},
    /* a bias in other units, or of floats */
    {X W "v = DequantizeLinear <axis = 0> (b, far)\nq = Conv (p, w, v)\n" Q, "QLinearConv"},
    {X W "q = Conv (p, w, c)\n" Q, "QLinearConv"},
    /* weights as floats; what is not there is 0 */
    {X "u = QuantizeLinear <axis = 0> (F, ws, wz)\nw = DequantizeLinear <axis = 0> (u, ws, wz)\n"
       "q = Conv (p, w)\n" Q,
     "QLinearConv"},
    {"p = DequantizeLinear (x, s)\nw = DequantizeLinear (W, t)\nq = Conv (p, w)\n"
     "y = QuantizeLinear (q, t)\n",
     "QLinearConv"},
    {"k = Constant <value_float = 0.5> ()\np = DequantizeLinear (x, k, z)\n" W
     "q = Conv (p, w)\n" Q,
     "QLinearConv"},
    /* who else reads what is dequantised has it */
    {X W "q = Conv (p, w)\nk = QuantizeLinear (q, t, n)\nl = DequantizeLinear (k, t, n)\n"
         "y = Add (l, p)\n",
     "DequantizeLinear QLinearConv DequantizeLinear Add"},
    {A "w = DequantizeLinear <axis = 1> (M, ms)\nq = MatMul (p, w)\n" Q, "QLinearMatMul"},
    {A "w = DequantizeLinear <axis = -1> (M, ms)\nq = MatMul (p, w)\n" Q, "QLinearMatMul"},
    {A "w = DequantizeLinear <axis = 0> (R, ms)\nq = Gemm <transB = 1> (p, w)\n" Q, "QGemm"},
    {A "w = DequantizeLinear <axis = 0> (R, ms)\nv = DequantizeLinear <axis = 0> (rb, rs)\n"
       "k = Gemm <transB = 1> (p, w, v)\nq = Relu (k)\n" Q,
     "QGemm"},
    {A "w = DequantizeLinear (M, t)\nq = Gemm (p, w, ms)\n" Q, "QGemm"},
    /* ---- these stay in float ---- */
    {A "w = DequantizeLinear (M, t)\nq = Gemm <alpha = 2.0> (p, w)\n" Q,
     "DequantizeLinear Gemm QuantizeLinear"},
    {A "w = DequantizeLinear (M, t)\nq = Gemm (p, w, half)\n" Q,
     "DequantizeLinear Gemm QuantizeLinear"},
    {X W "q = Conv (p, w)\ny = Sigmoid (q)\n", "DequantizeLinear Conv+Sigmoid"},
    {X W "q = Conv (p, w)\nk = QuantizeLinear (q, t, n)\nl = DequantizeLinear (k, t, n)\n"
         "y = Sub (l, q)\n",
     "DequantizeLinear Conv QuantizeLinear DequantizeLinear Sub"},
    {X W "k = Conv (p, w)\nq = Clip (k, d)\n" Q, "DequantizeLinear Conv+Clip QuantizeLinear"},
    {X W "q = Conv (p, w)\ny = QuantizeLinear (q, d, n)\n", "DequantizeLinear Conv QuantizeLinear"},
    {X "q = Conv (p, F)\n" Q, "DequantizeLinear Conv QuantizeLinear"},
    {A "w = DequantizeLinear <axis = 0> (M, h)\nq = MatMul (p, w)\n" Q,
     "DequantizeLinear MatMul QuantizeLinear"},
};

#define SAME "y = QuantizeLinear (q, s, z)\n"

static const struct {
    const char *nodes, *seen;
} chains[] = {
    {X "q = Sigmoid (p)\n" Q, "Lookup"},
    {X "y = QuantizeLinear (p, t, n)\n", "Lookup"},
    {X "k = Identity (n)\nq = Sigmoid (p)\ny = QuantizeLinear (q, t, k)\n", "Lookup"},
    {"y = com.microsoft.QLinearSigmoid (x, s, z, t, z)\n", "Lookup"},
    {"k = com.microsoft.QLinearSigmoid (x, s, z, t, z)\n"
     "y = com.microsoft.QLinearMul (x, s, z, k, t, z, i, z)\n",
     "Lookup"},
    {X "k = HardSigmoid (p)\nq = Mul (p, k)\n" Q, "Lookup"},
    {X "k = Add (p, six)\nl = Clip (k, low, six)\nm = Mul (l, p)\nq = Div (m, six)\n" Q, "Lookup"},
    {X "k = Sigmoid (p)\nl = QuantizeLinear (k, i, z)\nm = DequantizeLinear (l, i, z)\n"
       "q = Mul (m, p)\n" Q,
     "Lookup"},
    /* what only moves moves codes */
    {X "q = Transpose (p)\n" SAME, "Transpose"},
    {X "q = MaxPool <kernel_shape = [2, 2]> (p)\n" SAME, "MaxPool"},
    {X "k = MaxPool <kernel_shape = [2, 2]> (p)\nl = QuantizeLinear (k, s, z)\n"
       "m = DequantizeLinear (l, s, z)\nq = Neg (m)\n" Q,
     "MaxPool Lookup"},
    {X "k = MaxPool <kernel_shape = [2, 2]> (p)\nq = Neg (k)\n" Q,
     "DequantizeLinear MaxPool Neg QuantizeLinear"},
    {X "k = Flatten (p)\nl = Relu (k)\nq = Unsqueeze (l, one)\n" SAME, "Flatten Unsqueeze Lookup"},
    {X "k, l = Split <axis = 3, num_outputs = 2> (p)\nq = Concat <axis = 2> (k, l)\n" SAME,
     "Split Concat"},
    {X "q = Concat <axis = 2> (p, p)\n" SAME, "Concat"},
    {X "k = Identity (p)\nl = Sigmoid (k)\nq = Pad (l, pads, half)\n" SAME, "Identity Pad Lookup"},
    {X "q = Pad (p, pads)\n" SAME, "Pad"},
    {X "q = Pad (p, pads, six)\n" Q, "Pad Lookup"},
    {X "q = Resize <mode = \"nearest\"> (p, , sizes)\n" SAME, "Resize"},
    {X "q = Identity (p)\n" SAME, "Identity"},
    {X "e = Greater (p, half)\nq = Where (e, p, p)\n" Q, "DequantizeLinear Greater Where Lookup"},
    /* two codes */
    {X "k = Transpose <perm = [0, 1, 3, 2]> (p)\nq = Add (p, k)\n" SAME, "Transpose QLinearAdd"},
    {X "k = Transpose <perm = [0, 1, 3, 2]> (p)\nj = Sigmoid (k)\nl = QuantizeLinear (j, i, z)\n"
       "m = DequantizeLinear (l, i, z)\nu = Mul (p, m)\nq = Relu (u)\n" SAME,
     "Transpose Lookup QLinearMul"},
    /* ---- these stay in float ---- */
    {X "q = Pad (p, pads, ninth)\n" Q, "DequantizeLinear Pad QuantizeLinear"},
    {X "q = Resize <mode = \"linear\"> (p, , sizes)\n" SAME,
     "DequantizeLinear Resize QuantizeLinear"},
    {X "q = Add (p, row)\n" Q, "DequantizeLinear Add QuantizeLinear"},
    {X "q = Mul (p, d)\n" Q, "DequantizeLinear Mul QuantizeLinear"},
    {X "q = Softmax (p)\n" Q, "DequantizeLinear Softmax QuantizeLinear"},
    {X "k = DequantizeLinear (x, t, z)\nq = Concat <axis = 2> (p, k)\n" SAME, "Lookup Concat"},
    {X "k = Neg (p)\nq = MaxPool <kernel_shape = [2, 2]> (k)\n" SAME,
     "DequantizeLinear Neg MaxPool QuantizeLinear"},
};

static const int opsets[] = {21, 23, 24, 25, OC_MAX_OPSET};

static void must_be(const char *nodes, const char *seen)
{
    char text[600];
    for (size_t i = 0; i < sizeof opsets / sizeof *opsets; i++) {
        plan_of(nodes, opsets[i], (oc_session_options){0}, text);
        ck_assert_msg(strcmp(text, seen) == 0, "%s, not %s, in opset %d of\n%s", text, seen,
                      opsets[i], nodes);
    }
}

START_TEST(products_of_dequantised_values_are_those_of_codes)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        must_be(rows[i].nodes, rows[i].seen);
}
END_TEST

START_TEST(functions_of_one_code_are_tables)
{
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        must_be(chains[i].nodes, chains[i].seen);
}
END_TEST

/* Where nothing is fused, the steps of floats stay for those who look at them. */
START_TEST(options_choose)
{
    char text[600];
    static const char nodes[] = X W "q = Conv (p, w)\n" Q;
    ck_assert_str_eq(plan_of(nodes, 21, (oc_session_options){.exact_quant = true}, text),
                     "DequantizeLinear Conv QuantizeLinear");
    ck_assert_str_eq(plan_of(nodes, 21, (oc_session_options){.no_fusion = true}, text),
                     "DequantizeLinear Conv QLinearConv");
}
END_TEST

/* ---- what traits say beside what signatures say */

static const oc_sig *sig_of(const oc_op *version, oc_arena *arena)
{
    const oc_sig *sig;
    oc_error e = {.code = OC_OK};
    ck_assert_msg(oc_sig_parse(version->signature, arena, &sig, &e) == OC_OK, "%s", e.text);
    return sig;
}

static bool is_named(const oc_sig_port *port, const char *part)
{
    return strstr(port->name, part) != NULL;
}

/* Two letters of oc_on_codes.ports, and the port they stand for; x: that of the codes before. */
static bool is_port(const oc_sig *sig, const char *letters, const oc_sig_port *port,
                    const oc_sig_port *x)
{
    const bool is_float = oc_type_in(OC_F32, port->set.tensor);
    const bool of_y = letters[0] == 'y' && port->var == sig->out[0].var;
    switch (letters[1]) {
    case 'x':
        return oc_type_in(OC_U8, port->set.tensor) && oc_type_in(OC_I8, port->set.tensor);
    case 's':
        return is_named(port, "scale") && is_float;
    case 'z':
        return is_named(port, "zero") && (of_y || (letters[0] != 'y' && port->var == x->var));
    default:
        return letters[0] == '2' && port->optional && oc_sig_only_type(&port->set) == OC_I32;
    }
}

START_TEST(operators_on_codes_have_the_ports_that_traits_name)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    int n = 0;
    for (int i = 0; oc_op_at(i); i++) {
        const oc_traits *traits = oc_op_at(i)->context;
        const oc_on_codes *on = traits ? traits->on_codes : NULL;
        int oldest;
        if (!on)
            continue;
        const oc_op *codes =
            on->version ? on->version : oc_op_find(NULL, on->domain, on->name, 99, &oldest);
        ck_assert_msg(codes != NULL, "%s", on->name);
        const oc_sig *sig = sig_of(codes, &arena), *own = sig_of(oc_op_at(i), &arena);
        ck_assert_int_eq((int)strlen(on->ports), 2 * sig->n_in);
        ck_assert_msg(on->exact || (on->columns && own->n_in > 1), "%s is no product", on->name);
        for (int k = 0, x = 0; k < sig->n_in; k++) {
            x = on->ports[2 * k + 1] == 'x' ? k : x;
            ck_assert_msg(is_port(sig, on->ports + 2 * k, &sig->in[k], &sig->in[x]),
                          "input %d of %s", k, sig->name);
        }
        for (int k = 0; k < own->n_in; k++)
            ck_assert(strchr(on->ports, '0' + k));
        n++;
    }
    ck_assert_int_gt(n, 5);
    oc_arena_free(&arena);
}
END_TEST

enum { FIRST = 10 }; /* the first opset that quantises */

/* What a step that moves leaves out is optional, and nothing else has the type of its codes. */
START_TEST(operators_that_move_share_a_type_with_what_they_may_leave_out)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    int n = 0;
    for (int i = 0; oc_op_at(i); i++) {
        const oc_traits *traits = oc_op_at(i)->context;
        if (!traits || !traits->moves || traits->moves == oc_moves_all)
            continue;
        const oc_sig *sig = sig_of(oc_op_at(i), &arena);
        int oldest;
        const oc_op *first = oc_op_find(NULL, sig->domain, sig->name, FIRST, &oldest);
        if (first != oc_op_at(i) && oc_op_at(i)->since < FIRST)
            continue;
        const bool chooses = strcmp(sig->name, "Where") == 0;
        for (int k = chooses ? 3 : 1; k < sig->n_in; k++)
            ck_assert_msg(sig->in[k].var != sig->in[0].var || sig->in[k].optional, "%s of %s",
                          sig->in[k].name, sig->name);
        n++;
    }
    ck_assert_int_gt(n, 30);
    oc_arena_free(&arena);
}
END_TEST

SUITE("quantise", operators_on_codes_have_the_ports_that_traits_name,
      operators_that_move_share_a_type_with_what_they_may_leave_out,
      products_of_dequantised_values_are_those_of_codes, functions_of_one_code_are_tables,
      options_choose)
