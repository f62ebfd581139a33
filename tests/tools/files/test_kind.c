/* SPDX-License-Identifier: Apache-2.0
 * test_kind.c - what files are by their first bytes, and by fewer than all of these. */
#include "test_files.h"
#include "files/kind.h"

#define BYTES(text) text, sizeof text - 1

static const struct {
    const char *bytes;
    size_t size;
    file_kind kind;
    const char *told;
} rows[] = {
    {BYTES("\x89PNG\r\n\x1a\n"), KIND_PNG, "a PNG picture"},
    {BYTES("\xff\xd8\xff"), KIND_JPEG, "a JPEG picture"},
    {BYTES("RIFF\x4\0\0\0WEBP"), KIND_WEBP, "a WebP picture"},
    {BYTES("GIF87a"), KIND_GIF, "a GIF picture"},
    {BYTES("GIF89a"), KIND_GIF, "a GIF picture"},
    {BYTES("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"), KIND_BMP, "a BMP picture"},
    {BYTES("P6\n"), KIND_PNM, "a PNM picture"},
    {BYTES("P1#"), KIND_PNM, "a PNM picture"},
    {BYTES("\x93NUMPY"), KIND_NPY, "a NumPy array"},
    {BYTES("PK\x3\x4"), KIND_ZIP, "a zip archive"},
    {BYTES("PK\x5\x6"), KIND_ZIP, "an empty zip archive"},
    {BYTES("\x1f\x8b"), KIND_UNKNOWN, "compressed by gzip"},
    {BYTES("P7\n"), KIND_UNKNOWN, "a PAM picture"},
    {BYTES("version https://git-lfs"), KIND_UNKNOWN, "text that stands for a file in Git LFS"},
};

START_TEST(whole_beginnings_tell)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(kind_of(rows[i].bytes, rows[i].size), rows[i].kind);
        ck_assert_str_eq(kind_told(rows[i].bytes, rows[i].size), rows[i].told);
        ck_assert_int_eq(kind_is_picture(rows[i].kind),
                         rows[i].kind != KIND_UNKNOWN && rows[i].kind < KIND_NPY);
        for (size_t n = 0; n < rows[i].size; n++) {
            ck_assert_int_eq(kind_of(rows[i].bytes, n), KIND_UNKNOWN);
            ck_assert_str_ne(kind_told(rows[i].bytes, n), rows[i].told);
        }
    }
}
END_TEST

START_TEST(text_is_told_from_bytes)
{
    char long_text[2 * KIND_HEAD];
    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = "\xc3\xa4"[i % 2];
    ck_assert_str_eq(kind_told("", 0), "empty");
    ck_assert_str_eq(kind_told(BYTES("\x93NUM")), "cut off");
    ck_assert_str_eq(kind_told(BYTES("RIFF\x4\0\0\0WEB")), "cut off");
    ck_assert_str_eq(kind_told(BYTES("BM is text")), "text");
    ck_assert_str_eq(kind_told(BYTES("P8\n")), "text");
    ck_assert_str_eq(kind_told(BYTES("a\tb\r\n")), "text");
    ck_assert_str_eq(kind_told(BYTES("a\0b")), "of no known format");
    ck_assert_str_eq(kind_told(BYTES("a\x1b[2J")), "of no known format");
    ck_assert_str_eq(kind_told(BYTES("a\xc3")), "of no known format");
    /* a character may be cut only where all that is looked at ends */
    for (size_t n = KIND_HEAD; n < sizeof long_text; n++)
        ck_assert_str_eq(kind_told(long_text, n), "text");
    for (size_t n = KIND_HEAD; n < sizeof long_text; n++)
        ck_assert_str_eq(kind_told(long_text + 1, n - 1), "of no known format");
    ck_assert_str_eq(kind_told(long_text, KIND_HEAD - 1), "of no known format");
    ck_assert_str_eq(kind_told(long_text, KIND_HEAD - 2), "text");
}
END_TEST

SUITE("kind", whole_beginnings_tell, text_is_told_from_bytes)
