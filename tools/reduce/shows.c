/* SPDX-License-Identifier: Apache-2.0
 * shows.c - runs a model, or a command on it, and examines the result. */
#include "reduce/shows.h"

#include "common/temp_folder.h"
#include "common/signals.h"
#include "common/system.h"
#include "files/model_file.h"
#include "values/compare.h"

oc_session_options shows_options(const shows *s)
{
    oc_session_options o = session_args_options(s->session);
    o.bodies.kernels_first = s->disagrees;
    return o;
}

void shows_run(const shows *looked, const oc_model *m, oc_session *s, oc_error *e)
{
    const inputs *in = looked->in;
    for (int i = 0; s && i < oc_model_n_inputs(m); i++) {
        const oc_port p = oc_model_input(m, i);
        for (int k = 0; k < in->n; k++)
            if (in->value[k] && strcmp(oc_model_input(in->model, k).name, p.name) == 0)
                oc_bind_value_at(s, i, in->value[k], e);
    }
    oc_run(s, e);
}

static bool shows_error(const shows *s, const oc_model *m)
{
    oc_error found = {0};
    const oc_session_options o = shows_options(s);
    oc_session *session = oc_session_new(m, &o, &found);
    shows_run(s, m, session, &found);
    oc_session_free(session);
    return found.code != OC_OK && strstr(found.text, s->error);
}

static bool same_outputs(const oc_model *m, const oc_session *a, const oc_session *b)
{
    const compare_bound bound = {.rtol = COMPARE_RTOL, .atol = COMPARE_ATOL};
    bool same = true;
    for (int i = 0; same && i < oc_model_n_outputs(m); i++) {
        oc_error e = {0};
        const oc_value *x = oc_fetch_value_at(a, i, &e), *y = oc_fetch_value_at(b, i, &e);
        same = x && y && compare_values(y, x, &bound).agrees;
    }
    return same;
}

static bool shows_difference(const shows *s, const oc_model *m)
{
    oc_error kernels = {0}, bodies = {0};
    oc_session_options o = shows_options(s);
    oc_session *a = oc_session_new(m, &o, &kernels);
    o.bodies.policy = OC_BODY_EXPAND;
    oc_session *b = oc_session_new(m, &o, &bodies);
    shows_run(s, m, a, &kernels);
    shows_run(s, m, b, &bodies);
    const bool differs =
        kernels.code == OC_OK &&
        (bodies.code != OC_OK ? !tool_ends_all(bodies.code) : !same_outputs(m, a, b));
    oc_session_free(a);
    oc_session_free(b);
    return differs;
}

static bool shows_by_command(const shows *s, const oc_model *m, oc_error *e)
{
    model_write(m, s->file, e);
    if (e->code != OC_OK)
        return false;
    char *text = temp_folder_line(s->command, "{model}", s->file),
         *guarded = tool_format("%s", s->file);
    const bool is_guarded = signals_guard(guarded);
    const int code = system_run(text);
    remove(s->file);
    if (is_guarded)
        signals_release(guarded);
    else
        free(guarded);
    free(text);
    if (code == SYSTEM_NOT_RUN)
        tool_fail(e, OC_ARGUMENT, "reduce: the command cannot be run: %s", s->command);
    if (code == SYSTEM_INTERRUPTED) /* the terminal interrupts the command and this process */
        signals_interrupt();
    return e->code == OC_OK && code == s->code;
}

bool shows_it(const shows *s, const oc_model *m, oc_error *e)
{
    const bool found = s->command     ? shows_by_command(s, m, e)
                       : s->disagrees ? shows_difference(s, m)
                                      : shows_error(s, m);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "reduce: interrupted");
    return found && e->code == OC_OK;
}
