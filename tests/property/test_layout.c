/* SPDX-License-Identifier: Apache-2.0
 * test_layout.c - random networks give the same bits whether or not values between operators lie in
 * NCHW16c, whatever reads them. */
#include "outcome.h"
#include "same_value.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, NODES = 12, TEXT = 7000, MOST = 2 * 48 * 13 * 14 };

/* Each takes up to three values of [2,C,H,W] and gives value v%d of the same dims. W, H and S are
 * weights of 3 x 3 taps for all channels, for two groups and for groups of four, D of single
 * channels, P of 1 x 1; c has a number for each channel, in k as [C,1,1]. */
static const char *const forms[] = {
    "v%d = Conv <pads = [1, 1, 1, 1]> (v%d, W, c)\n",
    "v%d = Conv <pads = [1, 1, 1, 1], group = groups> (v%d, S)\n",
    "v%d = Conv <pads = [1, 1, 1, 1], group = 2> (v%d, H, c)\n",
    "v%d = Conv <pads = [1, 1, 1, 1], group = channels> (v%d, D, c)\n",
    "v%d = Conv (v%d, P)\n",
    "v%d = Conv <pads = [0, 0, 1, 1], strides = [1, 1], kernel_shape = [2, 2]> (v%d, L)\n",
    "v%d = ConvTranspose (v%d, P)\n",
    "g%d = ConvTranspose <strides = [2, 2]> (v%d, L, c) "
    "v%d = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (g%d)\n",
    "v%d = Relu (v%d)\n",
    "v%d = HardSwish (v%d)\n",
    "v%d = Clip (v%d, low, high)\n",
    "v%d = Sigmoid (v%d)\n",
    "v%d = PRelu (v%d, k)\n",
    "v%d = Pow (v%d, k)\n",
    "v%d = Pow (v%d, one)\n",
    "g%d = Cast <to = 7> (v%d) v%d = Pow (v%d, g%d)\n",
    "v%d = Add (v%d, v%d)\n",
    "v%d = Mul (v%d, v%d)\n",
    "v%d = Mul (k, v%d)\n",
    "v%d = Add (v%d, row)\n",
    "v%d = Sub (low, v%d)\n",
    "v%d = Sum (v%d, v%d, v%d)\n",
    "v%d = Sum (v%d)\n",
    "v%d = Mean (v%d, v%d)\n",
    "v%d = Max (k, v%d, row)\n",
    "v%d = BatchNormalization (v%d, c, c, c, a)\n",
    "v%d = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (v%d)\n",
    "v%d = AveragePool <kernel_shape = [3, 2], pads = [1, 0, 1, 1]> (v%d)\n",
    "g%d = GlobalAveragePool (v%d) v%d = Mul (v%d, g%d)\n",
    "g%d = ReduceMean <axes = [2, 3]> (v%d) v%d = Add (v%d, g%d)\n",
    "g%d = ReduceMax <axes = [3], keepdims = 1> (v%d) v%d = Sub (v%d, g%d)\n",
    "g%d = ReduceSum <keepdims = 1> (v%d, one) v%d = Mul (v%d, g%d)\n",
    "g%d = ReduceMean <axes = [2, 3], keepdims = 0> (v%d) h%d = Reshape (g%d, pixel) "
    "v%d = Sub (v%d, h%d)\n",
    "g%d = Concat <axis = 1> (v%d, v%d) v%d = Conv (g%d, T)\n",
    "g%d = Slice (v%d, from, to, one_axis) h%d = Concat <axis = 1> (g%d, v%d, g%d, v%d, g%d) "
    "v%d = Conv (h%d, Q)\n",
    "v%d = Transpose <perm = [0, 1, 2, 3]> (v%d)\n",
    "v%d = Identity (v%d)\n",
    "g%d = Transpose <perm = [0, 2, 3, 1]> (v%d) h%d = Abs (g%d) "
    "v%d = Transpose <perm = [0, 3, 1, 2]> (h%d)\n",
    "v%d = Dropout (v%d)\n",
    "v%d = Pad (v%d, nowhere)\n",
    "v%d = Pad (v%d, other_channels)\n",
    "g%d = Pad (v%d, beside, low) v%d = MaxPool <kernel_shape = [2, 2]> (g%d)\n",
    "g%d = Pad <mode = \"edge\"> (v%d, beside) v%d = MaxPool <kernel_shape = [2, 2]> (g%d)\n",
    "g%d = Pad <mode = \"reflect\"> (v%d, beside) v%d = MaxPool <kernel_shape = [2, 2]> (g%d)\n",
    "g%d = Cast <to = 2> (v%d) v%d = CastLike (g%d, v%d)\n",
    "g%d = Cast <to = 10> (v%d) h%d = Relu (g%d) v%d = CastLike (h%d, v%d)\n",
    "v%d = Softmax <axis = 1> (v%d)\n",
    ("v%d = If <then_branch = a () => (float[] t) { t = Neg (v%d) }, else_branch = b () => "
     "(float[] e) { e = Mul (v%d, v%d) }> (no)\n"),
};

