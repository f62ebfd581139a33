/* SPDX-License-Identifier: Apache-2.0
 * test_lex.c - tokens, places, escapes, numbers and messages. */
#include "base/lex.h"
#include "base/quote.h"
#include "base/number.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static oc_memory memory; /* both live to the end of the program */
static oc_arena arena;

static oc_lex lex(const char *text)
{
    if (!arena.memory) {
        memory = oc_memory_new(NULL, 0);
        arena = oc_arena_new(&memory);
    }
    return oc_lex_new(text, strlen(text), &arena);
}

/* The tokens of a text, each as a letter of its kind and its bytes: "Nx P= I-1". */
static void want_tokens(const char *text, const char *want)
{
    char got[512] = "";
    size_t n = 0;
    for (oc_lex l = lex(text); l.token != OC_TOK_END; oc_lex_next(&l))
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%c%.*s", n ? " " : "", "ENIFSPB"[l.token],
                              (int)l.size, l.text);
    ck_assert_str_eq(got, want);
}

START_TEST(tokens)
{
    want_tokens("", "");
    want_tokens("a_1 = com.x.Op:o(b,)", "Na_1 P= Ncom P. Nx P. NOp P: No P( Nb P, P)");
    want_tokens("T in... => (y::z) // # gone\n?", "NT Nin P... P=> P( Ny P:: Nz P) P/ P/ P?");
    want_tokens("1 -1 +2 007 1. 1.5 1e3 1e-3 0x1.8p3 -0x10", "I1 I-1 I+2 I007 F1. F1.5 F1e3 "
                                                             "F1e-3 F0x1.8p3 F-0x10");
    want_tokens("inf -inf +nan -infinity -info - 5", "Ninf F-inf F+nan F-infinity P- Ninfo P- I5");
    want_tokens("1...2", "I1 P... I2");
    want_tokens("12ab 1e 0x 1_0", "Ba malformed number Ba malformed number Ba malformed number "
                                  "Ba malformed number");
    want_tokens("\x01", "Ba control character");
    want_tokens("\xc3\xa9t\xc3\xa9", "N\xc3\xa9t\xc3\xa9");
}
END_TEST

START_TEST(strings)
{
    want_tokens("\"\" \"a b\" \"#\"", "S Sa b S#");
    want_tokens("\"\\\"\\\\\\q\\x41\\n\\t\\r\"", "S\"\\qA\n\t\r");
    want_tokens("\"two\nlines\"", "Stwo\nlines");
    want_tokens("\"open", "Ba string without its closing quote");
    want_tokens("\"open\\\"", "Ba string without its closing quote");
    want_tokens("\"open\\", "Ba string without its closing quote");
    want_tokens("\"\\xg0\"", "Ba string with a bad \\x escape");
    want_tokens("\"\\x0\"", "Ba string with a bad \\x escape");
    oc_lex l = lex("\"a\\x00b\"");
    ck_assert_uint_eq(l.size, 3);
    ck_assert_int_eq(memcmp(l.text, "a\0b", 3), 0);
}
END_TEST

START_TEST(places)
{
    oc_lex l = lex("a\n  b # x\n\"c\nd\" e");
    ck_assert(l.line == 1 && l.column == 1);
    oc_lex_next(&l);
    ck_assert(l.line == 2 && l.column == 3);
    oc_lex_next(&l);
    ck_assert(l.line == 3 && l.column == 1);
    oc_lex_next(&l);
    ck_assert(l.line == 4 && l.column == 4 && oc_lex_is(&l, "e"));
}
END_TEST

static void want_message(oc_lex l, const char *message)
{
    oc_error e = {0};
    ck_assert_int_eq(oc_lex_want(&l, ")", &e), OC_FORMAT);
    ck_assert_str_eq(e.text, message);
}

START_TEST(messages)
{
    oc_lex l = lex("\n\n    \tx y");
    want_message(l, "line 3, column 6: found 'x', expected ')'");
    want_message(lex(""), "line 1, column 1: found the end, expected ')'");
    want_message(lex("\"a\nb\""), "line 1, column 1: found '\"a?b\"', expected ')'");
    want_message(lex("1x"), "line 1, column 1: found a malformed number, expected ')'");
    want_message(lex("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee"),
                 "line 1, column 1: found 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...', "
                 "expected ')'");
}
END_TEST

