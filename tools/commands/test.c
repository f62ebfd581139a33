/* SPDX-License-Identifier: Apache-2.0
 * test.c - ocellus test: runs folders of tests in ONNX's layout, and recorded runs. */
#include "commands/commands.h"
#include "commands/manifest.h"
#include "commands/recorded_test.h"
#include "common/signals.h"
#include "common/system.h"
#include "files/io.h"
#include "session/sandbox.h"

typedef struct test_suite {
    test_options options;
    functions_seen seen;
    const char *manifest_path, *expand;
    args_list filter;
    bool *fits; /* for each filter: true when it fits a test */
    /* folders that were searched, by their file numbers, because links may lead back */
    text_index searched;
    int n_found;   /* number of tests below one argument */
    int n_records; /* number of arguments that are recorded runs */
    bool standard, quiet, json;
    manifest manifest;
    json_writer writer;
    int64_t n[3]; /* number of tests in each test_state */
    oc_error error;
} test_suite;

static const char *const state_names[] = {"pass", "fail", "skip"};

/* ---- the manifest ---- */

static void judge_by_line(test_verdict *v, const manifest_line *line, const char *path)
{
    char why[sizeof v->text];
    snprintf(why, sizeof why, "%s", v->text);
    const bool passes = v->state == TEST_PASS;
    if (line->state == MANIFEST_PASS && !passes) {
        v->state = TEST_FAIL;
    } else if (line->state != MANIFEST_PASS && passes) {
        v->state = TEST_FAIL;
        snprintf(v->text, sizeof v->text, "passes, but %s:%d lists it as %s", path, line->number,
                 line->state == MANIFEST_SKIP ? "skip" : "fail");
    } else if (line->state != MANIFEST_PASS) {
        v->state = TEST_SKIP;
        snprintf(v->text, sizeof v->text, "%s%s%.1000s", line->note, *line->note ? ": " : "", why);
    }
}

static void judge(test_suite *t, const char *name, test_verdict *v)
{
    if (!t->manifest_path)
        return;
    const manifest_line *line = manifest_find(&t->manifest, name);
    if (line) {
        judge_by_line(v, line, t->manifest_path);
        return;
    }
    v->state = TEST_FAIL;
    snprintf(v->text, sizeof v->text, "no line of %s matches it", t->manifest_path);
}

/* ---- finding and running ---- */

static bool is_wanted(const test_suite *t, const char *name)
{
    bool wanted = t->filter.n == 0;
    for (int i = 0; i < t->filter.n; i++)
        if (manifest_glob(t->filter.item[i], name))
            wanted = t->fits[i] = true;
    return wanted;
}

static void report(test_suite *t, const char *name, const test_verdict *v)
{
    char figures[COMPARE_FIGURES];
    t->n[v->state]++;
    if (t->json) {
        json_object(&t->writer, NULL);
        json_text(&t->writer, "test", name);
        json_text(&t->writer, "state", state_names[v->state]);
        if (v->sum.n)
            compare_json(&v->sum, &t->writer);
        if (*v->text)
            json_text(&t->writer, "text", v->text);
        json_array(&t->writer, "operators");
        for (const char *at = v->operators; *at; at += strcspn(at, " ") + 1)
            json_bytes(&t->writer, NULL, at, strcspn(at, " "));
        json_close(&t->writer);
        json_close(&t->writer);
    } else if (!t->quiet || v->state == TEST_FAIL) {
        const char *text = *v->text ? v->text : compare_figures(&v->sum, figures);
        tool_line("%s  %s: %s", state_names[v->state], name, text);
        fflush(stdout);
    }
}

