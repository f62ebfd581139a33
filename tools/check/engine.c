/* SPDX-License-Identifier: Apache-2.0
 * engine.c - has other engines run the cases, by the command of --engine. */
#include "check/engine.h"

#include "check/written.h"
#include "common/temp_folder.h"
#include "common/limits.h"
#include "common/system.h"
#include "session/save_test.h"

#include <errno.h>

enum {
    /* runs that end badly before the first result, after which the command counts as broken */
    MOST_VAIN = 12,
    NOT_EXECUTABLE = 126,
    NOT_FOUND = 127 /* exit codes of a shell */
};

struct check_engine {
    const char *command;
    double seconds;
    temp_folder *temp_folder;
    int n_tests, n_runs; /* number of tests written, and of runs made */
    int n_vain;          /* number of bad runs so far; -1: there was a result */
    bool broken;
};

/* A case that the engine is asked about. */
typedef struct question {
    check_run *run;
    char *dir; /* the test's folder, which moves into the folder of each run */
} question;

check_engine *check_engine_new(const check_options *o, oc_error *e)
{
    if (!strstr(o->engine, "{dir}"))
        tool_fail(e, OC_ARGUMENT,
                  "check: --engine '%.400s' has no {dir}, which becomes the folder of the cases",
                  o->engine);
    temp_folder *k = e->code == OC_OK ? temp_folder_new(e) : NULL;
    if (!k)
        return NULL;
    check_engine *g = tool_alloc(1, sizeof *g);
    g->command = o->engine;
    g->seconds = o->engine_seconds > 0 ? o->engine_seconds : CHECK_ENGINE_SECONDS;
    g->temp_folder = k;
    return g;
}

void check_engine_free(check_engine *g)
{
    if (g)
        temp_folder_free(g->temp_folder);
    free(g);
}

/* ---- what the engine wrote ---- */

static char *result_path(const char *dir, int i)
{
    char *set = save_test_data_dir(dir), *path = tool_format("%s/engine_%d.pb", set, i);
    free(set);
    return path;
}

static char *refusal_path(const char *dir)
{
    return tool_format("%s/engine_error.txt", dir);
}

static bool exists(char *path)
{
    const bool yes = io_exists(path);
    free(path);
    return yes;
}

static bool is_answered(const question *q)
{
    bool all = true;
    for (int i = 0; i < q->run->c->n_out; i++)
        all = all && exists(result_path(q->dir, i));
    return all || exists(refusal_path(q->dir));
}

static void read_refusal(const question *q)
{
    enum { MOST_BYTES = 1 << 20 };
    check_answer *a = &q->run->answer;
    char *path = refusal_path(q->dir);
    io_bytes b = {0};
    oc_error e = {0};
    io_read(path, MOST_BYTES, &b, &e);
    const char *text = e.code == OC_OK ? (const char *)b.data : e.text;
    const int size = e.code == OC_OK ? (int)b.size : (int)strlen(e.text);
    const char *end = size ? memchr(text, '\n', (size_t)size) : NULL;
    a->outcome = e.code == OC_OK ? CHECK_REFUSED : CHECK_KERNEL_FAILS;
    snprintf(a->text, sizeof a->text, "%.*s", end ? (int)(end - text) : size, size ? text : "");
    io_bytes_free(&b);
    free(path);
}

/* Reads output i, which must be of the kind that the body gives. */
static oc_value *read_output(const question *q, int i, oc_error *e)
{
    const oc_value *want = check_expected(q->run, i);
    const oc_port port = {.kind = oc_value_kind(want), .type = oc_value_type(want)};
    const tensor_options file = {.cap = LIMIT_FILE, .quiet = true};
    char *path = result_path(q->dir, i);
    oc_error found = {0};
    oc_value *v = NULL;
    if (io_exists(path))
        v = tensor_read(path, &port, &file, NULL, &found);
    else
        tool_fail(e, OC_IO, "the engine gave no engine_%d.pb", i);
    const size_t above = strlen(path) - strlen(system_last_slash(path)) + 1;
    if (found.code != OC_OK) /* without the folder, whose name differs from run to run */
        tool_fail(e, found.code, "%s",
                  strncmp(found.text, path, above) == 0 ? found.text + above : found.text);
    free(path);
    return v;
}

static void read_outputs(const question *q)
{
    const int n = q->run->c->n_out;
    check_answer *a = &q->run->answer;
    oc_error e = {0};
    oc_value **out = tool_alloc((size_t)n, sizeof *out);
    for (int i = 0; i < n; i++)
        out[i] = read_output(q, i, &e);
    if (e.code == OC_OK) {
        a->out = out;
        return;
    }
    a->outcome = CHECK_KERNEL_FAILS;
    snprintf(a->text, sizeof a->text, "%.*s", COMPARE_TEXT - 1, e.text);
    for (int i = 0; i < n; i++)
        oc_value_free(out[i]);
    free(out);
}

/* ---- runs of the command ---- */