START_TEST(integers)
{
    static const struct {
        const char *text;
        oc_status code;
        int64_t value;
    } rows[] = {
        {"0", OC_OK, 0},
        {"-0", OC_OK, 0},
        {"+12", OC_OK, 12},
        {"9223372036854775807", OC_OK, INT64_MAX},
        {"9223372036854775808", OC_FORMAT, 0},
        {"-9223372036854775808", OC_OK, INT64_MIN},
        {"-9223372036854775809", OC_FORMAT, 0},
        {"99999999999999999999999999", OC_FORMAT, 0},
        {"1.0", OC_FORMAT, 0},
        {"x", OC_FORMAT, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_lex l = lex(rows[i].text);
        oc_error e = {0};
        int64_t value = 0;
        ck_assert_msg(oc_lex_int(&l, "a number", &value, &e) == rows[i].code, "%s", rows[i].text);
        ck_assert_msg(value == rows[i].value, "%s", rows[i].text);
    }
}
END_TEST

START_TEST(floats)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},          {"-1.5e2", -150},    {"0x1.8p1", 3},
        {"inf", INFINITY}, {"-Inf", -INFINITY}, {"infinity", INFINITY},
        {"1e-400", 0},     {"0.1", 0.1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_lex l = lex(rows[i].text);
        oc_error e = {0};
        double value = -7;
        ck_assert_msg(oc_lex_float(&l, "a number", &value, &e) == OC_OK, "%s", rows[i].text);
        ck_assert_msg(value == rows[i].value, "%s", rows[i].text);
    }
    static const char *const bad[] = {"1e999", "info", "x", "\"1\"", "nan1", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_lex l = lex(bad[i]);
        oc_error e = {0};
        double value;
        ck_assert_msg(oc_lex_float(&l, "a number", &value, &e) == OC_FORMAT, "%s", bad[i]);
    }
    oc_lex l = lex("1e39");
    oc_error e = {0};
    float f;
    ck_assert_int_eq(oc_lex_f32(&l, "a number", &f, &e), OC_FORMAT);
}
END_TEST

START_TEST(float_text_reads_back)
{
    static const char *const none[] = {"", " 1", "1 ", "1,5", "nan(1)", "-", "1e999", "0x"};
    double unused;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!oc_f64_parse(none[i], strlen(none[i]), &unused), "%s", none[i]);
    char text[OC_FLOAT_TEXT];
    ck_assert_str_eq(oc_f32_text(0.1f, text), "0.1");
    ck_assert_str_eq(oc_f32_text(-0.0f, text), "-0");
    ck_assert_str_eq(oc_f64_text(0.1, text), "0.1");
    ck_assert_str_eq(oc_f64_text(-INFINITY, text), "-inf");
    ck_assert_str_eq(oc_f64_text(1.0 / 3, text), "0.3333333333333333");
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = 0;
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            bits = bits << 16 | seed >> 16;
        }
        double d, d_back;
        float f, f_back;
        memcpy(&d, &bits, sizeof d);
        memcpy(&f, &bits, sizeof f);
        if (isfinite(d)) {
            ck_assert(oc_f64_parse(text, strlen(oc_f64_text(d, text)), &d_back));
            ck_assert_msg(memcmp(&d, &d_back, sizeof d) == 0, "%s", text);
        }
        if (isfinite(f)) {
            ck_assert(oc_f32_parse(text, strlen(oc_f32_text(f, text)), &f_back));
            ck_assert_msg(memcmp(&f, &f_back, sizeof f) == 0, "%s", text);
        }
    }
}
END_TEST

typedef struct sink {
    char text[2048];
    size_t n;
} sink;

static bool sink_write(void *ctx, const void *bytes, size_t size)
{
    sink *s = ctx;
    if (size > sizeof s->text - s->n)
        return false;
    memcpy(s->text + s->n, bytes, size);
    s->n += size;
    return true;
}

START_TEST(quoted_bytes_read_back)
{
    char bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    sink s = {.n = 0};
    const oc_writer out = {sink_write, &s};
    ck_assert(oc_quote(&out, bytes, sizeof bytes));
    s.text[s.n] = '\0';
    oc_lex l = lex(s.text);
    ck_assert_int_eq(l.token, OC_TOK_STRING);
    ck_assert_uint_eq(l.size, sizeof bytes);
    ck_assert_int_eq(memcmp(l.text, bytes, sizeof bytes), 0);

    s = (sink){.n = 0};
    ck_assert(oc_quote(&out, "\xc3\xa9\n\xc0\x80\xed\xa0\x80", 8));
    ck_assert_uint_eq(s.n, strlen("\"\xc3\xa9\n\\xc0\\x80\\xed\\xa0\\x80\""));
    s = (sink){.n = sizeof s.text};
    ck_assert(!oc_quote(&out, "x", 1));
}
END_TEST

START_TEST(identifiers)
{
    ck_assert(oc_is_identifier("_a1", 3));
    ck_assert(!oc_is_identifier("", 0));
    ck_assert(!oc_is_identifier("1a", 2));
    ck_assert(!oc_is_identifier("a.1", 3));
    ck_assert(!oc_is_identifier("\xc3\xa9", 2));
}
END_TEST

SUITE("lex", tokens, strings, places, messages, integers, floats, float_text_reads_back,
      quoted_bytes_read_back, identifiers)