/* Writes a form. "g%d", "h%d" and "v%d" before "=", and after it where made there, are those of
 * node i; any other v%d is an earlier value. */
static int write_form(char *to, int room, const char *form, int i, const int from[4])
{
    int at = 0, read = 0;
    for (const char *p = form; *p && at < room - 16; p++) {
        if (strncmp(p + 1, "%d", 2) != 0 || (*p != 'v' && *p != 'g' && *p != 'h')) {
            to[at++] = *p;
            continue;
        }
        const char *after = p + 3;
        const bool made = *p != 'v' || strncmp(after, " =", 2) == 0;
        at += snprintf(to + at, (size_t)(room - at), "%c%d", *p, made ? i : from[read++ % 4]);
        p += 2;
    }
    to[at] = 0;
    return at;
}

/* "name = " weights of n elements with the dims: sines, which are all different. */
static int write_weights(char *to, int room, const char *name, oc_type type, const char *dims,
                         int n)
{
    return snprintf(
        to, (size_t)room,
        "n%s = Constant <value_float = %d.0> () r%s = Range (zero, n%s, step) "
        "s%s = Sin (r%s) t%s = Cast <to = %d> (s%s) d%s = Constant <value_ints = [%s]> () "
        "%s = Reshape (t%s, d%s)\n",
        name, n, name, name, name, name, name, (int)type, name, name, dims, name, name, name);
}

static void make_text(suite_random *r, oc_type type, int channels, int width, char text[TEXT])
{
    const char *name = oc_type_name(type);
    char dims[64], number[2][16], declared[3][16] = {"C", "H", "W"};
    for (int a = 0; a < 3; a++) /* what is not known when the plan is made is guessed or unknown */
        if (suite_below(r, a ? 2 : 8))
            snprintf(declared[a], sizeof declared[a], "%d", a == 0 ? channels : width - 2 + a);
    int at = snprintf(
        text, TEXT,
        "<ir_version: 8, opset_import: [\"\" : 17]>\n"
        "g (%s[2,%s,%s,%s] v0) => (%s[] v%d, %s[] v%d)\n"
        "<float zero = {0}, float step = {1}, %s low = {-0.5}, %s high = {3.0}, "
        "%s[%d] row = {%s}, bool no = {0}, int64[1] one = {2}, "
        "int64[8] nowhere = {0, 0, 0, 0, 0, 0, 0, 0}, int64[8] beside = {0, 0, 1, 0, 0, 0, 0, 1}, "
        "int64[8] other_channels = {0, 1, 0, 0, 0, -1, 0, 0}, int64[4] pixel = {2, -1, 1, 1}, "
        "int64[1] from = {0}, int64[1] to = {3}, int64[1] one_axis = {1}> {\n",
        name, declared[0], declared[1], declared[2], name, NODES, name,
        1 + (int)suite_below(r, NODES - 1), name, name, name, width,
        width == 6 ? "1.0, -2.0, 3.0, 0.5, 0.0, 4.0"
                   : "1.0, -2.0, 3.0, 0.5, 0.0, 4.0, 7.0, 0.25, -1.0, 2.0, 2.0, 5.0, -3.0, 1.5");
    static const struct {
        const char *name, *dims;
        int of_one, groups; /* 0: each channel by itself */
    } weights[] = {{"W", "%d,%d,3,3", 9, 1}, {"S", "%d,4,3,3", 36, 0}, {"D", "%d,1,3,3", 9, 0},
                   {"P", "%d,%d,1,1", 1, 1}, {"L", "%d,%d,2,2", 4, 1}, {"c", "%d", 1, 0},
                   {"k", "%d,1,1", 1, 0},    {"H", "%d,%d,3,3", 9, 2}};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        const int of_group = weights[i].groups ? channels / weights[i].groups : 1;
        snprintf(dims, sizeof dims, weights[i].dims, channels, of_group);
        at += write_weights(text + at, TEXT - at, weights[i].name, type, dims,
                            weights[i].of_one * channels * of_group);
    }
    snprintf(dims, sizeof dims, "%d,%d,1,1", channels, 2 * channels);
    at += write_weights(text + at, TEXT - at, "T", type, dims, 2 * channels * channels);
    snprintf(dims, sizeof dims, "%d,%d,1,1", channels, 2 * channels + 9);
    at += write_weights(text + at, TEXT - at, "Q", type, dims, (2 * channels + 9) * channels);
    at += snprintf(text + at, (size_t)(TEXT - at), "a = Abs (c)\n");
    snprintf(number[0], sizeof number[0], "%d", channels / 4);
    snprintf(number[1], sizeof number[1], "%d", channels);
    for (int i = 1; i <= NODES; i++) {
        char form[600], named[600];
        int from[4], n = 0;
        for (int k = 0; k < 4; k++)
            from[k] = suite_below(r, 2) ? i - 1 : (int)suite_below(r, (uint32_t)i);
        write_form(form, sizeof form, forms[suite_below(r, sizeof forms / sizeof *forms)], i, from);
        for (const char *p = form; *p; p++) { /* the numbers that the texts name */
            const bool groups = strncmp(p, "= groups", 8) == 0;
            const bool all = strncmp(p, "= channels", 10) == 0;
            const bool typed = strncmp(p, "float[", 6) == 0;
            n += groups || all ? snprintf(named + n, sizeof named - (size_t)n, "= %s", number[all])
                 : typed       ? snprintf(named + n, sizeof named - (size_t)n, "%s", name)
                               : snprintf(named + n, sizeof named - (size_t)n, "%c", *p);
            p += groups ? 7 : all ? 9 : typed ? 4 : 0;
        }
        at += snprintf(text + at, (size_t)(TEXT - at), "%s", named);
    }
    snprintf(text + at, (size_t)(TEXT - at), "}\n");
}