static void describe(const check_engine *g, temp_folder_end end, char text[COMPARE_TEXT])
{
    if (end.late)
        snprintf(text, COMPARE_TEXT, "the engine took longer than %g seconds", g->seconds);
    else if (end.signal)
        snprintf(text, COMPARE_TEXT, "the engine was ended by signal %d (%s)", end.signal,
                 temp_folder_signal_name(end.signal));
    else
        snprintf(text, COMPARE_TEXT, "the engine ended with exit code %d", end.code);
}

static void move_tests(question *q, int n, const char *folder, oc_error *e)
{
    io_make_dir(folder, e);
    for (int i = 0; i < n && e->code == OC_OK; i++) {
        char *to = tool_format("%s%s", folder, system_last_slash(q[i].dir));
        if (rename(q[i].dir, to) != 0)
            tool_fail(e, OC_IO, "%s: %s", to, strerror(errno));
        free(q[i].dir);
        q[i].dir = to;
    }
}

/* Moves the questions without an answer to the front. Returns their number. */
static int put_open_first(question *q, int n)
{
    int n_open = 0;
    for (int i = 0; i < n; i++)
        if (!is_answered(&q[i])) {
            const question one = q[i];
            q[i] = q[n_open];
            q[n_open++] = one;
        }
    return n_open;
}

static char *next_folder(check_engine *g)
{
    return tool_format("%s/run_%d", temp_folder_folder(g->temp_folder), g->n_runs++);
}

static bool ends_badly(temp_folder_end end)
{
    return end.code || end.signal || end.late;
}

/* Starts the command on a folder without cases. If it ends badly there too, no case is the
 * reason. */
static bool starts(check_engine *g, oc_error *e)
{
    char *folder = next_folder(g), *line = temp_folder_line(g->command, "{dir}", folder);
    io_make_dir(folder, e);
    const temp_folder_end end = temp_folder_run(g->temp_folder, line, g->seconds, e);
    free(line);
    free(folder);
    return !ends_badly(end);
}

/* Stops the check when the command itself is wrong, not one of the cases. */
static void judge(check_engine *g, temp_folder_end end, bool vain, oc_error *e)
{
    char text[COMPARE_TEXT];
    describe(g, end, text);
    if (!vain)
        g->n_vain = -1;
    else if (end.code == NOT_EXECUTABLE || end.code == NOT_FOUND)
        tool_fail(e, OC_IO, "check: --engine '%.400s': %s", g->command, text);
    else if (g->n_vain == 0 && !starts(g, e))
        tool_fail(e, OC_IO, "check: --engine '%.400s' does not start: %s, without cases too",
                  g->command, text);
    else if (g->n_vain >= 0 && ++g->n_vain == MOST_VAIN)
        tool_fail(e, OC_IO, "check: --engine '%.400s' gave no result in %d runs: %s", g->command,
                  MOST_VAIN, text);
    g->broken = e->code != OC_OK;
}

bool check_engine_is_broken(const check_engine *g)
{
    return g && g->broken;
}

static void ask(check_engine *g, question *q, int n, oc_error *e)
{
    if (n == 0 || e->code != OC_OK)
        return;
    char *folder = next_folder(g);
    char *line = temp_folder_line(g->command, "{dir}", folder);
    move_tests(q, n, folder, e);
    const temp_folder_end end = temp_folder_run(g->temp_folder, line, g->seconds, e);
    const bool bad = ends_badly(end);
    const int n_open = put_open_first(q, n);
    if (e->code == OC_OK && bad)
        judge(g, end, n_open == n, e);
    else if (n_open < n)
        g->n_vain = -1;
    if (bad && n == 1 && n_open == 1) {
        q->run->answer.outcome = CHECK_KERNEL_FAILS;
        describe(g, end, q->run->answer.text);
    } else if (bad) {
        ask(g, q, n_open / 2, e);
        ask(g, q + n_open / 2, n_open - n_open / 2, e);
    }
    free(line);
    free(folder);
}

/* Has the reference given the outputs that the engine is asked for? */
static bool is_question(const check_run *run)
{
    return run->refused.code == OC_OK && run->reference;
}

void check_engine_ask(check_engine *g, check_run *run, int n, oc_error *e)
{
    question *q = tool_alloc((size_t)n + 1, sizeof *q);
    const int first_run = g->n_runs;
    char *folder = next_folder(g);
    int asked = 0;
    io_make_dir(folder, e);
    for (int i = 0; i < n && e->code == OC_OK; i++)
        if (is_question(&run[i]))
            q[asked++] = (question){&run[i], check_write_test(folder, g->n_tests++, &run[i], e)};
    free(folder);
    ask(g, q, asked, e);
    for (int i = 0; i < asked; i++) {
        if (e->code == OC_OK && q[i].run->answer.outcome == CHECK_AGREES) {
            if (exists(refusal_path(q[i].dir)))
                read_refusal(&q[i]);
            else
                read_outputs(&q[i]);
        }
        free(q[i].dir);
    }
    for (int i = first_run; i < g->n_runs; i++) {
        folder = tool_format("%s/run_%d", temp_folder_folder(g->temp_folder), i);
        if (io_exists(folder))
            temp_folder_empty(folder, e);
        free(folder);
    }
    free(q);
}
