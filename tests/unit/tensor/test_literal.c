/* SPDX-License-Identifier: Apache-2.0
 * test_literal.c - elements of every type, to text and back. */
#include "suite.h"
#include "tensor/literal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads text as n elements of the type into data; the message is in e. */
static oc_status read_text(oc_type type, int64_t n, const char *text, void *data, oc_error *e)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_value v = oc_value_borrow(type, oc_dims_1d(n), data);
    oc_lex l = oc_lex_new(text, strlen(text), &arena);
    *e = (oc_error){0};
    const oc_status status = oc_literal_read(&l, &v, &arena, e);
    oc_arena_free(&arena);
    return status;
}

static void want_same_bits(oc_type type, const void *element)
{
    char text[OC_ELEMENT_TEXT], braces[OC_ELEMENT_TEXT + 2], back[16] = {0};
    oc_error e;
    oc_element_text(type, element, 0, text);
    ck_assert_uint_lt(strlen(text), sizeof text - 1);
    snprintf(braces, sizeof braces, "{%s}", text);
    ck_assert_msg(read_text(type, 1, braces, back, &e) == OC_OK, "%s: %s", oc_type_name(type),
                  e.text);
    ck_assert_msg(memcmp(element, back, oc_type_size(type)) == 0, "%s %s", oc_type_name(type),
                  text);
}

START_TEST(every_code_of_the_small_types_reads_back)
{
    static const oc_type bytes[] = {OC_I8, OC_U8,
                                    OC_TYPES_TINY_SIGNED(OC_TYPE_COMMA)
                                        OC_TYPES_TINY_UNSIGNED(OC_TYPE_COMMA)
                                            OC_TYPES_TINY_FLOAT(OC_TYPE_COMMA)};
    for (size_t t = 0; t < sizeof bytes / sizeof *bytes; t++) {
        const int n = 1 << oc_type_bits(bytes[t]), first = oc_type_is_signed(bytes[t]) ? -n / 2 : 0;
        for (int i = first; i < first + n; i++)
            want_same_bits(bytes[t], &(uint8_t){(uint8_t)i});
    }
    for (int i = 0; i < 2; i++)
        want_same_bits(OC_BOOL, &(uint8_t){(uint8_t)i});
    for (int i = 0; i < 65536; i++) {
        want_same_bits(OC_F16, &(uint16_t){(uint16_t)i});
        want_same_bits(OC_BF16, &(uint16_t){(uint16_t)i});
    }
}
END_TEST

START_TEST(random_codes_of_the_large_types_read_back)
{
    static const oc_type types[] = {OC_I16, OC_U16, OC_I32, OC_U32, OC_I64,
                                    OC_U64, OC_F32, OC_F64, OC_C64, OC_C128};
    suite_random r = suite_random_new(7);
    for (int round = 0; round < 5000; round++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            uint16_t bits[8];
            for (int i = 0; i < 8; i++)
                bits[i] = (uint16_t)suite_below(&r, 65536);
            if (round % 8 == 0) /* NaN payloads and infinities */
                bits[1] = bits[3] = bits[5] = bits[7] = (uint16_t)(bits[1] | 0x7ff0);
            want_same_bits(types[t], bits);
        }
}
END_TEST

