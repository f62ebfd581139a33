/* SPDX-License-Identifier: Apache-2.0
 * files.c - files that the library reads and writes: what is written replaces a file whole or not
 * at all, and what is read by path is bounded. */
#define _XOPEN_SOURCE 700

#include "program.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODEL                                                                                      \
    "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                                 \
    "g (float[N] x) => (float[N] y) <float[5] w = {1, 2, 3, 4, 5}> { z = Add (x, w) y = Neg (z) }"
#define FLOAT ((ONNXTensorElementDataType)1)

/* ---- a folder of the test's own ---- */

static char folder[] = "ocellus-files-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][300];
    static int which;
    which = !which;
    snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
    return path[which];
}

static void put_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

/* Its first bytes, ended by a zero. */
static const char *get_file(const char *name)
{
    static char text[100];
    FILE *f = fopen(in_folder(name), "rb");
    ck_assert_ptr_nonnull(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

static int n_files(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *entry; (entry = readdir(d));)
        n += entry->d_name[0] != '.';
    closedir(d);
    return n;
}

static void clear_folder(void)
{
    DIR *d = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(d));)
        if (entry->d_name[0] != '.')
            unlink(in_folder(entry->d_name));
    closedir(d);
}

/* The status of a session of the model m.onnx of the folder, which saves it as a file. */
static OrtStatus *save_as(const char *name)
{
    OrtSessionOptions *options;
    OrtSession *session = NULL;
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, 1));
    OK(SetOptimizedModelFilePath(options, in_folder(name)));
    OrtStatus *status = api->CreateSession(env, in_folder("m.onnx"), options, &session);
    api->ReleaseSession(session);
    api->ReleaseSessionOptions(options);
    return status;
}

static void begin(const char *text)
{
    const bytes b = binary(text);
    clear_folder();
    put_file("m.onnx", b.data, b.size);
    free(b.data);
}

/* ---- written ---- */

