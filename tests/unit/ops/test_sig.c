/* SPDX-License-Identifier: Apache-2.0
 * test_sig.c - signature strings, and every built-in row of them. */
#include "ops/kit/registry.h"
#include "ops/signature/sig.h"
#include "ops/signature/sig_types.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static oc_memory memory;
static oc_arena arena;

static void setup(void)
{
    memory = oc_memory_new(NULL, 0);
    arena = oc_arena_new(&memory);
}

static const oc_sig *parse(const char *text)
{
    const oc_sig *s = NULL;
    oc_error e = {OC_OK, ""};
    ck_assert_msg(oc_sig_parse(text, &arena, &s, &e) == OC_OK, "%s: %s", text, e.text);
    return s;
}

START_TEST(attributes_of_every_form)
{
    setup();
    const oc_sig *s =
        parse("com.me::Op <int a, float b = -1.5, string c = \"x\", ints d = [1, 2], "
              "ints e?, graph f, strings g = [\"u\", \"v\"]> (T x) => (T y) | T: float");
    ck_assert_str_eq(s->domain, "com.me");
    ck_assert_str_eq(s->name, "Op");
    ck_assert_int_eq(s->n_attr, 7);
    ck_assert(s->attr[0].required && !s->attr[0].has_default);
    ck_assert(s->attr[1].has_default && s->attr[1].value.u.f[0] == -1.5f);
    ck_assert_str_eq(s->attr[2].value.u.s[0].data, "x");
    ck_assert_int_eq(s->attr[3].value.n, 2);
    ck_assert_int_eq(s->attr[3].value.u.i[1], 2);
    ck_assert(!s->attr[4].required && !s->attr[4].has_default);
    ck_assert_int_eq(s->attr[5].value.kind, OC_ATTR_GRAPH);
    ck_assert_int_eq(s->attr[6].value.n, 2);
    ck_assert_str_eq(s->attr[6].value.u.s[1].data, "v");
    oc_arena_free(&arena);
}
END_TEST

START_TEST(ports_and_types)
{
    setup();
    const oc_sig *s = parse("Op (T x, int64 n!, U opt?, T rest...) => (T y, bool mask?) "
                            "| T: float double; U: seq(float) opt(int64) opt(seq(string))");
    ck_assert_int_eq(s->n_in, 4);
    ck_assert_int_eq(s->min_in, 4);
    ck_assert_int_eq(s->min_out, 1);
    ck_assert(s->in[1].value && !s->in[0].value);
    ck_assert(s->in[2].optional && s->in[3].variadic);
    ck_assert_uint_eq(s->in[0].set.tensor, oc_type_bit(OC_F32) | oc_type_bit(OC_F64));
    ck_assert_uint_eq(s->in[1].set.tensor, oc_type_bit(OC_I64));
    ck_assert_int_eq(s->in[1].var, -1);
    ck_assert_int_eq(s->in[0].var, s->out[0].var);
    ck_assert_uint_eq(s->in[2].set.sequence, oc_type_bit(OC_F32));
    ck_assert_uint_eq(s->in[2].set.optional, oc_type_bit(OC_I64));
    ck_assert_uint_eq(s->in[2].set.opt_sequence, oc_type_bit(OC_STRING));
    oc_arena_free(&arena);
}
END_TEST

START_TEST(variadic_values_of_mixed_types)
{
    setup();
    const oc_sig *s = parse("Op (T x, V rest?~...) => (V y~...) | T: float; V: all seq(all)");
    ck_assert(s->in[1].mixed && s->in[1].variadic && s->in[1].optional && s->out[0].mixed);
    ck_assert(!s->in[0].mixed);
    ck_assert_int_eq(s->min_in, 1);
    ck_assert_uint_eq(s->in[1].set.sequence, s->in[1].set.tensor);
    oc_arena_free(&arena);
}
END_TEST

