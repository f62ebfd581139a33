/* SPDX-License-Identifier: Apache-2.0
 * test_trace.c - values kept and met again: by name and turn, with and without room. */
#include "values/trace_compare.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static const size_t caps[] = {1 << 20, 0}; /* values are kept; only fingerprints are */

static oc_value *floats(const float *x, int64_t n)
{
    oc_error e = {0};
    oc_value *v = oc_tensor_new(OC_F32, 1, &n, NULL, &e);
    ck_assert_ptr_nonnull(v);
    memcpy(oc_value_mutable_data(v), x, (size_t)n * sizeof *x);
    return v;
}

typedef void callback(void *ctx, const oc_node_event *event);

static void tell(callback *f, void *ctx, const char *output, const oc_value *v)
{
    f(ctx, &(oc_node_event){.name = "node",
                            .domain = "",
                            .op_type = "Op",
                            .n_out = 1,
                            .out = &v,
                            .out_name = &output});
}

static void tell_floats(callback *f, void *ctx, const char *output, const float *x, int64_t n)
{
    oc_value *v = floats(x, n);
    tell(f, ctx, output, v);
    oc_value_free(v);
}

START_TEST(values_are_met_by_name_and_turn)
{
    for (size_t k = 0; k < 2; k++) {
        value_trace t = value_trace_new(caps[k]);
        const float x[] = {1, 2, 3};
        for (int i = 0; i < 3; i++) {
            tell_floats(value_trace_keep, &t, "a", x + i, 1);
            tell_floats(value_trace_keep, &t, "b", x, 3);
        }
        tell_floats(value_trace_keep, &t, "", x, 3);
        ck_assert_int_eq(t.n_values, 6);
        ck_assert(caps[k] ? t.bytes > 6 * 4 && t.bytes <= caps[k] : t.bytes == 0);
        for (int round = 0; round < 2; round++) {
            value_comparison m = value_comparison_new(&t, &(compare_bound){.bits = true});
            tell_floats(value_compare_node, &m, "b", x, 3); /* in another order */
            tell_floats(value_compare_node, &m, "other", x, 3);
            for (int i = 0; i < 3; i++)
                tell_floats(value_compare_node, &m, "a", x + (i == 1 ? 2 : i), 1);
            tell_floats(value_compare_node, &m, "a", x, 1); /* one more than there were */
            ck_assert_int_eq(m.n_met, 4);
            ck_assert_int_eq(m.n_compared, 4);
            ck_assert_int_eq(m.n_differ, 1);
            ck_assert_str_eq(m.first.output, "a");
            ck_assert_str_eq(m.first.node, "node");
            ck_assert_str_eq(m.first.op, "Op");
            ck_assert_int_eq(m.first.time, 2);
            ck_assert_ptr_nonnull(strstr(m.first.text, caps[k] ? "3, expected 2" : "bits"));
        }
        value_trace_free(&t);
    }
}
END_TEST

static int64_t differ(size_t cap, bool bits, const float *x, const float *y, int64_t n,
                      int64_t *unkept)
{
    value_trace t = value_trace_new(cap);
    tell_floats(value_trace_keep, &t, "a", x, n);
    value_comparison m =
        value_comparison_new(&t, &(compare_bound){.rtol = bits ? 0 : -1, .atol = -1, .bits = bits});
    tell_floats(value_compare_node, &m, "a", y, n);
    ck_assert_int_eq(m.n_met, 1);
    ck_assert_int_eq(m.n_compared + m.n_unkept, 1);
    *unkept = m.n_unkept;
    value_trace_free(&t);
    return m.n_differ;
}

START_TEST(bits_and_tolerances)
{
    static const union {
        uint32_t bits[2];
        float x[2];
    } nan = {{0x7fc00000, 0x3f800000}}, other = {{0xffa00001, 0x3f800000}};
    static const struct {
        float x[2], y[2];
        bool same, near; /* equal bits; within the tolerance */
    } rows[] = {
        {{1, 2}, {1, 2}, true, true},         {{1, 0}, {1, -0.0f}, false, true},
        {{1, 2}, {1, 2.00001f}, false, true}, {{1, 2}, {1, 2.001f}, false, false},
        {{0, 1}, {5e-7f, 1}, false, true},    {{0, 1}, {5e-6f, 1}, false, false},
        {{1, 2}, {2, 1}, false, false},
    };
    int64_t unkept;
    for (size_t k = 0; k < 2; k++) {
        ck_assert_int_eq(differ(caps[k], true, nan.x, other.x, 2, &unkept), 0);
        ck_assert_int_eq(differ(caps[k], false, nan.x, other.x, 2, &unkept), 0);
        ck_assert_int_eq(unkept, 0);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const float *x = rows[i].x, *y = rows[i].y;
            ck_assert_int_eq(differ(caps[k], true, x, y, 2, &unkept), !rows[i].same);
            ck_assert_int_eq(unkept, 0);
            ck_assert_int_eq(differ(caps[k], false, x, y, 2, &unkept), caps[k] && !rows[i].near);
            ck_assert_int_eq(unkept, !caps[k] && !rows[i].same);
        }
        const float x[] = {1, 1, 1};
        ck_assert_int_eq(differ(caps[k], true, x, x, 0, &unkept), 0);
    }
}
END_TEST

START_TEST(lists_are_kept_whole)
{
    /* a serialized SequenceProto: elem_type 1, one float tensor of dims [1] */
    static const unsigned char one[] = {0x10, 1,    0x1a, 10, 0x08, 1,    0x10,
                                        1,    0x4a, 4,    0,  0,    0x80, 0x3f};
    unsigned char two[sizeof one];
    memcpy(two, one, sizeof one);
    two[12] = 0;
    oc_error e = {0};
    oc_value *a = oc_value_read(one, sizeof one, OC_SEQUENCE, NULL, NULL, &e);
    oc_value *b = oc_value_read(two, sizeof two, OC_SEQUENCE, NULL, NULL, &e);
    ck_assert_msg(e.code == OC_OK && oc_value_count(a) == 1, "%s", e.text);
    for (size_t k = 0; k < 2; k++) {
        value_trace t = value_trace_new(caps[k]);
        tell(value_trace_keep, &t, "s", a);
        value_comparison m = value_comparison_new(&t, &(compare_bound){.bits = true});
        tell(value_compare_node, &m, "s", a);
        ck_assert_int_eq(m.n_differ, 0);
        m = value_comparison_new(&t, &(compare_bound){.bits = true});
        tell(value_compare_node, &m, "s", b);
        ck_assert_int_eq(m.n_compared, 1);
        ck_assert_int_eq(m.n_differ, 1);
        value_trace_free(&t);
    }
    oc_value_free(a);
    oc_value_free(b);
}
END_TEST

START_TEST(many_names_are_found)
{
    value_trace t = value_trace_new(caps[0]);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        const float x = (float)i;
        snprintf(name, sizeof name, "v%d", i);
        tell_floats(value_trace_keep, &t, name, &x, 1);
    }
    value_comparison m = value_comparison_new(&t, &(compare_bound){.bits = true});
    for (int i = 999; i >= 0; i--) {
        const float x = (float)i;
        snprintf(name, sizeof name, "v%d", i);
        tell_floats(value_compare_node, &m, name, &x, 1);
    }
    ck_assert_int_eq(m.n_compared, 1000);
    ck_assert_int_eq(m.n_differ, 0);
    value_trace_free(&t);
}
END_TEST

SUITE("value_trace", values_are_met_by_name_and_turn, bits_and_tolerances, lists_are_kept_whole,
      many_names_are_found)