START_TEST(numbers_read_well)
{
    static const struct {
        oc_type type;
        double value; /* as float or double */
        const char *text;
    } rows[] = {
        {OC_F32, 0.1, "0.1"},        {OC_F32, 1000000, "1e+06"},
        {OC_F32, -65504, "-65504"},  {OC_F32, 16777216, "16777216"},
        {OC_F32, INFINITY, "inf"},   {OC_F32, -0.0, "-0"},
        {OC_F64, 0.1, "0.1"},        {OC_F64, 1.0 / 3, "0.3333333333333333"},
        {OC_F64, -INFINITY, "-inf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float f = (float)rows[i].value;
        char text[OC_ELEMENT_TEXT];
        oc_element_text(rows[i].type, rows[i].type == OC_F32 ? (const void *)&f : &rows[i].value, 0,
                        text);
        ck_assert_str_eq(text, rows[i].text);
    }
    char text[OC_ELEMENT_TEXT];
    ck_assert_str_eq(oc_element_text(OC_F16, &(uint16_t){0xfbff}, 0, text), "-65504.0");
    ck_assert_str_eq(oc_element_text(OC_F16, &(uint16_t){0x2e66}, 0, text), "0.1");
    ck_assert_str_eq(oc_element_text(OC_F16, &(uint16_t){0x8000}, 0, text), "-0.0");
    ck_assert_str_eq(oc_element_text(OC_BF16, &(uint16_t){0xff80}, 0, text), "-inf");
    ck_assert_str_eq(oc_element_text(OC_BF16, &(uint16_t){0x7f00}, 0, text), "1.7e+38");
    ck_assert_str_eq(oc_element_text(OC_F4E2M1, &(uint8_t){7}, 0, text), "6.0");
    ck_assert_str_eq(oc_element_text(OC_F8E8M0, &(uint8_t){128}, 0, text), "2.0");
    ck_assert_str_eq(oc_element_text(OC_C64, (float[]){0, 0, 1, -2.5f}, 1, text), "1, -2.5");
}
END_TEST

START_TEST(values_out_of_range_are_refused)
{
    static const struct {
        oc_type type;
        const char *good, *bad;
    } rows[] = {
        {OC_I8, "{-128}", "{-129}"},
        {OC_I8, "{127}", "{128}"},
        {OC_U8, "{255}", "{256}"},
        {OC_U8, "{0}", "{-1}"},
        {OC_U8, "{-0}", "{1.0}"},
        {OC_I16, "{32767}", "{32768}"},
        {OC_U16, "{65535}", "{65536}"},
        {OC_I32, "{-2147483648}", "{2147483648}"},
        {OC_U32, "{4294967295}", "{4294967296}"},
        {OC_I64, "{9223372036854775807}", "{9223372036854775808}"},
        {OC_U64, "{18446744073709551615}", "{18446744073709551616}"},
        {OC_I4, "{-8}", "{-9}"},
        {OC_U4, "{15}", "{16}"},
        {OC_I2, "{1}", "{2}"},
        {OC_U2, "{3}", "{4}"},
        {OC_BOOL, "{true}", "{2}"},
        {OC_F16, "{65519.0}", "{65520.0}"},
        {OC_BF16, "{3.38e38}", "{3.4e38}"},
        {OC_F32, "{3.4e38}", "{3.5e38}"},
        {OC_F64, "{1e308}", "{1e309}"},
        {OC_F8E4M3FN, "{448.0}", "{1e3}"},
        {OC_F8E4M3FN, "{nan}", "{inf}"},
        {OC_F8E5M2, "{inf}", "{1e6}"},
        {OC_F8E8M0, "{2.0}", "{-2.0}"},
        {OC_F4E2M1, "{6.5}", "{7.0}"},
        {OC_F4E2M1, "{-6.0}", "{nan}"},
        {OC_F32, "{nan(0x7fc00001)}", "{nan(0x00000001)}"},
        {OC_F32, "{nan}", "{nan(0x7ff8000000000001)}"},
        {OC_F32, "{1}", "{\"1\"}"},
        {OC_F32, "{infinity}", "{x}"},
        {OC_F16, "{65535}", "{65536}"},
        {OC_BF16, "{0xFFff}", "{0x10000}"},
        {OC_F8E5M2, "{0}", "{-0}"},
        {OC_F8E8M0, "{255}", "{256}"},
        {OC_F4E2M1, "{+15}", "{16}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char data[16];
        oc_error e;
        ck_assert_msg(read_text(rows[i].type, 1, rows[i].good, data, &e) == OC_OK, "%s: %s",
                      rows[i].good, e.text);
        ck_assert_msg(read_text(rows[i].type, 1, rows[i].bad, data, &e) == OC_FORMAT, "%s %s",
                      oc_type_name(rows[i].type), rows[i].bad);
    }
}
END_TEST

START_TEST(bare_integers_are_codes)
{
    uint16_t half[4];
    oc_error e;
    ck_assert_int_eq(read_text(OC_F16, 4, "{15360, 0xC000, 0x0p0, 1e0}", half, &e), OC_OK);
    ck_assert(half[0] == 15360 && half[1] == 0xc000 && half[2] == 0 && half[3] == 15360);
    ck_assert_int_eq(read_text(OC_F16, 1, "{-2}", half, &e), OC_FORMAT);
    ck_assert_str_eq(e.text,
                     "line 1, column 2: found '-2', expected a value of type float16 with a "
                     "point or an exponent, or a code from 0 to 65535");
    ck_assert_int_eq(read_text(OC_BF16, 1, "{0x10000}", half, &e), OC_FORMAT);
}
END_TEST

START_TEST(counts_are_exact)
{
    int32_t data[3];
    oc_error e;
    ck_assert_int_eq(read_text(OC_I32, 3, "{1, 2, 3}", data, &e), OC_OK);
    ck_assert(data[0] == 1 && data[1] == 2 && data[2] == 3);
    ck_assert_int_eq(read_text(OC_I32, 0, "{}", data, &e), OC_OK);
    ck_assert_int_eq(read_text(OC_I32, 3, "{1, 2}", data, &e), OC_FORMAT);
    ck_assert_str_eq(e.text, "line 1, column 6: found '}', expected ',' and 3 elements in all");
    ck_assert_int_eq(read_text(OC_I32, 1, "{1, 2}", data, &e), OC_FORMAT);
    ck_assert_str_eq(e.text, "line 1, column 3: found ',', expected '}' after 1 elements");
    ck_assert_int_eq(read_text(OC_I32, 1, "{300000000000}", data, &e), OC_FORMAT);
    ck_assert_str_eq(e.text,
                     "line 1, column 2: found '300000000000', expected a value of type int32");
    ck_assert_int_eq(read_text(OC_I32, 1, "1", data, &e), OC_FORMAT);
    ck_assert_int_eq(read_text(OC_C64, 1, "{1}", data, &e), OC_FORMAT);
}
END_TEST

START_TEST(strings_are_copied)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    oc_string s[2];
    char text[] = "{\"ab\", \"\\x00\"}";
    oc_value v = oc_value_borrow(OC_STRING, oc_dims_1d(2), s);
    oc_lex l = oc_lex_new(text, strlen(text), &arena);
    oc_error e = {0};
    ck_assert_int_eq(oc_literal_read(&l, &v, &arena, &e), OC_OK);
    memset(text, '!', sizeof text);
    ck_assert(s[0].size == 2 && memcmp(s[0].data, "ab", 2) == 0);
    ck_assert(s[1].size == 1 && s[1].data[0] == '\0');
    oc_arena_free(&arena);
}
END_TEST

SUITE("literal", every_code_of_the_small_types_reads_back,
      random_codes_of_the_large_types_read_back, numbers_read_well, values_out_of_range_are_refused,
      bare_integers_are_codes, counts_are_exact, strings_are_copied)
