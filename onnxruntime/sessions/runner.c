/* SPDX-License-Identifier: Apache-2.0
 * runner.c - sessions of Ocellus for the runs of a session of the interface, which may be several
 * at a time: they share the model's plan, so that another takes microseconds. */
#include "sessions/session.h"

static bool must_end(void *ctx)
{
    const ort_runner *runner = ctx;
    const OrtSessionOptions *loading = runner->owner->loading;
    return (runner->run && runner->run->terminate) || (loading && loading->cancel_loading);
}

static void log_line(void *ctx, const char *line)
{
    const ort_runner *runner = ctx;
    ort_log(&runner->owner->logger, ORT_LOGGING_LEVEL_INFO, "%s", line);
}

static void tell_node(void *ctx, const oc_node_event *event)
{
    const ort_runner *runner = ctx;
    if (runner->profile)
        ort_profile_node(runner->profile, event);
}

static OrtStatus *open_runner(ort_runner *runner, bool profiled)
{
    const OrtSession *s = runner->owner;
    oc_session_options o = s->run_options;
    oc_error e = {0};
    ORT_TRY(ort_new((size_t)s->n_input * sizeof *runner->bound, &runner->bound));
    o.limits.cancel = must_end;
    o.limits.cancel_ctx = runner;
    o.observer = (oc_observer){.view = OC_VIEW_STORED, .log = log_line, .log_ctx = runner};
    if (profiled) {
        o.observer.on_node = tell_node;
        o.observer.on_node_ctx = runner;
    }
    runner->session = oc_session_new(s->changed ? s->changed : s->model, &o, &e);
    return ort_from_error(&e);
}

static OrtStatus *new_runner(OrtSession *s, bool profiled, ort_runner **out)
{
    ort_runner *runner;
    ORT_TRY(ort_new(sizeof *runner, &runner));
    runner->owner = s;
    OrtStatus *status = open_runner(runner, profiled);
    ORT_GIVE(status, runner, ort_runner_free, out);
}

void ort_runner_free(ort_runner *runner)
{
    oc_session_free(runner->session);
    free(runner->bound);
    free(runner);
}

static ort_runner *take_idle(OrtSession *s)
{
    pthread_mutex_lock(&s->lock);
    ort_runner *runner = s->idle;
    if (runner)
        s->idle = runner->next;
    pthread_mutex_unlock(&s->lock);
    return runner;
}

OrtStatus *ort_runner_take(OrtSession *session, const OrtRunOptions *run, ort_runner **out)
{
    const bool alone = run && run->profile; /* the profile is of this run */
    ort_runner *runner = alone ? NULL : take_idle(session);
    if (!runner)
        ORT_TRY(new_runner(session, alone || session->options.profile, &runner));
    runner->run = run;
    runner->profile = session->profile;
    *out = runner;
    if (!alone)
        return NULL;
    OrtStatus *status = ort_profile_new(run->profile, &runner->profile);
    if (status)
        ort_runner_free(runner);
    return status;
}

void ort_runner_give(ort_runner *runner)
{
    OrtSession *s = runner->owner;
    const bool alone = runner->run && runner->run->profile;
    if (alone) {
        ort_profile_free(runner->profile);
        ort_runner_free(runner);
        return;
    }
    runner->run = NULL;
    pthread_mutex_lock(&s->lock);
    runner->next = s->idle;
    s->idle = runner;
    pthread_mutex_unlock(&s->lock);
}
