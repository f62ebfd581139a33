/* SPDX-License-Identifier: Apache-2.0
 * test_sha256.c - digests are those of FIPS 180-4's examples, however the bytes come. */
#include "common/sha256.h"
#include "suite.h"

#include <string.h>

/* The digest of n times the text, which comes in pieces of `piece` bytes. */
static const char *digest(const char *text, int n, size_t piece)
{
    static char out[SHA256_TEXT];
    sha256 s = sha256_begin();
    const size_t size = strlen(text);
    for (int i = 0; i < n; i++)
        for (size_t at = 0; at < size; at += piece)
            sha256_add(&s, text + at, size - at < piece ? size - at : piece);
    return sha256_end(&s, out);
}

START_TEST(digests_are_those_of_the_standard)
{
    static const struct {
        const char *text;
        int n;
        const char *digest;
    } cases[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(digest(cases[i].text, cases[i].n, SIZE_MAX), cases[i].digest);
}
END_TEST

START_TEST(pieces_change_nothing)
{
    char text[200] = "", whole[SHA256_TEXT];
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, 'x', size);
        strcpy(whole, digest(text, 1, SIZE_MAX));
        for (size_t piece = 1; piece < 70; piece += 3)
            ck_assert_str_eq(digest(text, 1, piece), whole);
    }
}
END_TEST

SUITE("sha256", digests_are_those_of_the_standard, pieces_change_nothing)