static outcome run(const char *text, const oc_session_options *options, oc_type type, int channels,
                   int width)
{
    static float x[MOST], as_type[MOST];
    for (int i = 0; i < MOST; i++)
        x[i] = (float)(i * 7 % 31) / 8 - 2;
    const oc_dims dims = {4, {2, channels, width - 1, width}};
    oc_convert(as_type, type, x, OC_F32, MOST, false);
    const oc_value in = oc_value_borrow(type, dims, as_type);
    return outcome_of(text, options, &in, 1, 2);
}

START_TEST(nchw16c_equals_nchw)
{
    static const int sizes[] = {20, 32, 4, 48};
    suite_random r = suite_random_new(47);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int channels = sizes[suite_below(&r, 4)];
        const int width = suite_below(&r, 3) ? 6 : 14; /* 14: tiles of Winograd's algorithm */
        const oc_type type = suite_below(&r, 3) ? OC_F32 : OC_F16;
        char text[TEXT];
        make_text(&r, type, channels, width, text);
        oc_session_options options = {.threads = 1 + (int)suite_below(&r, 3),
                                      .no_reuse = suite_below(&r, 3) == 0};
        outcome nchw16c = run(text, &options, type, channels, width);
        options.no_nchw16c = true;
        outcome nchw = run(text, &options, type, channels, width);
        suite_assert(nchw.error.code == OC_OK && nchw16c.error.code == OC_OK,
                     "'%s', '%s'; OC_SEED=%u\n%s", nchw16c.error.text, nchw.error.text, seed, text);
        for (int i = 0; i < 2; i++)
            suite_assert(same_value(nchw.y[i], nchw16c.y[i]), "other bits; OC_SEED=%u\n%s", seed,
                         text);
        outcome_free(&nchw);
        outcome_free(&nchw16c);
    }
}
END_TEST

