/* SPDX-License-Identifier: Apache-2.0
 * job.c - threads take files from the list: each reads, runs and writes its own, so that decoding,
 * running and encoding go on side by side. */
#define _XOPEN_SOURCE 700
#include "map/job.h"

#include "base/system.h"
#include "common/signals.h"
#include "map/batch.h"
#include "session/progress.h"

enum {
    NAMED = 10,      /* most failed files that standard error names */
    STACK = 8 << 20, /* of a thread, in bytes: as much as the first one usually has */
};

/* What the threads share, under the lock. */
typedef struct crew {
    const job *job;
    oc_lock lock;
    int next; /* the first file that no thread has taken */
    progress progress;
    job_result result;
    oc_error error; /* the error that ends the job */
} crew;

typedef struct worker {
    crew *crew;
    oc_session *session;
    /* what the session borrows: the value of a run, and what belongs to the file that it is of */
    oc_value *bound;
    void *more;
    oc_thread thread;
} worker;

/* ---- what becomes of a file ---- */

static void end_job(crew *c, const oc_error *e)
{
    oc_lock_take(&c->lock);
    if (c->error.code == OC_OK)
        c->error = *e;
    oc_lock_release(&c->lock);
}

static void file_done(crew *c, const file_item *item)
{
    oc_lock_take(&c->lock);
    if (c->job->record)
        record_done(c->job->record, item->path, item->name, &c->error);
    c->result.done++;
    progress_print(&c->progress, c->result.done + c->result.failed);
    oc_lock_release(&c->lock);
}

/* Records a failed file. The error's text begins with the path when the file could not be read,
 * but not when it could not be run. */
static void file_failed(crew *c, const file_item *item, const oc_error *e)
{
    record *r = c->job->record;
    const bool named = strncmp(e->text, item->path, strlen(item->path)) == 0;
    if (signals_cancelled(NULL)) {
        end_job(c, e);
        return;
    }
    char *text = item->list ? tool_format("%s (%s, line %d)", e->text, item->list, item->line)
                            : tool_format("%s", e->text);
    oc_lock_take(&c->lock);
    c->result.failure =
        tool_push(c->result.failure, (size_t)c->result.failed, sizeof *c->result.failure);
    c->result.failure[c->result.failed++] =
        (job_failure){tool_format("%s", item->path), text, e->code};
    if (r)
        record_error(r, item->path, e->code, text, &c->error);
    progress_clear(&c->progress);
    if (c->result.failed <= NAMED)
        tool_say("%s%s%s", named ? "" : item->path, named ? "" : ": ", text);
    else if (c->result.failed == NAMED + 1)
        tool_say("more files fail%s%s%s", r ? ": " : "", r ? r->errors : "",
                 r ? " names them" : "");
    progress_print(&c->progress, c->result.done + c->result.failed);
    oc_lock_release(&c->lock);
}

/* Writes what the session's last run gave for file k of n. */
static void write_file(worker *w, const job_file *f, int k, int n)
{
    const job_way *way = &w->crew->job->way;
    oc_error e = {0};
    const bool goes_on = way->write(way->ctx, f, k, n, w->session, &e);
    if (e.code == OC_OK)
        file_done(w->crew, f->item);
    else if (!goes_on || e.code == OC_IO)
        end_job(w->crew, &e);
    else
        file_failed(w->crew, f->item, &e);
}

/* ---- runs ---- */

/* Frees what the session had borrowed, once it borrows these. */
static void hold(worker *w, oc_value *value, void *more)
{
    const job_way *way = &w->crew->job->way;
    oc_value_free(w->bound);
    if (w->more)
        way->release(way->ctx, w->more);
    w->bound = value;
    w->more = more;
}

/* Runs the model on the value of a file, or of several files as one; the worker owns both from then
 * on. */
static void run_value(worker *w, const job_file *f, oc_value *value, void *more, oc_error *e)
{
    const job *j = w->crew->job;
    oc_bind_value_at(w->session, j->input, value, e);
    if (j->way.bind)
        j->way.bind(j->way.ctx, f, w->session, e);
    hold(w, value, more);
    oc_run(w->session, e);
}

static void free_file(const worker *w, job_file *f)
{
    const job_way *way = &w->crew->job->way;
    oc_value_free(f->value);
    if (f->more)
        way->release(way->ctx, f->more);
    f->value = NULL;
    f->more = NULL;
}

/* Tells that the run of a file failed. */
static void fail_run(const worker *w, const job_file *f, const oc_error *e)
{
    const job_way *way = &w->crew->job->way;
    if (way->fail)
        way->fail(way->ctx, f);
    file_failed(w->crew, f->item, e);
}

static void run_file(worker *w, job_file *f)
{
    oc_error e = {0};
    run_value(w, f, f->value, f->more, &e);
    f->value = NULL;
    if (e.code == OC_OK)
        write_file(w, f, 0, 1);
    else
        fail_run(w, f, &e);
    f->more = NULL;
}

