/* SPDX-License-Identifier: Apache-2.0
 * test_epilogues.c - random rows of elementwise operators, half of them after a matrix product,
 * give the same bits strip by strip together and one by one, whatever axes their operands have, and
 * where the first results are smaller than the last. Which NaN is the product of two of them may
 * differ, as a compiler may exchange its operands. So do functions of all float16 and bfloat16
 * numbers. */
#include "outcome.h"
#include "same_value.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 600, NODES = 8, OPERANDS = 4, TEXT = 3000, MOST = 20000 };

/* v%d is made of the value before and up to two others. p%d: an operand. */
static const char *const forms[] = {"v%d = Add (v%d, p%d)\n",  "v%d = Mul (p%d, v%d)\n",
                                    "v%d = Sub (v%d, p%d)\n",  "v%d = Max (v%d, p%d, p%d)\n",
                                    "v%d = Add (v%d, v%d)\n",  "v%d = Mul (v%d, v%d)\n",
                                    "v%d = Relu (v%d)\n",      "v%d = Sigmoid (v%d)\n",
                                    "v%d = Neg (v%d)\n",       "v%d = Clip (v%d, low, high)\n",
                                    "v%d = HardSwish (v%d)\n", "v%d = PRelu (v%d, p%d)\n",
                                    "v%d = Pow (v%d, p%d)\n",  "v%d = Pow (v%d, two)\n",
                                    "v%d = Pow (v%d, three)\n"};

static int write_node(char *to, int room, suite_random *r, int i)
{
    int at = 0, values = 0;
    for (const char *p = forms[suite_below(r, sizeof forms / sizeof *forms)]; *p; p++) {
        if (strncmp(p + 1, "%d", 2) != 0) {
            at += snprintf(to + at, (size_t)(room - at), "%c", *p);
            continue;
        }
        const int earlier = values < 2 || i < 2 ? i - 1 : (int)suite_below(r, (uint32_t)i);
        const int which = *p == 'p' ? (int)suite_below(r, OPERANDS) : values ? earlier : i;
        values += *p == 'v';
        at += snprintf(to + at, (size_t)(room - at), "%c%d", *p, which);
        p += 2;
    }
    return at;
}

/* A few axes, one of which may be long. */
static oc_dims random_dims(suite_random *r)
{
    static const uint32_t longest[] = {300, 1500, 4000};
    oc_dims d = {1 + (int)suite_below(r, 4), {0}};
    for (int a = 0; a < d.rank; a++)
        d.n[a] = 1 + suite_below(r, 6);
    d.n[suite_below(r, (uint32_t)d.rank)] = 1 + suite_below(r, longest[suite_below(r, 3)]);
    return d;
}

/* Some axes of d, most often neighbours; leading ones of 1 may be missing. */
static oc_dims part_of(suite_random *r, const oc_dims *d)
{
    oc_dims p = *d;
    const int first = (int)suite_below(r, (uint32_t)d->rank);
    const int end = first + 1 + (int)suite_below(r, (uint32_t)(d->rank - first));
    for (int a = 0; a < d->rank; a++)
        if (a < first || a >= end || suite_below(r, 12) == 0)
            p.n[a] = 1;
    while (p.rank > 0 && p.n[0] == 1 && suite_below(r, 2)) {
        memmove(p.n, p.n + 1, (size_t)--p.rank * sizeof *p.n);
    }
    return p;
}

/* v0 is x, or the product of x, with k columns, and a constant or bound matrix of n columns. */
static int write_first(char *to, int room, suite_random *r, oc_type type, int rank, int64_t k,
                       int64_t n)
{
    static const char *const products[] = {"v0 = MatMul (x, %s)\n", "v0 = Gemm (x, %s)\n",
                                           "v0 = Gemm <alpha = 3.0> (x, %s, p0)\n",
                                           ("u = Transpose (x) w = Transpose (%s) "
                                            "v0 = Gemm <transA = 1, transB = 1> (u, w, p0)\n")};
    char product[120];
    if (k == 0)
        return snprintf(to, (size_t)room, "v0 = Identity (x)\n");
    snprintf(product, sizeof product, products[rank == 2 ? suite_below(r, 4) : 0],
             suite_below(r, 3) ? "matrix" : "q");
    return snprintf(to, (size_t)room,
                    "dims = Constant <value = int64[2] {%d, %d}> ()\n"
                    "end = Constant <value = float {%d}> ()\ni = Range (zero, end, one)\n"
                    "j = Mod <fmod = 1> (i, seven)\nt = Cast <to = %d> (j)\n"
                    "matrix = Reshape (t, dims)\n%s",
                    (int)k, (int)n, (int)(k * n), (int)type, product);
}

static void make_text(suite_random *r, oc_type type, int rank, int64_t k, int64_t n,
                      char text[TEXT])
{
    const char *t = oc_type_name(type);
    int at = snprintf(text, TEXT,
                      "<ir_version: 10, opset_import: [\"\" : 22]>\n"
                      "g (%s[] x, %s[] p0, %s[] p1, %s[] p2, %s[] p3, %s[] q) "
                      "=> (%s[] v%d)\n<%s low = {-0.5}, %s high = {3.0}, "
                      "float zero = {0}, float one = {1}, float seven = {7}, "
                      "%s two = {2.0}, int64 three = {3}> {\n",
                      t, t, t, t, t, t, t, NODES, t, t, t);
    at += write_first(text + at, TEXT - at, r, type, rank, k, n);
    for (int i = 1; i <= NODES; i++)
        at += write_node(text + at, TEXT - at, r, i);
    snprintf(text + at, (size_t)(TEXT - at), "}\n");
}