/* Runs the test in a folder, or a recorded run. */
static void run_test(test_suite *t, const char *path,
                     test_verdict run(const char *path, const test_options *options))
{
    const char *slash = system_last_slash(path);
    const char *name = slash ? slash + 1 : path;
    t->n_found++;
    if (!is_wanted(t, name))
        return;
    test_verdict v = run(path, &t->options);
    if (signals_cancelled(NULL)) {
        tool_fail(&t->error, OC_CANCELLED, "test: interrupted in %s", name);
        return;
    }
    judge(t, name, &v);
    report(t, name, &v);
}

static bool is_new(test_suite *t, const char *dir)
{
    system_file f;
    if (!system_describe(dir, true, &f) || !f.is_folder)
        return false;
    char *numbers =
        tool_format("%llu:%llu", (unsigned long long)f.device, (unsigned long long)f.number);
    const bool is = text_index_find(&t->searched, numbers) < 0;
    text_index_add(&t->searched, numbers, 0);
    free(numbers);
    return is;
}

/* Runs the test in dir, or all tests below dir in the order of their names. A folder that cannot
 * be read has none. */
static void run_below(test_suite *t, const char *dir)
{
    if (test_is_folder(dir)) {
        run_test(t, dir, test_run);
        return;
    }
    oc_error unreadable = {0};
    io_names entry = {0};
    if (is_new(t, dir))
        entry = io_list_dir(dir, &unreadable);
    for (int i = 0; i < entry.n; i++) {
        char *inner = tool_format("%s/%s", dir, entry.name[i]);
        if (signals_cancelled(NULL))
            tool_fail(&t->error, OC_CANCELLED, "test: interrupted in %s", dir);
        if (t->error.code == OC_OK && entry.name[i][0] != '.' && io_is_dir(inner))
            run_below(t, inner);
        free(inner);
    }
    io_names_free(&entry);
}

static void run_argument(test_suite *t, const char *text)
{
    char *dir = tool_format("%s", text);
    for (size_t n = strlen(dir); n > 1 && system_is_slash(dir[n - 1]); n--)
        dir[n - 1] = 0;
    t->n_found = 0;
    if (io_is_dir(dir)) {
        run_below(t, dir);
    } else if (io_exists(dir)) {
        t->n_records++;
        run_test(t, dir, test_recorded);
    } else {
        tool_fail(&t->error, OC_IO, "%s: there is no such folder or recorded run", dir);
    }
    if (t->n_found == 0)
        tool_fail(&t->error, OC_IO,
                  "%s: there is no test in it or below it: a folder with model.onnx and "
                  "test_data_set_0",
                  dir);
    text_index_free(&t->searched);
    free(dir);
}

static void run_arguments(test_suite *t, const args_list *dirs)
{
    t->fits = tool_alloc((size_t)t->filter.n, sizeof *t->fits);
    for (int i = 0; i < dirs->n && t->error.code == OC_OK; i++)
        run_argument(t, dirs->item[i]);
    for (int i = 0; i < t->filter.n; i++)
        if (!t->fits[i])
            tool_fail(&t->error, OC_ARGUMENT, "--filter %s: it fits no test", t->filter.item[i]);
    if (t->options.model && !t->n_records)
        tool_fail(&t->error, OC_ARGUMENT,
                  "--model is that of recorded runs, expected a RUN.json beside it");
    free(t->fits);
}

static int run_suite(test_suite *t, const args_list *dirs)
{
    if (t->manifest_path)
        manifest_read(&t->manifest, t->manifest_path, &t->error);
    if (t->error.code != OC_OK)
        return tool_report(&t->error, t->json);
    if (t->json) {
        t->writer = json_begin(stdout);
        json_object(&t->writer, NULL);
        json_array(&t->writer, "tests");
    }
    run_arguments(t, dirs);
    if (t->json) {
        json_close(&t->writer);
        json_int(&t->writer, "passed", t->n[TEST_PASS]);
        json_int(&t->writer, "failed", t->n[TEST_FAIL]);
        json_int(&t->writer, "skipped", t->n[TEST_SKIP]);
        if (t->error.code != OC_OK)
            json_text(&t->writer, "error", t->error.text);
        json_close(&t->writer);
        json_end(&t->writer);
    } else {
        printf("%lld passed, %lld failed, %lld skipped\n", (long long)t->n[TEST_PASS],
               (long long)t->n[TEST_FAIL], (long long)t->n[TEST_SKIP]);
    }
    if (t->error.code != OC_OK)
        return tool_report(&t->error, false);
    return t->n[TEST_FAIL] ? TOOL_DIFFERS : TOOL_OK;
}

