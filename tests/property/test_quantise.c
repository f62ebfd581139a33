/* SPDX-License-Identifier: Apache-2.0
 * test_quantise.c - random networks as quantisers write them: products of codes differ from those
 * of dequantised numbers by one code at most, and nothing else that the plan does changes a bit. */
#include "outcome.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, TEXT = 8000, CHANNELS = 8, SIDE = 7 };

/* ---- networks ---- */

typedef struct network {
    suite_random *r;
    char text[TEXT];
    int at, nodes; /* the end of the text, and where its nodes begin */
} network;

static void add(network *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    n->at += vsnprintf(n->text + n->at, (size_t)(TEXT - n->at), format, args);
    va_end(args);
    ck_assert_int_lt(n->at, TEXT);
}

static int below(network *n, int limit)
{
    return (int)suite_below(n->r, (uint32_t)limit);
}

/* An initializer of n random numbers from low on, below high, each times 1 / over. */
static void add_numbers(network *n, const char *type, const char *name, const char *dims, int count,
                        int low, int high, int over)
{
    add(n, "%s[%s] %s = {", type, dims, name);
    for (int i = 0; i < count; i++) {
        const int x = low + below(n, high - low);
        if (over)
            add(n, "%s%g", i ? ", " : "", (double)x / over);
        else
            add(n, "%s%d", i ? ", " : "", x);
    }
    add(n, "}, ");
}

static void add_initializers(network *n, bool is_signed, bool of_channels)
{
    static const char *const scales[] = {"0.02", "0.031", "0.0078125", "0.11", "0.05"};
    const char *codes = is_signed ? "int8" : "uint8";
    add(n, "<");
    for (int i = 0; i < 4; i++)
        add(n, "float s%d = {%s}, %s z%d = {%d}, ", i, scales[below(n, 5)], codes, i,
            below(n, 4) ? below(n, 200) - (is_signed ? 100 : 0) : 0);
    add_numbers(n, "int8", "W", "8,8,3,3", 8 * 8 * 9, -127, 128, 0);
    add_numbers(n, "int8", "M", "7,7", 49, -127, 128, 0);
    add_numbers(n, "float", "ws", of_channels ? "8" : "", of_channels ? 8 : 1, 1, 60, 1000);
    add_numbers(n, "float", "ms", of_channels ? "7" : "", of_channels ? 7 : 1, 1, 60, 1000);
    add_numbers(n, "float", "fb", "8", 8, -300, 300, 100);
    add_numbers(n, "float", "gb", "7", 7, -300, 300, 100);
    add(n, "int64[2] rows = {-1, 7}, float low = {-1.5}, float high = {2.25}> {\n");
    n->nodes = n->at;
}

/* A product of value 0 by operator `form`, as codes y of scale 3. */
static const char *const products[] = {
    "q = Conv <pads = [1, 1, 1, 1]> (d, w)\n",
    "q = Conv <strides = [2, 2]> (d, w, fb)\n",
    "k = Conv (d, w, fb) q = Relu (k)\n",
    "k = Conv (d, w) l = Clip (k, low, high) q = Relu (l)\n",
    "q = MatMul (d, m)\n",
    "k = MatMul (d, m) q = Clip (k, low)\n",
    "f = Reshape (c, rows) h = DequantizeLinear (f, s0, z0) q = Gemm (h, m, gb)\n",
    ("f = Reshape (c, rows) h = DequantizeLinear (f, s0, z0) "
     "m2 = DequantizeLinear <axis = 0> (M, ms) k = Gemm <transB = 1> (h, m2, gb) q = Relu (k)\n"),
};

static void make_product(network *n)
{
    const bool is_signed = below(n, 2);
    n->at = 0;
    add(n,
        "<ir_version: 10, opset_import: [\"\" : 21]>\n"
        "g (float[2,8,7,7] x) => (%s[] y, %s[] z)\n",
        is_signed ? "int8" : "uint8", is_signed ? "int8" : "uint8");
    add_initializers(n, is_signed, below(n, 2));
    add(n, "c = QuantizeLinear (x, s0, z0)\nd = DequantizeLinear (c, s0, z0)\n"
           "w = DequantizeLinear <axis = 0> (W, ws)\nm = DequantizeLinear <axis = 1> (M, ms)\n");
    add(n, "%s", products[below(n, sizeof products / sizeof *products)]);
    add(n, "y = QuantizeLinear (q, s3, z3)\nz = Identity (y)\n}\n");
}