START_TEST(together_equals_one_by_one)
{
    static const oc_type types[] = {OC_F32, OC_F32, OC_F16, OC_BF16};
    static float x[MOST], as_type[MOST];
    suite_random r = suite_random_new(61);
    for (int i = 0; i < MOST; i++)
        x[i] = (float)(i * 7 % 31) / 8 - 2;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_dims dims = random_dims(&r);
        if (oc_dims_count(&dims) > MOST - OPERANDS)
            continue;
        const oc_type type = types[suite_below(&r, 4)];
        const size_t size = oc_type_size(type);
        oc_convert(as_type, type, x, OC_F32, MOST, false);
        oc_value in[2 + OPERANDS] = {oc_value_borrow(type, dims, as_type)};
        const int64_t n = dims.n[dims.rank - 1], most = MOST / 2 / n;
        const int64_t k = dims.rank > 1 && suite_below(&r, 2) ? 1 + suite_below(&r, 40) % most : 0;
        in[0].dims.n[dims.rank - 1] = k > 0 ? k : n;
        if (k == 0 && suite_below(&r, 3) == 0) /* results grow on the way */
            in[0].dims = part_of(&r, &dims);
        if (oc_value_n(&in[0]) > MOST)
            continue;
        in[1 + OPERANDS] = oc_value_borrow(type, (oc_dims){2, {k, n}}, (char *)as_type + 3 * size);
        for (int i = 1; i <= OPERANDS; i++)
            in[i] = oc_value_borrow(type, part_of(&r, &dims), (char *)as_type + (size_t)i * size);
        char text[TEXT];
        make_text(&r, type, dims.rank, k, n, text);
        oc_session_options options = {.threads = 1 + (int)suite_below(&r, 3)};
        outcome together = outcome_of(text, &options, in, 2 + OPERANDS, 1);
        options.no_fusion = true;
        outcome each = outcome_of(text, &options, in, 2 + OPERANDS, 1);
        suite_assert(together.error.code == each.error.code &&
                         strcmp(together.error.text, each.error.text) == 0,
                     "'%s', '%s'; OC_SEED=%u\n%s", together.error.text, each.error.text, seed,
                     text);
        suite_assert(together.error.code != OC_OK || same_value(together.y[0], each.y[0]),
                     "other bits; OC_SEED=%u\n%s", seed, text);
        outcome_free(&together);
        outcome_free(&each);
    }
}
END_TEST

/* v is any half, or what is rounded to one. */
static const char *const firsts[] = {"Neg (x)", "Mul (x, three)"};
static const char *const functions[] = {
    "s = Sigmoid (v) y = Mul (v, s)\n",
    "d = Div (v, three) e = Erf (d) f = Add (e, one) g = Mul (v, f) y = Mul (g, low)\n",
    "e = Exp (v) t = Tanh (e) y = Sub (v, t)\n",
    "d = Add (v, three) e = Tanh (d) f = Mul (e, e) y = Sub (f, d)\n",
    "s = Sigmoid (v) t = Mul (s, low) m = Mul (t, x) y = Mul (m, v)\n",
    "u = Relu (v) s = Sigmoid (u) t = Mul (s, u) y = Clip (t, low, three)\n",
    "s = Swish <alpha = 1.5> (v) t = Swish <alpha = 1.5> (s) y = Add (t, x)\n",
    "s = Sigmoid (v) t = Mul (s, v) m = Add (t, x) y = Mul (m, s)\n",
    ("s = Sigmoid (v) t = Mul (s, low) a = Transpose (t) "
     "b = Neg (a) c = Sigmoid (b) y = Mul (c, three)\n"),
    "s = Gelu (v) y = Relu (s)\n"};

START_TEST(all_halves_equal_one_by_one)
{
    enum { ALL = 1 << 16 };
    static const oc_type types[] = {OC_F16, OC_BF16};
    static uint16_t x[ALL];
    for (int i = 0; i < ALL; i++)
        x[i] = (uint16_t)i;
    for (size_t i = 0; i < 4 * sizeof functions / sizeof *functions; i++) {
        const char *t = oc_type_name(types[i % 2]);
        char text[TEXT];
        snprintf(text, TEXT,
                 "<ir_version: 10, opset_import: [\"\" : 24]>\n"
                 "g (%s[] x) => (%s[] y)\n<%s low = {-0.5}, %s one = {1}, %s three = {3}> {\n"
                 "v = %s\n%s}\n",
                 t, t, t, t, t, firsts[i / 2 % 2], functions[i / 4]);
        oc_value in = oc_value_borrow(types[i % 2], (oc_dims){2, {256, 256}}, x);
        oc_session_options options = {.threads = 2};
        outcome together = outcome_of(text, &options, &in, 1, 1);
        options.no_fusion = true;
        outcome each = outcome_of(text, &options, &in, 1, 1);
        suite_assert(together.error.code == OC_OK && each.error.code == OC_OK, "%s\n%s",
                     each.error.text, text);
        suite_assert(same_value(together.y[0], each.y[0]), "other bits\n%s", text);
        outcome_free(&together);
        outcome_free(&each);
    }
}
END_TEST

SUITE("epilogues", together_equals_one_by_one, all_halves_equal_one_by_one)