static const char *const examples[] = {
    "ocellus test conformance --manifest known.txt",
    "ocellus run model.onnx -i photo.jpg --record run.json && ocellus test run.json",
    NULL,
};

static const args_command command = {
    .name = "test",
    .usage = "DIR|RUN.json... [options]",
    .about =
        "Runs the test in DIR, or all tests below it: folders with model.onnx and\n"
        "test_data_set_K/input_N.pb and output_N.pb. Tolerances are rtol 1e-3 and atol 1e-7\n"
        "unless data.json beside the model has others. RUN.json, as --record of run and\n"
        "predict writes it, is run again, and its outputs must have the recorded bits. A test\n"
        "whose operators are not supported is skipped. The exit code is 0 only if there was\n"
        "one and none failed.",
    .examples = examples,
    .min = 1,
    .max = -1,
};

static void enter_sandbox(test_suite *t, const args_list *dirs)
{
    sandbox box = sandbox_begin(&t->options.session);
    for (int i = 0; i < dirs->n; i++) {
        if (io_is_dir(dirs->item[i]))
            sandbox_read(&box, dirs->item[i]);
        else
            sandbox_model(&box, dirs->item[i]); /* a record, whose model lies beside it */
    }
    sandbox_model(&box, t->options.model);
    sandbox_read(&box, t->manifest_path);
    sandbox_enter(&box, 0, &t->error);
}

int cmd_test(int argc, char **argv)
{
    test_suite t = {.options.bound = {.rtol = COMPARE_RTOL, .atol = COMPARE_ATOL}};
    const args_option options[] = {
        ARGS_VALUE("--manifest", ARGS_TEXT, "FILE", &t.manifest_path,
                   "lines 'glob pass|skip|fail note'; a test that is not what its\n"
                   "first matching line says fails, one that passes included"),
        ARGS_VALUE("--filter", ARGS_LIST, "GLOB", &t.filter, "only tests whose names match"),
        ARGS_VALUE("--expand", ARGS_TEXT, "all|OP", &t.expand,
                   "function bodies in place of kernels, everywhere or of one operator"),
        ARGS_SWITCH("--standard", &t.standard,
                    "with --expand: the standard's own text, its defects not repaired"),
        ARGS_VALUE("--model", ARGS_TEXT, "FILE", &t.options.model,
                   "the model of recorded runs, where it does not lie beside them"),
        ARGS_VALUE("--rtol", ARGS_NUMBER, "X", &t.options.bound.rtol, "relative tolerance; 1e-3"),
        ARGS_VALUE("--atol", ARGS_NUMBER, "X", &t.options.bound.atol, "absolute tolerance; 1e-7"),
        ARGS_LETTER('q', "--quiet", ARGS_FLAG, NULL, &t.quiet,
                    "only lines of tests that fail, and the closing one"),
        FUNCTIONS_ARG(&t.options.session.functions),
        SESSION_ARGS(&t.options.session),
        {0},
    };
    args_list dirs;
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &dirs, &t.json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        enter_sandbox(&t, &dirs);
        session_set_bodies(&t.options.bodies, t.expand, t.standard, &t.error);
        t.options.seen = &t.seen;
        code = run_suite(&t, &dirs);
        functions_print(&t.seen, "the tests");
    }
    manifest_free(&t.manifest);
    args_list_free(&t.options.session.functions);
    args_list_free(&t.filter);
    args_list_free(&dirs);
    return code;
}