START_TEST(a_model_is_saved_over_itself)
{
    struct stat st;
    begin(MODEL);
    ck_assert_int_eq(chmod(in_folder("m.onnx"), 0640), 0);
    for (int i = 0; i < 3; i++)
        ok_at(save_as("m.onnx"), "the session", __LINE__);
    ck_assert_int_eq(n_files(), 1);
    ck_assert_int_eq(stat(in_folder("m.onnx"), &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
}
END_TEST

START_TEST(a_link_is_not_replaced)
{
    struct stat st;
    begin(MODEL);
    put_file("target", "old", 3);
    ck_assert_int_eq(symlink("target", in_folder("link")), 0);
    ok_at(save_as("link"), "the session", __LINE__);
    ck_assert(lstat(in_folder("link"), &st) == 0 && S_ISLNK(st.st_mode));
    ck_assert_str_ne(get_file("target"), "old");
    ck_assert_int_eq(n_files(), 3);
}
END_TEST

START_TEST(a_failed_write_leaves_the_old_file)
{
    enum { MOST = 4096 };
    struct rlimit before, small;
    begin(MODEL);
    put_file("saved", "old", 3);
    float *w = calloc(MOST, sizeof *w);
    OrtSessionOptions *options;
    OrtSession *session;
    OrtValue *value = tensor(w, MOST * sizeof *w, (int64_t[]){MOST}, 1, FLOAT);
    OK(CreateSessionOptions(&options));
    OK(AddInitializer(options, "w", value));
    OK(SetOptimizedModelFilePath(options, in_folder("saved")));
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = MOST;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    OrtStatus *status = api->CreateSession(env, in_folder("m.onnx"), options, &session);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    fails_at(status, ORT_FAIL, "saved", "too large", __LINE__);
    ck_assert_str_eq(get_file("saved"), "old");
    ck_assert_int_eq(n_files(), 2);
    api->ReleaseValue(value);
    api->ReleaseSessionOptions(options);
    free(w);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_named)
{
    begin(MODEL);
    fails_at(save_as("nowhere/saved"), ORT_FAIL, "nowhere/saved", "No such file", __LINE__);
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

START_TEST(a_profile_is_there_when_it_has_ended)
{
    OrtSessionOptions *options;
    OrtSession *session;
    OrtAllocator *allocator;
    char *name;
    begin(MODEL);
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(CreateSessionOptions(&options));
    OK(EnableProfiling(options, in_folder("profile")));
    OK(CreateSession(env, in_folder("m.onnx"), options, &session));
    OK(SessionEndProfiling(session, allocator, &name));
    ck_assert_int_eq(n_files(), 2);
    ck_assert_int_eq(access(name, R_OK), 0);
    OK(AllocatorFree(allocator, name));
    api->ReleaseSession(session);
    api->ReleaseSessionOptions(options);
}
END_TEST

/* ---- read ---- */

#define EXTERNAL                                                                                   \
    "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                                 \
    "g (float[2] x) => (float[2] y) <float[2] w = [\"location\" : \"w.bin\"]> { y = Add (x, w) }"

/* Options with a file in memory, and bounds. */
static OrtSessionOptions *with_file(const char *name, float *content, size_t size)
{
    OrtSessionOptions *options;
    char *const data[] = {(char *)content};
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, 1));
    OK(AddExternalInitializersFromFilesInMemory(options, &name, data, &size, 1));
    OK(AddSessionConfigEntry(options, "ocellus.memory_cap", "4000000"));
    OK(AddSessionConfigEntry(options, "ocellus.deadline", "20"));
    return options;
}

static void expect_sum(const OrtSessionOptions *options, float first)
{
    OrtSession *session;
    float x[] = {1, 1}, *y;
    const char *in_name = "x", *out_name = "y";
    OrtValue *value = tensor(x, sizeof x, (int64_t[]){2}, 1, FLOAT), *out = NULL;
    OK(CreateSession(env, in_folder("m.onnx"), options, &session));
    OK(Run(session, NULL, &in_name, (const OrtValue *const *)&value, 1, &out_name, 1, &out));
    OK(GetTensorMutableData(out, (void **)&y));
    suite_assert(y[0] == first, "y[0] is %g, expected %g", (double)y[0], (double)first);
    api->ReleaseValue(value);
    api->ReleaseValue(out);
    api->ReleaseSession(session);
}

/* An option of a session takes what its kind takes, and refuses "some". */
static void try_option(const char *name, const char *key, const char *value)
{
    OrtSessionOptions *options;
    OrtSession *session;
    OK(CreateSessionOptions(&options));
    OK(AddSessionConfigEntry(options, key, "some"));
    FAILS(CreateSession(env, in_folder("m.onnx"), options, &session), ORT_OK, "some", "");
    OK(AddSessionConfigEntry(options, key, value));
    OrtStatus *status = api->CreateSession(env, in_folder("m.onnx"), options, &session);
    suite_assert(!status, "%s %s: %s", name, value, api->GetErrorMessage(status));
    api->ReleaseSession(session);
    api->ReleaseSessionOptions(options);
}

START_TEST(every_option_of_a_session_is_an_entry)
{
    const char *const SWITCH = "1", *const INT = "2", *const INT64 = "1000", *const UINT64 = "7",
                      *const BYTES = "4000000", *const SECONDS = "20", *const TEXT = "",
                      *const CHOICE = "fast";
    clear_folder();
    put_file("m.onnx", MODEL, sizeof MODEL - 1);
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence)                    \
    try_option(#name, "ocellus." #name, kind);
#include <session_options.def>
}
END_TEST

START_TEST(files_in_memory_go_before_those_on_disk)
{
    float held[] = {10, 20};
    static const float stored[] = {1, 2};
    clear_folder();
    put_file("w.bin", stored, sizeof stored);
    /* The model's text is loaded as it is: no tool writes binary ONNX with external data here. */
    put_file("m.onnx", EXTERNAL, sizeof EXTERNAL - 1);
    OrtSessionOptions *given = with_file("w.bin", held, sizeof held),
                      *other = with_file("other.bin", held, sizeof held);
    expect_sum(given, 11);
    expect_sum(other, 2);
    unlink(in_folder("w.bin"));
    expect_sum(given, 11);
    OrtSession *session;
    FAILS(CreateSession(env, in_folder("m.onnx"), other, &session), ORT_OK, "w.bin", "");
    api->ReleaseSessionOptions(given);
    api->ReleaseSessionOptions(other);
}
END_TEST

START_TEST(a_file_without_an_end_is_bounded)
{
    float held[] = {10, 20};
    OrtSessionOptions *options = with_file("w.bin", held, sizeof held);
    OrtSession *session;
    FAILS(CreateSession(env, "/dev/zero", options, &session), ORT_RUNTIME_EXCEPTION, "/dev/zero",
          "memory cap");
    api->ReleaseSessionOptions(options);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_library_opens,
                                  a_model_is_saved_over_itself,
                                  a_link_is_not_replaced,
                                  a_failed_write_leaves_the_old_file,
                                  a_file_that_cannot_be_written_is_named,
                                  a_profile_is_there_when_it_has_ended,
                                  every_option_of_a_session_is_an_entry,
                                  files_in_memory_go_before_those_on_disk,
                                  a_file_without_an_end_is_bounded,
                                  the_library_is_released};
    if (!mkdtemp(folder))
        return 1;
    const int status = suite_run("files", tests, (int)(sizeof tests / sizeof *tests));
    clear_folder();
    rmdir(folder);
    return status;
}
