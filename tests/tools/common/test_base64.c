/* SPDX-License-Identifier: Apache-2.0
 * test_base64.c - base64 is that of RFC 4648, and what it does not allow is found at its place. */
#include "common/base64.h"
#include "suite.h"

#include <string.h>

/* The text of size bytes, put in pieces. */
static size_t write(const unsigned char *bytes, size_t size, size_t piece, char *text, size_t room)
{
    FILE *f = tmpfile();
    base64 b = {.out = f};
    for (size_t at = 0; at < size; at += piece)
        base64_put(&b, bytes + at, size - at < piece ? size - at : piece);
    base64_end(&b);
    rewind(f);
    const size_t n = fread(text, 1, room - 1, f);
    fclose(f);
    text[n] = 0;
    return n;
}

START_TEST(writes_the_examples_of_the_rfc)
{
    static const char *const examples[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const char *plain = examples[i][0];
        write((const unsigned char *)plain, strlen(plain), 32, text, sizeof text);
        ck_assert_str_eq(text, examples[i][1]);
    }
}
END_TEST

START_TEST(reads_what_it_writes)
{
    enum { MOST = 7000 };
    static unsigned char bytes[MOST], back[MOST];
    static char text[2 * MOST];
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)(i * 167 + i / 256);
    for (size_t size = 0; size < MOST; size += 1 + size / 7)
        for (size_t piece = 1; piece < 9000; piece = piece * 5 + 2) {
            const size_t n = write(bytes, size, piece, text, sizeof text);
            ck_assert_uint_eq(base64_size(text, n), size);
            ck_assert_uint_eq(base64_read(text, n, back), n);
            ck_assert_int_eq(memcmp(bytes, back, size), 0);
        }
}
END_TEST

START_TEST(finds_what_is_wrong)
{
    static const struct {
        const char *text;
        size_t wrong; /* SIZE_MAX: the length */
    } cases[] = {
        {"Zg=", SIZE_MAX}, {"Z", SIZE_MAX}, {"Zm9v\n", SIZE_MAX}, {"Zm9-Zm9v", 3},
        {"Zg==Zm9v", 2},   {"Z===", 1},     {"====", 0},          {"Zh==", 1},
        {"Zm9=", 2},       {"Zm9v Zm9", 4}, {"Zm=v", 2},          {"Zm9vZm9\xc3", 7},
    };
    unsigned char bytes[16];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = strlen(cases[i].text);
        if (cases[i].wrong == SIZE_MAX)
            ck_assert_uint_eq(base64_size(cases[i].text, n), SIZE_MAX);
        else
            ck_assert_uint_eq(base64_read(cases[i].text, n, bytes), cases[i].wrong);
    }
}
END_TEST

SUITE("base64", writes_the_examples_of_the_rfc, reads_what_it_writes, finds_what_is_wrong)
