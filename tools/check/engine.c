/* SPDX-License-Identifier: Apache-2.0
 * engine.c - has other engines run tests, by the command of --engine. */
#include "check/engine.h"

#include "common/limits.h"
#include "common/system.h"
#include "common/temp_folder.h"
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
    int n_runs, n_cleared; /* number of folders made, and of those that were removed */
    int n_vain;            /* number of bad runs so far; -1: there was a result */
    bool broken;
};

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

static char *result_path(const engine_test *t, int i)
{
    char *set = save_test_data_dir(t->dir), *path = tool_format("%s/engine_%d.pb", set, i);
    free(set);
    return path;
}

static char *refusal_path(const engine_test *t)
{
    return tool_format("%s/engine_error.txt", t->dir);
}

static bool exists(char *path)
{
    const bool yes = io_exists(path);
    free(path);
    return yes;
}

bool check_engine_gives(const engine_test *t, int i)
{
    return exists(result_path(t, i));
}

static bool is_answered(const engine_test *t)
{
    bool all = true;
    for (int i = 0; i < t->n_out; i++)
        all = all && check_engine_gives(t, i);
    return all || exists(refusal_path(t));
}

static void read_refusal(engine_test *t)
{
    enum { MOST_BYTES = 1 << 20 };
    char *path = refusal_path(t);
    io_bytes b = {0};
    oc_error e = {0};
    io_read(path, MOST_BYTES, &b, &e);
    const char *text = e.code == OC_OK ? (const char *)b.data : e.text;
    const int size = e.code == OC_OK ? (int)b.size : (int)strlen(e.text);
    const char *end = size ? memchr(text, '\n', (size_t)size) : NULL;
    t->outcome = e.code == OC_OK ? CHECK_REFUSED : CHECK_KERNEL_FAILS;
    snprintf(t->text, sizeof t->text, "%.*s", end ? (int)(end - text) : size, size ? text : "");
    io_bytes_free(&b);
    free(path);
}

oc_value *check_engine_read(const engine_test *t, int i, const oc_value *like, oc_error *e)
{
    const oc_port port = {.kind = oc_value_kind(like), .type = oc_value_type(like)};
    const tensor_options file = {.cap = LIMIT_FILE, .quiet = true};
    char *path = result_path(t, i);
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

static void move_tests(engine_test *t, int n, const char *folder, oc_error *e)
{
    io_make_dir(folder, e);
    for (int i = 0; i < n && e->code == OC_OK; i++) {
        char *to = tool_format("%s%s", folder, system_last_slash(t[i].dir));
        if (rename(t[i].dir, to) != 0)
            tool_fail(e, OC_IO, "%s: %s", to, strerror(errno));
        free(t[i].dir);
        t[i].dir = to;
    }
}

/* Moves the tests without an answer to the front. Returns their number. */
static int put_open_first(engine_test *t, int n)
{
    int n_open = 0;
    for (int i = 0; i < n; i++)
        if (!is_answered(&t[i])) {
            const engine_test one = t[i];
            t[i] = t[n_open];
            t[n_open++] = one;
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

static void ask(check_engine *g, engine_test *t, int n, oc_error *e)
{
    if (n == 0 || e->code != OC_OK)
        return;
    char *folder = next_folder(g);
    char *line = temp_folder_line(g->command, "{dir}", folder);
    move_tests(t, n, folder, e);
    const temp_folder_end end = temp_folder_run(g->temp_folder, line, g->seconds, e);
    const bool bad = ends_badly(end);
    const int n_open = put_open_first(t, n);
    if (e->code == OC_OK && bad)
        judge(g, end, n_open == n, e);
    else if (n_open < n)
        g->n_vain = -1;
    if (bad && n == 1 && n_open == 1) {
        t->outcome = CHECK_KERNEL_FAILS;
        t->late = end.late;
        describe(g, end, t->text);
    } else if (bad) {
        ask(g, t, n_open / 2, e);
        ask(g, t + n_open / 2, n_open - n_open / 2, e);
    }
    free(line);
    free(folder);
}

char *check_engine_folder(check_engine *g, oc_error *e)
{
    char *folder = next_folder(g);
    io_make_dir(folder, e);
    return folder;
}

void check_engine_run(check_engine *g, engine_test *t, int n, oc_error *e)
{
    ask(g, t, n, e);
    for (int i = 0; i < n && e->code == OC_OK; i++)
        if (t[i].outcome == CHECK_AGREES && exists(refusal_path(&t[i])))
            read_refusal(&t[i]);
}

void check_engine_clear(check_engine *g, oc_error *e)
{
    for (; g->n_cleared < g->n_runs; g->n_cleared++) {
        char *folder = tool_format("%s/run_%d", temp_folder_folder(g->temp_folder), g->n_cleared);
        if (io_exists(folder))
            temp_folder_empty(folder, e);
        free(folder);
    }
}
