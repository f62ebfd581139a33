/* SPDX-License-Identifier: Apache-2.0
 * test_pads.c - a convolution that puts a Pad's zeros around its input itself gives the bits of
 * both nodes, and does so where the Pad puts nothing but zeros there for it alone. */
#include "outcome.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdio.h>

enum { TEXT = 1500, MOST = 2 * 20 * 13 * 12 };

/* "b = Pad" of a, and what reads it. */
typedef struct row {
    const char *nodes;
    bool taken;
} row;

static const row rows[] = {
    {"b = Pad (a, around) y = Conv (b, w)", true},
    {"b = Pad (a, around) y = Conv <pads = [1, 0, 2, 1]> (b, w)", true},
    {"b = Pad (a, around, zero) c = Conv <strides = [2, 2]> (b, w) y = Relu (c)", true},
    {"b = Pad (a, beside, zero, axes) y = Conv <auto_pad = \"NOTSET\"> (b, w)", true},
    {"b = Pad (a, around) y = Conv <group = channels> (b, d)", true},
    {"b = Pad (a, around) y = Conv <group = channels> (b, wild)", true},
    {"b = Pad (a, around) y = Conv <dilations = [3, 3]> (b, w)", true},
    {"before = Constant <value = int64[4] {0, 0, 1, 1}> () "
     "q = Concat <axis = 0> (before, before) b = Pad (a, q) y = Conv (b, w)",
     true},
    {"b = Pad (a, around, least) y = Conv (b, w)", false},
    {"b = Pad (a, around, one) y = Conv (b, w)", false},
    {"b = Pad <mode = \"edge\"> (a, around) y = Conv (b, w)", false},
    {"b = Pad (a, cut) y = Conv (b, w)", false},
    {"b = Pad (a, images) y = Conv (b, w)", false},
    {"b = Pad (a, around) y = Conv <auto_pad = \"SAME_UPPER\"> (b, w)", false},
    {"b = Pad (a, around) c = Conv (b, w) e = MaxPool <kernel_shape = [3, 3]> (b) "
     "y = Concat <axis = 1> (c, e)",
     false},
    {"b = Pad (a, around) c = Conv (a, b) y = Conv (c, w)", false},
};

/* Odd channels are no multiple of 16. */
static void make_text(const row *r, int channels, bool known, char text[TEXT])
{
    char dims[40] = "[]", weights[900] = "";
    int at = 0;
    if (known)
        snprintf(dims, sizeof dims, "[2,%d,13,12]", channels);
    for (const char *p = r->nodes; *p && at < 800; p++)
        if (strncmp(p, "channels", 8) == 0) {
            at += snprintf(weights + at, sizeof weights - (size_t)at, "%d", channels);
            p += 7;
        } else
            weights[at++] = *p;
    weights[at] = 0;
    snprintf(text, TEXT,
             "<ir_version: 10, opset_import: [\"\" : 18]>\n"
             "g (float%s a) => (float[] y)\n"
             "<int64[8] around = {0, 0, 1, 2, 0, 0, 1, 0}, int64[4] beside = {1, 1, 2, 0}, "
             "int64[2] axes = {2, -1}, int64[8] cut = {0, 0, 1, -1, 0, 0, 0, 1}, "
             "int64[8] images = {0, 0, 1, 0, 1, 0, 0, 0}, float zero = {0}, float least = {-0.0}, "
             "float one = {1}, int64[4] of_w = {20, %d, 3, 3}, int64[4] of_d = {%d, 1, 3, 3}, "
             "float start = {0}, float step = {1}, float huge = {inf}> {\n"
             "nw = Constant <value_float = %d.0> () nd = Constant <value_float = %d.0> ()\n"
             "rw = Range (start, nw, step) sw = Sin (rw) w = Reshape (sw, of_w)\n"
             "rd = Range (start, nd, step) sd = Cos (rd) d = Reshape (sd, of_d)\n"
             "td = Tan (rd) md = Mul (td, huge) wild = Reshape (md, of_d)\n%s }\n",
             dims, channels, channels, 20 * channels * 9, channels * 9, weights);
}

static float *image(void)
{
    static float x[MOST];
    for (int i = 0; i < MOST; i++)
        x[i] = (float)(i * 7 % 31) / 8 - 2;
    return x;
}

static outcome run(const char *text, bool no_fusion, int channels)
{
    const oc_value in = oc_value_borrow(OC_F32, (oc_dims){4, {2, channels, 13, 12}}, image());
    const oc_session_options options = {.threads = 2, .no_fusion = no_fusion};
    return outcome_of(text, &options, &in, 1, 1);
}

START_TEST(together_equals_one_by_one)
{
    static const int channels[] = {3, 16, 20};
    for (size_t i = 0; i < 6 * sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i / 6];
        char text[TEXT];
        make_text(r, channels[i % 3], i % 6 < 3, text);
        outcome together = run(text, false, channels[i % 3]);
        outcome each = run(text, true, channels[i % 3]);
        suite_assert(strcmp(together.error.text, each.error.text) == 0, "'%s', '%s'\n%s",
                     together.error.text, each.error.text, text);
        suite_assert(together.error.code != OC_OK || oc_value_equal(together.y[0], each.y[0]),
                     "other bits\n%s", text);
        if (r->taken) {
            const int relu = strstr(r->nodes, "Relu") != NULL;
            suite_assert(together.error.code == OC_OK, "%s\n%s", together.error.text, text);
            suite_assert(oc_session_describe(together.session).n_fused == 1 + relu,
                         "the Pad runs\n%s", text);
        }
        outcome_free(&together);
        outcome_free(&each);
    }
}
END_TEST

static void count_pads(void *ctx, const oc_node_event *event)
{
    *(int *)ctx += !event->begin && strcmp(event->op_type, "Pad") == 0;
}

/* An observer of what is stored sees no Pad whose zeros a convolution puts there. */
START_TEST(what_is_taken_does_not_run)
{
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        int seen = 0;
        make_text(&rows[i / 2], 16, i % 2, text);
        const oc_value in = oc_value_borrow(OC_F32, (oc_dims){4, {2, 16, 13, 12}}, image());
        const oc_session_options options = {
            .observer = {.on_node = count_pads, .on_node_ctx = &seen, .view = OC_VIEW_STORED}};
        outcome o = outcome_of(text, &options, &in, 1, 1);
        if (rows[i / 2].taken)
            suite_assert(seen == 0, "%d runs of a Pad\n%s", seen, text);
        outcome_free(&o);
    }
}
END_TEST

START_TEST(what_is_no_zero_stays)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        make_text(&rows[i], 16, true, text);
        outcome o = run(text, false, 16);
        if (!rows[i].taken && o.error.code == OC_OK)
            suite_assert(oc_session_describe(o.session).n_fused == 0, "a Pad is gone\n%s", text);
        outcome_free(&o);
    }
}
END_TEST

SUITE("pads", together_equals_one_by_one, what_is_taken_does_not_run, what_is_no_zero_stays)
