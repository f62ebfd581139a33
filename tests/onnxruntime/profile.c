/* SPDX-License-Identifier: Apache-2.0
 * profile.c - profiles of sessions and of single runs: files of events, which tools read. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "program.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* ---- files ---- */

static char folder[] = "/tmp/profileXXXXXX";

/* The file's text, for free(); the file is removed. */
static char *take_file(const char *path)
{
    bytes text = {NULL, 0};
    char piece[1000];
    FILE *f = fopen(path, "rb");
    suite_assert(f, "%s is not there", path);
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        append(&text, piece, n);
    fclose(f);
    remove(path);
    append(&text, "", 1);
    return text.data;
}

/* ---- JSON ---- */

/* Passes one value; fails where the text is none. */
static const char *pass_value(const char *s);

static const char *blanks(const char *s)
{
    return s + strspn(s, " \n\t\r");
}

static const char *pass_text(const char *s)
{
    suite_assert(*s == '"', "expected a string: %.60s", s);
    for (s++; *s != '"'; s++) {
        suite_assert((unsigned char)*s >= ' ', "a string has a control character or no end");
        if (*s == '\\')
            s++;
    }
    return s + 1;
}

/* Items of a list, or of an object, whose keys are strings. */
static const char *pass_items(const char *s, char end)
{
    s = blanks(s + 1);
    if (*s == end)
        return s + 1;
    for (;;) {
        if (end == '}') {
            s = blanks(pass_text(s));
            suite_assert(*s++ == ':', "expected ':' before %.60s", s);
        }
        s = blanks(pass_value(blanks(s)));
        if (*s == end)
            return s + 1;
        suite_assert(*s == ',', "expected ',' or '%c': %.60s", end, s);
        s = blanks(s + 1);
    }
}

static const char *pass_value(const char *s)
{
    if (*s == '[' || *s == '{')
        return pass_items(s, *s == '[' ? ']' : '}');
    if (*s == '"')
        return pass_text(s);
    const size_t n = strspn(s, "-0123456789");
    suite_assert(n, "expected a value: %.60s", s);
    return s + n;
}

static void expect_json(const char *text)
{
    const char *end = blanks(pass_value(blanks(text)));
    suite_assert(!*end && *blanks(text) == '[', "expected a list and no more: %.60s", end);
}