/* Groups whose last nodes a kernel may run as one with the rounding of their float16 results. */
START_TEST(ends_of_float16_groups)
{
    static const char *const nodes[] = {
        "a = Conv (x, w) s = Sigmoid (a) y = Mul (a, s)",
        "a = Conv <pads = [1, 1, 1, 1], group = 20> (x, d) s = Sigmoid (a) y = Mul (s, a)",
        "a = Conv (x, w) s = Sigmoid (a) y = Mul (s, s)",
        "a = Conv (x, w) s = Sigmoid (x) y = Mul (a, s)",
        "a = Conv (x, w) n = Neg (a) s = Sigmoid (n) y = Mul (s, n)",
        "a = Conv (x, w) n = Neg (a) s = Sigmoid (a) y = Mul (s, n)",
        "a = Conv (x, w) s = Sigmoid (a) m = Mul (a, s) y = Add (m, x)",
        "a = Conv (x, w) s = Sigmoid (a) m = Mul (a, s) y = Mul (m, a)",
        "a = Conv (x, w) y = HardSwish (a)",
        "a = Conv (x, w) y = Add (a, x)",
        "a = Conv (x, w) g = GlobalAveragePool (a) y = Mul (a, g)",
        "a = Conv (x, w) g = GlobalAveragePool (x) h = Sigmoid (g) y = Mul (h, a)",
        "a = Conv <pads = [1, 1, 1, 1], group = 20> (x, d) s = Add (x, a) y = Relu (s)",
        "a = Conv (x, w) n = Neg (a) s = Add (n, x) y = Clip (s, low, high)",
        "a = Conv (x, w) s = Add (a, a) y = Relu (s)",
        "n = Neg (x) s = Add (n, x) y = Relu (s)",
        "a = Conv <pads = [1, 1, 1, 1], group = 20> (x, d) n = Neg (a) y = HardSwish (n)",
        "a = Conv (x, w) h = HardSwish (a) y = Mul (a, h)",
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        char text[TEXT];
        int at = snprintf(text, TEXT,
                          "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                          "g (float16[2,20,5,6] x) => (float16[] y, float16[] z)\n"
                          "<float zero = {0}, float step = {1}, float16 low = {-1.0}, "
                          "float16 high = {2.0}> {\n");
        at += write_weights(text + at, TEXT - at, "w", OC_F16, "20,20,1,1", 400);
        at += write_weights(text + at, TEXT - at, "d", OC_F16, "20,1,3,3", 180);
        snprintf(text + at, (size_t)(TEXT - at), "%s z = Relu (x) }\n", nodes[i]);
        oc_session_options options = {.threads = 1};
        outcome nchw16c = run(text, &options, OC_F16, 20, 6);
        options.no_fusion = options.no_nchw16c = true;
        outcome one_by_one = run(text, &options, OC_F16, 20, 6);
        suite_assert(nchw16c.error.code == OC_OK, "%s", nchw16c.error.text);
        ck_assert_msg(oc_value_equal(nchw16c.y[0], one_by_one.y[0]), "%s", nodes[i]);
        outcome_free(&nchw16c);
        outcome_free(&one_by_one);
    }
}
END_TEST

/* These weights amid zeros are a kernel of 5 x 5, which only the definition serves. */
static const char exact_text[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>\n"
    "g (float[2,C,H,W] v0) => (float[] y, float[] z)\n"
    "<float zero = {0}, float n = {5760}, float step = {1}, int64[4] dims = {32, 20, 3, 3}, "
    "int64[8] around = {0, 0, 1, 1, 0, 0, 1, 1}> {\n"
    "r = Range (zero, n, step) s = Sin (r) w = Reshape (s, dims) wide = Pad (w, around)\n"
    "y = Conv <pads = [1, 1, 1, 1]> (v0, w) z = Conv <pads = [2, 2, 2, 2]> (v0, wide) }\n";

START_TEST(exact_conv_is_the_definition)
{
    for (int exact = 0; exact < 2; exact++) {
        const oc_session_options options = {.threads = 1, .exact_conv = exact};
        outcome o = run(exact_text, &options, OC_F32, 20, 14);
        ck_assert_msg(o.error.code == OC_OK, "%s", o.error.text);
        ck_assert_int_eq(oc_value_equal(o.y[0], o.y[1]), exact);
        const float *y = o.y[0]->data, *z = o.y[1]->data;
        for (int64_t i = 0; i < oc_value_n(o.y[0]); i++)
            ck_assert_msg(fabsf(y[i] - z[i]) < 1e-4f, "[%d] is %a, not %a", (int)i, (double)y[i],
                          (double)z[i]);
        outcome_free(&o);
    }
}
END_TEST

SUITE("layout", nchw16c_equals_nchw, ends_of_float16_groups, exact_conv_is_the_definition)