/* Each takes numbers v%d, all of [2,8,7,7], and gives value v%d; "c%d" are codes between. */
static const char *const chains[] = {
    "v%d = Relu (v%d)\n",
    "v%d = Sigmoid (v%d)\n",
    "g%d = HardSigmoid (v%d) v%d = Mul (g%d, v%d)\n",
    "v%d = Clip (v%d, low, high)\n",
    "v%d = Div (v%d, high)\n",
    "v%d = Sub (low, v%d)\n",
    "v%d = Exp (v%d)\n",
    "v%d = Transpose <perm = [0, 1, 3, 2]> (v%d)\n",
    "v%d = Reshape (v%d, dims)\n",
    "v%d = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (v%d)\n",
    "g%d = Pad (v%d, pads) v%d = Slice (g%d, first, last, width)\n",
    "g%d = Pad (v%d, pads, high) v%d = MaxPool <kernel_shape = [1, 2]> (g%d)\n",
    "g%d, h%d = Split <axis = 1, num_outputs = 2> (v%d) v%d = Concat <axis = 1> (h%d, g%d)\n",
    "g%d = Concat <axis = 2> (v%d, v%d) v%d = Slice (g%d, second, last, axes)\n",
    "g%d = Resize <mode = \"nearest\"> (v%d, , twice) v%d = MaxPool <kernel_shape = [2, 2], "
    "strides = [2, 2]> (g%d)\n",
    "v%d = Add (v%d, v%d)\n",
    "v%d = Mul (v%d, v%d)\n",
    "v%d = Neg (v%d)\n",
    "v%d = Softmax (v%d)\n",
    /* as quantisers write them */
    "g%d = Add (v%d, v%d) h%d = QuantizeLinear (g%d, s1, z1) "
    "v%d = DequantizeLinear (h%d, s1, z1)\n",
    "g%d = Mul (v%d, v%d) h%d = QuantizeLinear (g%d, s2, z2) "
    "v%d = DequantizeLinear (h%d, s2, z2)\n",
    "g%d = Add (v%d, v%d) i%d = Clip (g%d, low, high) h%d = QuantizeLinear (i%d, s1, z1) "
    "v%d = DequantizeLinear (h%d, s1, z1)\n",
    "g%d = GlobalAveragePool (v%d) h%d = QuantizeLinear (g%d, s1, z1) "
    "i%d = DequantizeLinear (h%d, s1, z1) j%d = Mul (v%d, i%d) k%d = QuantizeLinear (j%d, s2, z2) "
    "v%d = DequantizeLinear (k%d, s2, z2)\n",
    "g%d = Concat <axis = 1> (v%d, v%d) h%d = QuantizeLinear (g%d, s2, z2) "
    "i%d = DequantizeLinear (h%d, s2, z2) j%d, v%d = Split <axis = 1, num_outputs = 2> (i%d)\n",
    "g%d = QuantizeLinear (v%d, s1, z1) v%d = DequantizeLinear (g%d, s1, z1)\n",
    "g%d = QuantizeLinear (v%d, s2, z2) v%d = DequantizeLinear (g%d, s2, z2)\n",
    "g%d = QuantizeLinear (v%d, s2, z2) v%d = DequantizeLinear (g%d, s2, z2)\n",
    "g%d = QuantizeLinear (v%d, s2, z2) v%d = DequantizeLinear (g%d, s2, z2)\n",
};

/* As forms of test_layout.c: "g", "h" and what is before "=" is of node i, else an earlier value.
 */
static void add_form(network *n, const char *form, int i)
{
    bool made = true;
    for (const char *p = form; *p; p++) {
        if (*p == '=')
            made = false;
        if (*p == ')' || *p == '\n')
            made = true;
        if (strncmp(p + 1, "%d", 2) != 0) {
            add(n, "%c", *p);
            continue;
        }
        const int earlier = below(n, 4) ? i - 1 : below(n, i);
        add(n, "%c%d", *p, *p != 'v' || made ? i : earlier);
        p += 2;
    }
}

static void make_chain(network *n)
{
    enum { NODES = 9 };
    const bool is_signed = below(n, 2);
    n->at = 0;
    add(n,
        "<ir_version: 10, opset_import: [\"\" : 21]>\n"
        "g (float[2,8,7,7] x) => (%s[] y, float[] z)\n",
        is_signed ? "int8" : "uint8");
    add_initializers(n, is_signed, false);
    add(n, "dims = Constant <value_ints = [2, 8, 7, 7]> ()\n"
           "pads = Constant <value_ints = [0, 0, 0, 0, 0, 0, 0, 1]> ()\n"
           "first = Constant <value_ints = [1]> () last = Constant <value_ints = [99]> ()\n"
           "second = Constant <value_ints = [7]> () axes = Constant <value_ints = [2]> () "
           "width = Constant <value_ints = [3]> ()\n"
           "twice = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> ()\n"
           "c = QuantizeLinear (x, s0, z0)\nv0 = DequantizeLinear (c, s0, z0)\n");
    for (int i = 1; i < NODES; i++)
        add_form(n, chains[below(n, sizeof chains / sizeof *chains)], i);
    add(n, "y = QuantizeLinear (v%d, s3, z3)\nz = Identity (v%d)\n}\n", NODES - 1,
        1 + below(n, NODES - 1));
}