START_TEST(names_have_any_characters)
{
    static const struct {
        const char *text, *domain, *name;
    } cases[] = {{"my-domain.2::Op-7 (float x) => (float y)", "my-domain.2", "Op-7"},
                 {"a::b::C<int a?>(float x) => (float y)", "a::b", "C"},
                 {"1st() => (float y)", "", "1st"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup();
        const oc_sig *s = parse(cases[i].text);
        ck_assert_str_eq(s->domain, cases[i].domain);
        ck_assert_str_eq(s->name, cases[i].name);
        ck_assert(oc_sig_names(cases[i].text, cases[i].domain, cases[i].name));
        oc_arena_free(&arena);
    }
}
END_TEST

START_TEST(malformed_ones_are_errors)
{
    static const char *const bad[] = {
        "",
        " (T x) => (T y) | T: float",
        "me:: (T x) => (T y) | T: float",
        "Op",
        "Op (T x)",
        "Op (T x) => (T y)",
        "Op (T x) => (T y) | T: nothing",
        "Op (T x) => (T y) | T: float; U: float",
        "Op <thing a> (T x) => (T y) | T: float",
        "Op <int a = \"x\"> (T x) => (T y) | T: float",
        "Op <graph g = 1> (T x) => (T y) | T: float",
        "Op (T rest..., T x) => (T y) | T: float",
        "Op (T x^!) => (T y) | T: float",
        "Op (T x$^) => (T y) | T: float",
        "Op (T x^=) => (T y) | T: float",
        "Op (T x) => (T y) | T: float )",
        "Op <option int a> (T x) => (T y) | T: float",
        "Op <int a@U> (T x) => (T y) | T: float",
        "Op <graph g from z> (T x) => (T y) | T: float",
        "Op <graph g gives many> (T x) => (T y) | T: float",
        "Op (T x) => (T y) | T: float = much",
        "Op (T x) => (T y) | T: float = U",
        "Op (T x) => (T y) | T: float; change",
        "Op (T x) => (T y) | T: float; change colour",
        "Op (T x) => (T y) | T: float; change input 1 from a",
        "Op (T x) => (T y) | T: float; change word a b",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setup();
        const oc_sig *s;
        oc_error e = {OC_OK, ""};
        ck_assert_msg(oc_sig_parse(bad[i], &arena, &s, &e) != OC_OK, "%s", bad[i]);
        ck_assert_uint_gt(strlen(e.text), 0);
        oc_arena_free(&arena);
    }
}
END_TEST

START_TEST(marks)
{
    setup();
    const oc_sig *s =
        parse("Op <option string how = \"fast\", int to@T2, tensor v+:T2?, int old+ = 0, "
              "graph body from x gives 1> (T x=, T2 w!=?, T z^) => (T2 y) "
              "| T: float; T2: int8 uint8 = uint8; random; change input 1 from w or -1.5; "
              "change word mode a b");
    ck_assert(s->attr[0].option && s->attr[0].has_default && !s->attr[1].option);
    ck_assert(s->attr[1].names_type && s->attr[1].required);
    ck_assert_int_eq(s->attr[1].var, s->in[1].var);
    ck_assert(!s->attr[2].names_type && s->attr[2].neutral && !s->attr[2].required);
    ck_assert_int_eq(s->attr[2].var, s->in[1].var);
    ck_assert(s->attr[3].neutral && s->attr[3].var == -1 && s->attr[3].gives == -1);
    ck_assert(s->attr[4].from == 0 && s->attr[4].gives == 1);
    ck_assert(s->in[0].prepared && s->in[1].prepared && s->in[1].value && s->in[1].optional);
    ck_assert(s->in[2].dims_only && !s->in[1].dims_only && !oc_sig_reads_dims_only(s, 3));
    ck_assert_int_eq(s->fallback[s->in[1].var], OC_U8);
    ck_assert_int_eq(s->fallback[s->in[0].var], OC_UNDEFINED);
    ck_assert(s->random);
    ck_assert_int_eq(s->n_change, 2);
    ck_assert_int_eq(s->change[0].kind, OC_CHANGE_TYPED_INPUT);
    ck_assert_int_eq(s->change[0].input, 1);
    ck_assert(s->change[0].number == -1.5f);
    ck_assert_str_eq(s->change[1].old_word, "a");
    ck_assert_str_eq(s->change[1].word, "b");
    oc_arena_free(&arena);
}
END_TEST

/* What y is where T is double, and T2 only known by the attribute `to` or by its fallback. */
static oc_known_type type_of_y(const char *var)
{
    char text[200];
    snprintf(text, sizeof text, "Op <int to@T2?> (T x) => (T2 y) | T: float double; T2: %s", var);
    const oc_sig *s = parse(text);
    oc_known_type bound[OC_SIG_VARS] = {{OC_TENSOR, OC_UNDEFINED}};
    ck_assert(oc_sig_bind_type(s, 0, (oc_known_type){OC_TENSOR, OC_F64}, bound));
    return oc_sig_output_type(s, &s->out[0], NULL, 0, bound);
}

START_TEST(types_that_nothing_determines)
{
    setup();
    ck_assert_int_eq(type_of_y("float double int8").type, OC_UNDEFINED);
    ck_assert_int_eq(type_of_y("float double int8 = int8").type, OC_I8);
    ck_assert_int_eq(type_of_y("float double int8 = T").type, OC_F64);
    oc_arena_free(&arena);
}
END_TEST

START_TEST(names_are_matched_whole)
{
    ck_assert(oc_sig_names("Concat <int axis> (", "", "Concat"));
    ck_assert(!oc_sig_names("ConcatFromSequence (", "", "Concat"));
    ck_assert(!oc_sig_names("Concat (", "", "ConcatFromSequence"));
    ck_assert(oc_sig_names("com.me::Op (", "com.me", "Op"));
    ck_assert(!oc_sig_names("com.me::Op (", "", "Op"));
    ck_assert(!oc_sig_names("Op (", "com.me", "Op"));
}
END_TEST

/* Rows of one operator stand together, newest first, and each is well-formed. */
START_TEST(every_builtin_row_is_good)
{
    char last[128] = "";
    int last_since = 0;
    for (int i = 0; oc_op_at(i); i++) {
        setup();
        const oc_op *row = oc_op_at(i);
        const oc_sig *s = parse(row->signature);
        ck_assert(row->run != NULL);
        ck_assert_msg(row->since >= 1, "%s", row->signature);
        if (strcmp(last, s->name) == 0)
            ck_assert_msg(row->since < last_since, "%s-%d after %d", s->name, row->since,
                          last_since);
        for (int k = 0; k < i && strcmp(last, s->name) != 0; k++)
            ck_assert_msg(!oc_sig_names(oc_op_at(k)->signature, s->domain, s->name),
                          "%s stands in two places", s->name);
        snprintf(last, sizeof last, "%s", s->name);
        last_since = row->since;
        oc_arena_free(&arena);
    }
    ck_assert(*last);
}
END_TEST

START_TEST(lookup_takes_the_newest_that_fits)
{
    int oldest;
    ck_assert_int_eq(oc_op_find(NULL, "", "Concat", 12, &oldest)->since, 11);
    ck_assert_int_eq(oc_op_find(NULL, "", "Concat", 1000, &oldest)->since, 13);
    ck_assert_ptr_null(oc_op_find(NULL, "", "Concat", 0, &oldest));
    ck_assert_int_eq(oldest, 1);
    ck_assert_ptr_null(oc_op_find(NULL, "", "Nothing", 13, &oldest));
    ck_assert_int_eq(oldest, 0);
    const oc_op host[] = {{2, "Concat (T x) => (T y) | T: float", NULL, NULL}, {0}};
    ck_assert_ptr_eq(oc_op_find(host, "", "Concat", 13, &oldest), &host[0]);
}
END_TEST

SUITE("sig", attributes_of_every_form, ports_and_types, variadic_values_of_mixed_types,
      names_have_any_characters, malformed_ones_are_errors, marks, types_that_nothing_determines,
      names_are_matched_whole, every_builtin_row_is_good, lookup_takes_the_newest_that_fits)
