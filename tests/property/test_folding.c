/* SPDX-License-Identifier: Apache-2.0
 * test_folding.c - random models of weights and an input give the same bits whether or not the plan
 * computes what depends on weights alone. */
#include "outcome.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 600, NODES = 14, TEXT = 4000 };

/* Each takes one or two values of 2 x 2 and gives value v%d of 2 x 2. */
static const char *const forms[] = {
    "v%d = Transpose (v%d)\n",
    "v%d = Relu (v%d)\n",
    "v%d = Softmax <axis = 0> (v%d)\n",
    "v%d = Add (v%d, v%d)\n",
    "v%d = Div (v%d, v%d)\n",
    "v%d = MatMul (v%d, v%d)\n",
    "v%d = Gemm <transB = 1> (v%d, v%d, v%d)\n",
    "v%d = Einsum <equation = \"ij,kj->ki\"> (v%d, v%d)\n",
    "v%d = Identity (v%d)\n",
    "v%d = Reshape (v%d, shape)\n",
    "v%d = Where (no, v%d, v%d)\n",
    "v%d = ReduceMax <keepdims = 1> (v%d, last) \n", /* 2 x 1: the next node repeats it, or fails */
    "v%d = Constant <value = float[2,2] {5, 6, 7, 8}> ()\n",
    "v%d = RandomNormal <shape = [2, 2]> ()\n",
    ("v%d = If <then_branch = a () => (float[2,2] t) { t = Neg (v%d) }, else_branch = b () => "
     "(float[2,2] e) { e = Mul (v%d, v%d) }> (no)\n"),
};

static void make_text(suite_random *r, char text[TEXT])
{
    int at = snprintf(text, TEXT,
                      "<ir_version: 10, opset_import: [\"\" : 22]>\n"
                      "g (float[2,2] v0) => (float[] v%d, float[] v%d)\n"
                      "<float[2,2] v1 = {1, -2, 3, 0}, float[2,2] v2 = {0.5, 1, -1, 4}, "
                      "bool no = {0}, int64[2] shape = {2, 2}, int64[1] last = {1}> {\n",
                      NODES + 2, 3 + (int)suite_below(r, NODES - 1));
    for (int i = 3; i < NODES + 3; i++) {
        int from[3];
        for (int k = 0; k < 3; k++) /* weights more often than the input */
            from[k] = (int)suite_below(r, suite_below(r, 3) ? (uint32_t)i : 3);
        at += snprintf(text + at, (size_t)(TEXT - at),
                       forms[suite_below(r, sizeof forms / sizeof *forms)], i, from[0], from[1],
                       from[2]);
    }
    snprintf(text + at, (size_t)(TEXT - at), "}\n");
}

START_TEST(folded_equals_plain)
{
    static const float x[4] = {1, 2, -3, 4};
    const oc_value in = oc_value_borrow(OC_F32, (oc_dims){2, {2, 2}}, x);
    suite_random r = suite_random_new(41);
    int n_folded = 0, n_ran = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        char text[TEXT];
        make_text(&r, text);
        oc_session_options options = {
            .threads = 1 + (int)suite_below(&r, 2), .seed = 9, .no_reuse = suite_below(&r, 3) == 0};
        outcome folded = outcome_of(text, &options, &in, 1, 2);
        options.no_folding = true;
        outcome plain = outcome_of(text, &options, &in, 1, 2);
        suite_assert(plain.error.code == folded.error.code &&
                         strcmp(plain.error.text, folded.error.text) == 0,
                     "'%s', not '%s'; OC_SEED=%u\n%s", folded.error.text, plain.error.text, seed,
                     text);
        for (int i = 0; i < 2 && plain.error.code == OC_OK; i++)
            suite_assert(oc_value_equal(plain.y[i], folded.y[i]), "other bits; OC_SEED=%u\n%s",
                         seed, text);
        if (plain.error.code == OC_OK) {
            n_ran++;
            n_folded += oc_session_describe(folded.session).n_folded;
        }
        outcome_free(&plain);
        outcome_free(&folded);
    }
    suite_assert(n_ran > ROUNDS / 4 && n_folded > 2 * n_ran, "%d ran, %d folded", n_ran, n_folded);
}
END_TEST

/* A lies in a buffer of 4 MB, which B then takes a part of: nothing that begins in the middle of a
 * block of memory stays with the plan, so B is not packed in its place. */
START_TEST(packed_weights_stay_where_they_can)
{
    static const char text[] =
        "<ir_version: 10, opset_import: [\"\" : 20]>\n"
        "g (float[2,1024] x) => (float[2,512] y) <float zero = {0}, float one = {0.001},\n"
        "   float end = {1.024}, float half = {0.512}, int64[1] last = {1}, int64[1] first = {0}> "
        "{\n"
        "  r = Range (zero, end, one) h = Range (zero, half, one)\n"
        "  row = Unsqueeze (r, first) column = Unsqueeze (r, last) less = Unsqueeze (h, last)\n"
        "  A = Mul (column, row) t = MatMul (x, A)\n"
        "  B = Mul (less, row) y = Gemm <transB = 1> (t, B)\n}\n";
    static float x[2 * 1024], y[2][2 * 512];
    for (int i = 0; i < 2 * 1024; i++)
        x[i] = (float)(i % 17) / 16;
    const oc_value in = oc_value_borrow(OC_F32, (oc_dims){2, {2, 1024}}, x);
    for (int unfolded = 0; unfolded < 2; unfolded++) {
        const oc_session_options options = {.threads = 1, .no_folding = unfolded};
        outcome o = outcome_of(text, &options, &in, 1, 1);
        ck_assert_msg(o.error.code == OC_OK, "%s", o.error.text);
        memcpy(y[unfolded], oc_value_data(o.y[0]), sizeof y[0]);
        outcome_free(&o);
    }
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
}
END_TEST

SUITE("folding", folded_equals_plain, packed_weights_stay_where_they_can)