/* ---- what must hold ---- */

static outcome run(const network *n, const oc_session_options *o)
{
    static float x[2 * CHANNELS * SIDE * SIDE];
    for (int i = 0; i < 2 * CHANNELS * SIDE * SIDE; i++)
        x[i] = (float)(i * 37 % 101) / 20 - 2.5f;
    const oc_value in = oc_value_borrow(OC_F32, (oc_dims){4, {2, CHANNELS, SIDE, SIDE}}, x);
    outcome r = outcome_of(n->text, o, &in, 1, 2);
    suite_assert(r.error.code == OC_OK, "%s\n%s", r.error.text, n->text + n->nodes);
    return r;
}

static int code_at(const oc_value *v, int64_t i)
{
    return v->type == OC_I8 ? ((const int8_t *)v->data)[i] : ((const uint8_t *)v->data)[i];
}

/* Steps whose operators' names begin so. */
static int count_steps(const oc_session *s, const char *name)
{
    oc_plan_step step;
    int n = 0;
    for (int i = 0; oc_session_step_at(s, i, &step); i++)
        n += strncmp(step.op_type, name, strlen(name)) == 0;
    return n;
}

START_TEST(products_differ_by_one_code_at_most)
{
    suite_random r = suite_random_new(3);
    int64_t n_codes = 0, n_differ = 0;
    network n = {.r = &r};
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        make_product(&n);
        oc_session_options o = {.threads = 1 + below(&n, 2)};
        outcome codes = run(&n, &o);
        o.exact_quant = true;
        outcome floats = run(&n, &o);
        suite_assert(count_steps(codes.session, "QLinearC") +
                                 count_steps(codes.session, "QLinearM") +
                                 count_steps(codes.session, "QGemm") ==
                             1 &&
                         count_steps(floats.session, "QLinear") == 0,
                     "no product of codes; OC_SEED=%u\n%s", seed, n.text + n.nodes);
        for (int64_t i = 0; i < oc_value_n(codes.y[0]); i++) {
            const int apart = abs(code_at(codes.y[0], i) - code_at(floats.y[0], i));
            suite_assert(apart <= 1, "code %d is %d apart; OC_SEED=%u\n%s", (int)i, apart, seed,
                         n.text + n.nodes);
            n_differ += apart;
            n_codes++;
        }
        outcome_free(&codes);
        outcome_free(&floats);
    }
    ck_assert_msg(n_differ * 200 < n_codes, "%d of %d codes differ", (int)n_differ, (int)n_codes);
}
END_TEST

static void look(void *ctx, const oc_node_event *event)
{
    *(int *)ctx += event->begin;
}

/* Whatever is fused, folded or looked at, both with products of codes and without. Returns the
 * number of lookups. */
static int must_be_same(const network *n, uint32_t seed)
{
    int seen = 0, lookups = 0;
    for (int exact = 0; exact < 2; exact++) {
        const oc_session_options plain = {.threads = 1, .no_fusion = true, .exact_quant = exact};
        oc_session_options others[4];
        for (int i = 0; i < 4; i++)
            others[i] = (oc_session_options){.threads = 1, .exact_quant = exact};
        others[1].no_folding = true;
        others[2].cpu = "scalar";
        others[3].observer = (oc_observer){.on_node = look, .on_node_ctx = &seen};
        outcome a = run(n, &plain);
        for (int i = 0; i < 4; i++) {
            outcome b = run(n, &others[i]);
            for (int k = 0; k < 2; k++)
                suite_assert(oc_value_equal(a.y[k], b.y[k]),
                             "output %d has other bits, options %d; OC_SEED=%u\n%s", k, i, seed,
                             n->text + n->nodes);
            lookups += count_steps(b.session, "Lookup");
            outcome_free(&b);
        }
        outcome_free(&a);
    }
    ck_assert_int_gt(seen, 0);
    return lookups;
}

START_TEST(nothing_else_changes_a_bit)
{
    suite_random r = suite_random_new(5);
    network n = {.r = &r};
    int lookups = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        make_product(&n);
        must_be_same(&n, seed);
        make_chain(&n);
        lookups += must_be_same(&n, seed);
    }
    ck_assert_msg(lookups > ROUNDS, "%d lookups", lookups);
}
END_TEST

SUITE("quantise", products_differ_by_one_code_at_most, nothing_else_changes_a_bit)
