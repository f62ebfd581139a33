/* SPDX-License-Identifier: Apache-2.0
 * test_save_file.c - a model that is saved to a file: complete, or the old file stays and nothing
 * else. */
#define _XOPEN_SOURCE 700
#include "suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <ocellus.h>
#include <ocellus_model.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLOATS = 1 << 17 }; /* enough of them for the loader to map them */

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[2][160];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void begin(void)
{
    snprintf(folder, sizeof folder, "/tmp/ocellus-save-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* How many files are in the folder. */
static int count_files(void)
{
    int n = -2; /* "." and ".." */
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void end(const char *const *name, int n)
{
    for (int i = 0; i < n; i++)
        unlink(in_folder(name[i]));
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left */
}

static oc_model *make_model(void)
{
    static const char head[] = "<ir_version: 8, opset_import: [\"\": 17]>\n"
                               "g (float[1] x) => (float[131072] y) <float[131072] w = {",
                      tail[] = "}> { y = Add (x, w) }";
    char *text = malloc(sizeof head + sizeof tail + 2 * FLOATS), *at = text;
    oc_error e = {OC_OK, ""};
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "%s", head);
    for (int i = 0; i < FLOATS; i++, at += 2)
        memcpy(at, i + 1 < FLOATS ? "1," : "2 ", 2);
    at += sprintf(at, "%s", tail);
    oc_model *m = oc_model_load_memory(text, (size_t)(at - text), NULL, &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    free(text);
    return m;
}

static void save(const oc_model *m, const char *path, oc_status expected)
{
    oc_error e = {OC_OK, ""};
    oc_model_save_file(m, OC_FORMAT_ONNX, path, &e);
    ck_assert_msg(e.code == expected, "%s: %d %s", path, (int)e.code, e.text);
    if (expected == OC_IO)
        ck_assert_ptr_nonnull(strstr(e.text, path));
}

static oc_model *load(const char *path)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load(path, NULL, &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    ck_assert_int_eq(oc_model_describe(m).n_parameters, FLOATS);
    return m;
}

static void put_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void expect_text(const char *path, const char *text)
{
    char found[32] = "";
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    found[fread(found, 1, sizeof found - 1, f)] = 0;
    fclose(f);
    ck_assert_str_eq(found, text);
}

START_TEST(a_model_is_saved_over_its_own_mapped_file)
{
    begin();
    oc_model *made = make_model();
    save(made, in_folder("m.onnx"), OC_OK);
    oc_model *mapped = load(in_folder("m.onnx"));
    save(mapped, in_folder("m.onnx"), OC_OK);
    save(mapped, in_folder("m.onnx"), OC_OK);
    oc_model_free(mapped);
    oc_model_free(load(in_folder("m.onnx")));
    oc_model_free(made);
    end((const char *const[]){"m.onnx"}, 1);
}
END_TEST

START_TEST(a_failure_leaves_the_old_file_alone)
{
    struct rlimit usual, small;
    begin();
    oc_model *m = make_model();
    put_text(in_folder("old"), "old");
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = (struct rlimit){1000, usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    save(m, in_folder("old"), OC_IO);
    save(m, in_folder("new"), OC_IO);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    expect_text(in_folder("old"), "old");
    ck_assert_int_eq(count_files(), 1);
    save(m, folder, OC_IO); /* it is a folder */
    save(m, in_folder("none/new"), OC_IO);
    save(NULL, in_folder("old"), OC_ARGUMENT);
    save(m, NULL, OC_ARGUMENT);
    expect_text(in_folder("old"), "old");
    ck_assert_int_eq(count_files(), 1);
    oc_model_free(m);
    end((const char *const[]){"old"}, 1);
}
END_TEST

START_TEST(a_folder_without_permission_keeps_its_file)
{
    begin();
    oc_model *m = make_model();
    put_text(in_folder("old"), "old");
    ck_assert_int_eq(chmod(folder, 0500), 0);
    if (geteuid() != 0) /* root may write anywhere */
        save(m, in_folder("old"), OC_IO);
    ck_assert_int_eq(chmod(folder, 0700), 0);
    expect_text(in_folder("old"), "old");
    oc_model_free(m);
    end((const char *const[]){"old"}, 1);
}
END_TEST

START_TEST(a_link_stays_and_what_it_leads_to_is_replaced)
{
    struct stat info;
    begin();
    oc_model *m = make_model();
    put_text(in_folder("file"), "old");
    ck_assert_int_eq(symlink("file", in_folder("link")), 0);
    save(m, in_folder("link"), OC_OK);
    ck_assert_int_eq(lstat(in_folder("link"), &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    oc_model_free(load(in_folder("file")));
    ck_assert_int_eq(count_files(), 2);
    oc_model_free(m);
    end((const char *const[]){"file", "link"}, 2);
}
END_TEST

START_TEST(devices_and_pipes_are_written_to)
{
    struct stat info;
    begin();
    oc_model *m = make_model();
    save(m, "/dev/null", OC_OK);
    ck_assert_int_eq(stat("/dev/null", &info), 0);
    ck_assert(S_ISCHR(info.st_mode));
    if (access("/dev/full", W_OK) == 0)
        save(m, "/dev/full", OC_IO);
    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    signal(SIGPIPE, SIG_IGN);
    const int reader = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    oc_error e = {OC_OK, ""};
    oc_model *small =
        oc_model_load_memory("<ir_version: 8, opset_import: [\"\": 17]> g (float x) =>"
                             " (float y) { y = Neg (x) }",
                             80, NULL, &e);
    ck_assert_msg(small != NULL, "%s", e.text);
    save(small, in_folder("pipe"), OC_OK);
    char bytes[512];
    ck_assert_int_gt((int)read(reader, bytes, sizeof bytes), 10);
    close(reader);
    oc_model_free(small);
    oc_model_free(m);
    end((const char *const[]){"pipe"}, 1);
}
END_TEST

SUITE("save_file", a_model_is_saved_over_its_own_mapped_file, a_failure_leaves_the_old_file_alone,
      a_folder_without_permission_keeps_its_file, a_link_stays_and_what_it_leads_to_is_replaced,
      devices_and_pipes_are_written_to)