static int count_words(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* The number behind a key of the event in which `word` is. */
static long long number_of(const char *text, const char *word, const char *key)
{
    const char *line = strstr(text, word);
    suite_assert(line, "no event has %s", word);
    while (line > text && line[-1] != '\n')
        line--;
    const char *at = strstr(line, key);
    suite_assert(at, "no %s", key);
    long long number = -1;
    ck_assert_int_eq(sscanf(at + strlen(key), "\" :%lld", &number), 1);
    return number;
}

/* ---- sessions ---- */

#define MODEL                                                                                      \
    "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                                 \
    "g (float[N] x) => (float[N] y) {\n"                                                           \
    "  a = Exp (x) [\"a \\\"name\\\"\"] b = Sin (a) s = Shape (b) y = Reshape (b, s) }"

static OrtSession *start(const char *prefix)
{
    OrtSessionOptions *options;
    OrtSession *session;
    OK(CreateSessionOptions(&options));
    if (prefix)
        OK(EnableProfiling(options, prefix));
    ok_at(try_session(MODEL, options, &session), "the session", __LINE__);
    api->ReleaseSessionOptions(options);
    return session;
}

static void run(OrtSession *session, const OrtRunOptions *options)
{
    float data[] = {1, 2};
    const char *in = "x", *out = "y";
    OrtValue *x = tensor(data, sizeof data, (int64_t[]){2}, 1, (ONNXTensorElementDataType)1);
    OrtValue *y = NULL;
    OK(Run(session, options, &in, (const OrtValue *const *)&x, 1, &out, 1, &y));
    api->ReleaseValue(x);
    api->ReleaseValue(y);
}

/* The name of the profile, which ends now, for free(). */
static char *end(OrtSession *session)
{
    OrtAllocator *allocator;
    char *name;
    OK(GetAllocatorWithDefaultOptions(&allocator));
    OK(SessionEndProfiling(session, allocator, &name));
    char *copy = strdup(name);
    allocator->Free(allocator, name);
    return copy;
}

START_TEST(a_profile_has_an_event_for_each_node_and_run)
{
    char prefix[100];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(prefix, sizeof prefix, "%s/all", folder);
    OrtSession *session = start(prefix);
    uint64_t begin = 0;
    OK(SessionGetProfilingStartTimeNs(session, &begin));
    ck_assert_uint_gt(begin, 0);
    run(session, NULL);
    run(session, NULL);
    char *name = end(session);
    suite_assert(!strncmp(name, prefix, strlen(prefix)) && strstr(name, ".json"), "'%s'", name);
    char *text = take_file(name);
    expect_json(text);
    ck_assert_int_eq(count_words(text, "\"model_run\""), 2);
    ck_assert_int_eq(count_words(text, "\"session_initialization\""), 1);
    ck_assert_int_eq(count_words(text, "\"model_loading_array\""), 1);
    ck_assert_int_eq(count_words(text, "\"op_name\" : \"Exp\""), 2);
    ck_assert_int_eq(count_words(text, "\"op_name\" : \"Sin\""), 2);
    ck_assert_int_ge(count_words(text, "\"output_type_shape\" : [{\"float\":["), 4);
    ck_assert_int_eq(count_words(text, "\"provider\" : \"CPUExecutionProvider\""),
                     count_words(text, "\"cat\" : \"Node\""));
    ck_assert_int_eq(count_words(text, "\"ph\" : \"X\""),
                     count_words(text, "\"cat\" : \"Node\"") +
                         count_words(text, "\"cat\" : \"Session\""));
    ck_assert_int_eq(number_of(text, "model_run", "pid"), getpid());
    ck_assert_int_ge(number_of(text, "\"op_name\" : \"Exp\"", "ts"),
                     number_of(text, "model_run", "ts"));
    ck_assert_int_lt(number_of(text, "model_run", "dur"), 60 * 1000 * 1000);
    free(text);
    free(name);
    /* Nothing is told any more. */
    run(session, NULL);
    name = end(session);
    ck_assert_str_eq(name, "");
    free(name);
    api->ReleaseSession(session);
}
END_TEST

/* ---- runs that go on ---- */

static void *run_often(void *session)
{
    for (int i = 0; i < 200; i++)
        run(session, NULL);
    return NULL;
}

START_TEST(a_profile_ends_while_runs_go_on)
{
    char prefix[100];
    pthread_t thread[2];
    snprintf(prefix, sizeof prefix, "%s/some", folder);
    OrtSession *session = start(prefix);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_often, session), 0);
    run(session, NULL);
    char *name = end(session), *text = take_file(name);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    expect_json(text);
    ck_assert_int_ge(count_words(text, "\"model_run\""), 1);
    free(text);
    free(name);
    api->ReleaseSession(session);
}
END_TEST

START_TEST(a_run_has_a_profile_of_its_own)
{
    char prefix[100], pattern[200];
    OrtRunOptions *options;
    snprintf(prefix, sizeof prefix, "%s/run", folder);
    OrtSession *session = start(NULL);
    OK(CreateRunOptions(&options));
    OK(RunOptionsEnableProfiling(options, prefix));
    run(session, options);
    api->ReleaseRunOptions(options);
    run(session, NULL);
    api->ReleaseSession(session);
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s_*.json", prefix);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    char *text = take_file(found.gl_pathv[0]);
    globfree(&found);
    expect_json(text);
    ck_assert_int_eq(count_words(text, "\"op_name\" : \"Exp\""), 1);
    free(text);
}
END_TEST

START_TEST(a_session_without_a_profile_has_none)
{
    OrtSession *session = start(NULL);
    run(session, NULL);
    char *name = end(session);
    ck_assert_str_eq(name, "");
    free(name);
    api->ReleaseSession(session);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    OrtSessionOptions *options;
    OrtSession *session;
    OK(CreateSessionOptions(&options));
    OK(EnableProfiling(options, "/none/such/profile"));
    fails_at(try_session(MODEL, options, &session), ORT_OK, "/none/such/profile", "", __LINE__);
    api->ReleaseSessionOptions(options);
}
END_TEST

SUITE("profile", the_library_opens, a_profile_has_an_event_for_each_node_and_run,
      a_profile_ends_while_runs_go_on, a_run_has_a_profile_of_its_own,
      a_session_without_a_profile_has_none, a_folder_that_is_not_there_is_an_error,
      the_library_is_released)