/* Runs n files as one. If that fails, runs each by itself, to find the one that fails. */
static void run_files(worker *w, job_file *f, int n)
{
    const job *j = w->crew->job;
    const job_way *way = &j->way;
    oc_error e = {0};
    oc_value **value = tool_alloc((size_t)n, sizeof *value);
    for (int i = 0; i < n; i++)
        value[i] = f[i].value;
    oc_value *joined = batch_join(value, n, j->fills ? j->batch : n, &e);
    job_file all = *f;
    all.more = joined && way->join ? way->join(way->ctx, f, n, &e) : NULL;
    if (e.code == OC_OK)
        run_value(w, way->join ? &all : f, joined, all.more, &e);
    else
        oc_value_free(joined);
    free(value);
    for (int i = 0; i < n; i++) {
        if (e.code == OC_OK)
            write_file(w, &f[i], i, n);
        else if (!j->fills)
            run_file(w, &f[i]);
        else if (n > 1)
            run_files(w, &f[i], 1);
        else
            fail_run(w, f, &e);
        free_file(w, &f[i]);
    }
}

/* ---- threads ---- */

static void read_file(const worker *w, job_file *f)
{
    const job *j = w->crew->job;
    const oc_port port = oc_model_input(j->model, j->input);
    j->way.read(j->way.ctx, f, &f->error);
    if (f->value)
        inputs_check_type(&port, f->value, &f->error);
}

/* Takes the next files; returns how many. */
static int take(crew *c, int *first)
{
    oc_lock_take(&c->lock);
    const int left = c->job->n - c->next;
    const int n = c->error.code != OC_OK ? 0 : left < c->job->batch ? left : c->job->batch;
    *first = c->next;
    c->next += n;
    oc_lock_release(&c->lock);
    return n;
}

/* Takes the next files of a stream, as many as run as one; returns how many there are, 0 when the
 * job ends. */
static int fetch(crew *c, job_file *f)
{
    const job_way *way = &c->job->way;
    int n = 0;
    oc_lock_take(&c->lock);
    for (bool is_there = true; is_there && n < c->job->batch; n += is_there) {
        f[n] = (job_file){.number = c->next};
        is_there = c->error.code == OC_OK && way->fetch(way->ctx, &f[n], &c->error);
        c->next += is_there;
    }
    oc_lock_release(&c->lock);
    return n;
}

/* Reads n files, and runs those that fit each other as one. */
static void handle(worker *w, job_file *f, int n)
{
    for (int i = 0; i < n; i++) {
        read_file(w, &f[i]);
        if (f[i].error.code == OC_OK)
            continue;
        file_failed(w->crew, f[i].item, &f[i].error);
        free_file(w, &f[i]); /* with f[i].item, of a stream */
    }
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && f[i].value && f[end].value && batch_fits(f[i].value, f[end].value);)
            end++;
        if (f[i].value && end - i == 1 && !w->crew->job->fills)
            run_file(w, &f[i]);
        else if (f[i].value)
            run_files(w, &f[i], end - i);
    }
}

static void *run_worker(void *arg)
{
    worker *w = arg;
    const job *j = w->crew->job;
    job_file *f = tool_alloc((size_t)j->batch, sizeof *f);
    for (int n; j->way.fetch && (n = fetch(w->crew, f)) > 0;)
        handle(w, f, n);
    for (int n, first; !j->way.fetch && (n = take(w->crew, &first)) > 0;) {
        for (int i = 0; i < n; i++)
            f[i] = (job_file){.item = j->item[first + i], .number = first + i};
        handle(w, f, n);
    }
    free(f);
    return NULL;
}

job_result job_run(const job *j, oc_error *e)
{
    crew c = {.job = j};
    oc_lock_init(&c.lock, false);
    const int n = j->way.fetch || j->threads < j->n ? j->threads : j->n > 0 ? j->n : 1;
    worker *w = tool_alloc((size_t)n, sizeof *w);
    int started = 0;
    for (int i = 0; i < n; i++) {
        w[i] = (worker){.crew = &c, .session = oc_session_new(j->model, &j->options, e)};
        inputs_bind(j->inputs, w[i].session, e);
    }
    const double begin = session_clock();
    c.progress = progress_begin(j->progress, j->n);
    c.error = *e;
    /* the first thread is this one */
    for (int i = 1; i < n && e->code == OC_OK; i++, started++)
        if (!oc_thread_start(&w[i].thread, STACK, run_worker, &w[i]))
            break;
    if (e->code == OC_OK)
        run_worker(&w[0]);
    for (int i = 1; i <= started; i++)
        oc_thread_join(&w[i].thread);
    progress_clear(&c.progress);
    for (int i = 0; i < n; i++) {
        oc_session_free(w[i].session);
        hold(&w[i], NULL, NULL);
    }
    free(w);
    oc_lock_destroy(&c.lock);
    *e = c.error;
    c.result.seconds = session_clock() - begin;
    return c.result;
}

void job_result_free(job_result *r)
{
    for (int i = 0; i < r->failed; i++) {
        free(r->failure[i].path);
        free(r->failure[i].text);
    }
    free(r->failure);
    *r = (job_result){0};
}
