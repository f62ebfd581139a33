/* SPDX-License-Identifier: Apache-2.0
 * test_manifest.c - lines, comments, order, and lines that are none. */
#define _POSIX_C_SOURCE 200809L
#include "files/io.h"
#include "commands/manifest.h"
#include "suite.h"

#include <string.h>
#include <unistd.h>

static void load(manifest *m, const char *text, oc_error *e)
{
    static const char path[] = "test_manifest.txt";
    oc_error written = {0};
    io_file f;
    io_create(&f, path, &written);
    io_put(&f, text, strlen(text));
    io_commit(&f, &written);
    ck_assert_int_eq(written.code, OC_OK);
    manifest_read(m, path, e);
    unlink(path);
}

START_TEST(takes_the_first_line_that_matches)
{
    oc_error e = {0};
    manifest m;
    load(&m, "# comment\n\n  test_a*  pass\ntest_b fail  known to # why\r\n* skip not in scope\n",
         &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(m.n, 3);
    ck_assert_int_eq(manifest_find(&m, "test_abc")->state, MANIFEST_PASS);
    ck_assert_int_eq(manifest_find(&m, "test_b")->state, MANIFEST_FAIL);
    ck_assert_int_eq(manifest_find(&m, "test_b")->number, 4);
    ck_assert_str_eq(manifest_find(&m, "test_bc")->note, "not in scope");
    ck_assert_int_eq(m.line[1].n_used, 2);
    manifest_free(&m);
}
END_TEST

START_TEST(refuses_what_is_no_line)
{
    static const char *const bad[] = {"test_a\n", "test_a passes\n", "pass\n", "a pass\nb Skip"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_error e = {0};
        manifest m;
        load(&m, bad[i], &e);
        ck_assert_msg(e.code == OC_FORMAT, "%s", bad[i]);
        manifest_free(&m);
    }
    oc_error e = {0};
    manifest m;
    load(&m, "test_a pass", &e); /* no line end */
    ck_assert(e.code == OC_OK && m.n == 1 && !manifest_find(&m, "test_b"));
    manifest_free(&m);
}
END_TEST

SUITE("manifest", takes_the_first_line_that_matches, refuses_what_is_no_line)
