/* SPDX-License-Identifier: Apache-2.0
 * recorded_test.c - runs a recorded run again, and compares the bits of its outputs. */
#include "commands/recorded_test.h"

#include "session/inputs.h"
#include "session/recorded.h"
#include "session/recorded_names.h"
#include "common/limits.h"

/* A record, and what is made of it. */
typedef struct replay {
    const test_options *given;
    recorded record;
    session_args session; /* as recorded, but for what the command line gives */
    recorded_bodies bodies;
    char *noted; /* options that are not as recorded */
    io_names functions, external;
    const oc_model *model;
    test_verdict *v;
} replay;

/* ---- the model ---- */

/* Is the file, which may lie at path, the recorded one? If not, the test has failed. */
static bool is_same(replay *r, const recorded_file *f, const char *path, oc_error *e)
{
    if (recorded_file_agrees(f, path, r->v->text, sizeof r->v->text, e))
        return true;
    r->v->state = TEST_FAIL;
    return false;
}

/* Finds the recorded files of functions, unless the command line gives others. */
static bool find_functions(replay *r, oc_error *e)
{
    if (r->session.functions.n)
        return true;
    r->session.functions = (args_list){0};
    for (int i = 0; e->code == OC_OK; i++) {
        recorded_file f = recorded_function(&r->record, i, e);
        if (!f.path || !is_same(r, &f, NULL, e)) {
            const bool ended = !f.path && e->code == OC_OK;
            recorded_file_free(&f);
            return ended;
        }
        r->functions.name =
            tool_push(r->functions.name, (size_t)r->functions.n, sizeof *r->functions.name);
        r->functions.name[r->functions.n++] = f.path;
        args_list_add(&r->session.functions, f.path);
    }
    return false;
}

/* Are the files beside the model that have its weights the recorded ones? */
static bool check_external(replay *r, const char *model_path, oc_error *e)
{
    bool same = true;
    char *folder = io_folder_of(model_path);
    for (int i = 0; i < r->external.n && same && e->code == OC_OK; i++) {
        const char *location = r->external.name[i];
        char *path = recorded_path(folder, location);
        recorded_file f = recorded_external(&r->record, location, e);
        if (f.path)
            same = is_same(r, &f, path, e);
        else
            tool_fail(e, OC_FORMAT,
                      "external: there is no '%.400s', which has weights of the model", location);
        recorded_file_free(&f);
        free(path);
    }
    free(folder);
    return same && e->code == OC_OK;
}

/* Opens the model if all its files are the recorded ones; else returns NULL. */
static oc_model *open_model(replay *r, oc_error *e)
{
    recorded_file f = recorded_model(&r->record, e);
    const char *path = r->given->model ? r->given->model : f.path;
    oc_model *m = NULL;
    if (e->code == OC_OK && !io_exists(path))
        tool_fail(e, OC_IO, "%s: there is no such file, expected the model; --model names another",
                  path);
    if (e->code == OC_OK && is_same(r, &f, path, e) && find_functions(r, e))
        m = session_open_next(path, &r->session, r->given->seen, e);
    if (m && !check_external(r, path, e)) {
        oc_model_free(m);
        m = NULL;
    }
    recorded_file_free(&f);
    return m;
}

/* ---- the run ---- */

/* Makes a session whose sums of products are computed as recorded: fused or exact, which are one,
 * or fast, which takes instructions that do not fuse. Returns NULL, and skips the test, if there
 * are none. */
static oc_session *new_session(replay *r, oc_error *e)
{
    static const char *const sets[] = {NULL, "v128", "scalar"};
    oc_session_options o = session_args_options(&r->session);
    o.bodies = r->given->bodies;
    if (o.bodies.policy == OC_BODY_NATIVE)
        session_set_bodies(&o.bodies, r->bodies.expand, r->bodies.standard, e);
    const bool as_recorded = r->record.is_fast || !r->given->session.unfused;
    if (as_recorded)
        o.unfused = r->record.is_fast;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && e->code == OC_OK; i++) {
        if (i > 0)
            o.cpu = sets[i];
        oc_session *s = oc_session_new(r->model, &o, e);
        const bool is_fast = s && strcmp(oc_session_describe(s).products, "fast") == 0;
        if (!s || !as_recorded || !r->record.is_fast || is_fast)
            return s;
        oc_session_free(s);
        if (r->session.cpu)
            break;
    }
    if (e->code != OC_OK)
        return NULL;
    r->v->state = TEST_SKIP;
    snprintf(r->v->text, sizeof r->v->text,
             "its sums of products were multiplied, then added; here all instructions fuse both");
    return NULL;
}

static void run_inputs(replay *r, oc_error *e)
{
    const tensor_options quiet = {.cap = LIMIT_FILE, .quiet = true};
    inputs in = inputs_new(r->model, &quiet);
    recorded_inputs(&r->record, &in, e);
    oc_session *s = e->code == OC_OK ? new_session(r, e) : NULL;
    if (s) {
        inputs_bind(&in, s, e);
        oc_run(s, e);
        if (!recorded_outputs(&r->record, r->model, s, r->v->text, sizeof r->v->text, e))
            r->v->state = TEST_FAIL;
    }
    oc_session_free(s);
    inputs_free(&in);
}

/* Adds what may have made the difference. */
static void add_hints(const replay *r, test_verdict *v)
{
    const char *version = r->record.version;
    size_t n = strlen(v->text);
    if (*r->noted)
        n += (size_t)snprintf(v->text + n, sizeof v->text - n, "; %.200s: not as recorded",
                              r->noted);
    if (n < sizeof v->text && strcmp(version, oc_version()) != 0)
        snprintf(v->text + n, sizeof v->text - n, "; Ocellus %.40s recorded it, this is %s",
                 version, oc_version());
}

test_verdict test_recorded(const char *path, const test_options *o)
{
    test_verdict v = {.state = TEST_PASS, .sum = {.agrees = true}};
    oc_error e = {0};
    replay r = {.given = o, .session = o->session, .v = &v};
    session_cap_data(&o->session);
    r.session.external = &r.external;
    r.record = recorded_read(path, &e);
    r.bodies.expand = o->bodies.policy == OC_BODY_NATIVE ? NULL
                      : o->bodies.only                   ? o->bodies.only
                                                         : "all";
    r.noted = recorded_options(&r.record, &r.session, &r.bodies, &e);
    oc_model *m = e.code == OC_OK ? open_model(&r, &e) : NULL;
    r.model = m;
    if (m && test_note_operators(m, &v))
        run_inputs(&r, &e);
    if (e.code != OC_OK) {
        v.state = e.code == OC_UNSUPPORTED ? TEST_SKIP : TEST_FAIL;
        snprintf(v.text, sizeof v.text, "%s: %s", oc_status_name(e.code), e.text);
    }
    if (v.state == TEST_FAIL && *r.record.version)
        add_hints(&r, &v);
    oc_model_free(m);
    if (r.session.functions.item != o->session.functions.item)
        args_list_free(&r.session.functions);
    io_names_free(&r.functions);
    io_names_free(&r.external);
    free(r.noted);
    recorded_free(&r.record);
    return v;
}
