/* SPDX-License-Identifier: Apache-2.0
 * test_real_path.c - the paths without links to which paths lead. */
#define _DEFAULT_SOURCE /* declares mkdtemp and symlink */
#include "loader/disk.h"
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[OC_DISK_PATH]; /* a real path */

static const char *at(const char *path)
{
    static char full[2 * OC_DISK_PATH];
    snprintf(full, sizeof full, "%s/%s", top, path);
    return full;
}

static void make_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    char made[OC_DISK_PATH];
    snprintf(made, sizeof made, "%s/ocellus-real-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made));
    ck_assert(oc_disk_real_path(made, top));
    ck_assert_int_eq(mkdir(at("sub"), 0700), 0);
    FILE *f = fopen(at("sub/file"), "wb");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    ck_assert_int_eq(symlink("sub", at("alias")), 0);
    ck_assert_int_eq(symlink("../alias/./file", at("sub/way")), 0);
#ifndef __wasi__ /* makes no links to absolute paths */
    ck_assert_int_eq(symlink(top, at("sub/far")), 0);
#endif
    ck_assert_int_eq(symlink("round", at("round")), 0);
    ck_assert_int_eq(symlink("nothing", at("lost")), 0);
}

static void remove_folder(void)
{
    static const char *const inner[] = {"lost", "round", "sub/way", "alias", "sub/file"};
#ifndef __wasi__
    ck_assert_int_eq(unlink(at("sub/far")), 0);
#endif
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        ck_assert_int_eq(unlink(at(inner[i])), 0);
    ck_assert_int_eq(rmdir(at("sub")), 0);
    ck_assert_int_eq(rmdir(top), 0);
}

static void expect_real(const char *path, const char *expected)
{
    char real[OC_DISK_PATH];
    ck_assert_msg(oc_disk_real_path(at(path), real), "%s: %s", path, strerror(errno));
    ck_assert_str_eq(real, *expected ? at(expected) : top);
}

static void expect_error(const char *path, int expected)
{
    char real[OC_DISK_PATH];
    ck_assert_msg(!oc_disk_real_path(at(path), real), "%s leads to %s", path, real);
    ck_assert_msg(errno == expected, "%s: %s, expected %s", path, strerror(errno),
                  strerror(expected));
}

START_TEST(links_are_followed)
{
    make_folder();
    expect_real("sub/file", "sub/file");
    expect_real(".//sub/../sub/file", "sub/file");
    expect_real("alias/file", "sub/file");
    expect_real("alias/..", "");
    expect_real("sub/way", "sub/file");
#ifndef __wasi__
    expect_real("alias/far/alias/way", "sub/file");
#endif
    remove_folder();
}
END_TEST

START_TEST(ways_that_end_nowhere)
{
    make_folder();
    expect_error("round", ELOOP);
    expect_error("lost", ENOENT);
    expect_error("sub/none", ENOENT);
    remove_folder();
}
END_TEST

START_TEST(the_root_is_above_all)
{
    char real[OC_DISK_PATH];
    ck_assert(oc_disk_real_path("/../..//.", real));
    ck_assert_str_eq(real, "/");
}
END_TEST

SUITE("real_path", links_are_followed, ways_that_end_nowhere, the_root_is_above_all)
