/* SPDX-License-Identifier: Apache-2.0
 * job.c - threads take files from the list: each reads, runs and writes its own, so that decoding,
 * running and encoding go on side by side. */
#define _XOPEN_SOURCE 700
#include "map/job.h"

#include "common/signals.h"
#include "map/batch.h"
#include "session/progress.h"

#include <pthread.h>

enum { NAMED = 10 }; /* most failed files that standard error names */

/* What the threads share, under the lock. */
typedef struct crew {
    const job *job;
    pthread_mutex_t lock;
    int next; /* the first file that no thread has taken */
    progress progress;
    job_result result;
    oc_error error; /* the error that ends the job */
} crew;

typedef struct worker {
    crew *crew;
    oc_session *session;
    oc_value *bound; /* the value that the session borrows; NULL: none */
    pthread_t thread;
} worker;

/* A file that a worker has read. */
typedef struct reading {
    const file_item *item;
    oc_value *value; /* NULL: reading failed, or the file is done */
    oc_error error;
} reading;

/* ---- what becomes of a file ---- */

static void end_job(crew *c, const oc_error *e)
{
    pthread_mutex_lock(&c->lock);
    if (c->error.code == OC_OK)
        c->error = *e;
    pthread_mutex_unlock(&c->lock);
}

static void file_done(crew *c, const file_item *item)
{
    pthread_mutex_lock(&c->lock);
    record_done(c->job->record, item->path, item->name, &c->error);
    c->result.done++;
    progress_print(&c->progress, c->result.done + c->result.failed);
    pthread_mutex_unlock(&c->lock);
}

/* Records a failed file. The error's text begins with the path when the file could not be read,
 * but not when it could not be run. */
static void file_failed(crew *c, const file_item *item, const oc_error *e)
{
    const bool named = strncmp(e->text, item->path, strlen(item->path)) == 0;
    if (signals_cancelled(NULL)) {
        end_job(c, e);
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->result.failed++;
    record_error(c->job->record, item->path, e->code, e->text, &c->error);
    progress_clear(&c->progress);
    if (c->result.failed <= NAMED)
        tool_say("%s%s%s", named ? "" : item->path, named ? "" : ": ", e->text);
    else if (c->result.failed == NAMED + 1)
        tool_say("more files fail: %s names them", c->job->record->errors);
    progress_print(&c->progress, c->result.done + c->result.failed);
    pthread_mutex_unlock(&c->lock);
}

/* ---- results ---- */

/* Writes the values of all outputs for one file. */
static void write_values(const job *j, const file_item *item, const oc_value *const *value,
                         oc_error *e)
{
    const outputs *to = j->results.outputs;
    tensor_options quiet = *to->options;
    quiet.quiet = j->quiet || item != j->item[0];
    for (int i = 0; i < results_count(&j->results) && e->code == OC_OK; i++) {
        const char *name = oc_model_output(j->model, i).name;
        char *path = results_path(&j->results, item->name, i);
        if (j->results.format == RESULT_NPZ)
            outputs_write_npz(to, path, value, e);
        else
            tensor_write(path, value[i], name, &quiet, e);
        free(path);
    }
}

/* Writes what the session's last run gave for number k of n files. A result that is not a
 * picture fails this file; a folder that accepts no file, and an output without a part for each
 * file, end the job. */
static void write_file(worker *w, const file_item *item, int k, int n)
{
    const job *j = w->crew->job;
    const int n_out = j->results.outputs->n;
    oc_error e = {0};
    const oc_value **value = tool_alloc((size_t)n_out, sizeof *value);
    oc_value **part = tool_alloc((size_t)n_out, sizeof *part);
    for (int i = 0; i < n_out && e.code == OC_OK; i++) {
        value[i] = oc_fetch_value_at(w->session, i, &e);
        if (n > 1 && e.code == OC_OK)
            value[i] = part[i] = batch_part(value[i], k, n, oc_model_output(j->model, i).name, &e);
    }
    const bool ends = e.code == OC_ARGUMENT;
    if (e.code == OC_OK)
        write_values(j, item, value, &e);
    for (int i = 0; i < n_out; i++)
        oc_value_free(part[i]);
    free(value);
    free(part);
    if (e.code == OC_OK)
        file_done(w->crew, item);
    else if (ends || e.code == OC_IO)
        end_job(w->crew, &e);
    else
        file_failed(w->crew, item, &e);
}

/* ---- runs ---- */

/* Runs the model on the value, which the worker owns from then on. */
static void run_value(worker *w, oc_value *value, oc_error *e)
{
    oc_bind_value_at(w->session, w->crew->job->input, value, e);
    if (e->code != OC_OK) {
        oc_value_free(value);
        return;
    }
    oc_value_free(w->bound);
    w->bound = value;
    oc_run(w->session, e);
}

/* Runs n files as one. If that fails, runs each by itself, to find the one that fails. */
static void run_files(worker *w, reading *r, int n)
{
    oc_error e = {0};
    if (n == 1) {
        run_value(w, r->value, &e);
        r->value = NULL;
    } else {
        oc_value **value = tool_alloc((size_t)n, sizeof *value);
        for (int i = 0; i < n; i++)
            value[i] = r[i].value;
        oc_value *joined = batch_join(value, n, &e);
        if (joined)
            run_value(w, joined, &e);
        free(value);
    }
    for (int i = 0; i < n && e.code == OC_OK; i++)
        write_file(w, r[i].item, i, n);
    if (e.code != OC_OK && n == 1)
        file_failed(w->crew, r->item, &e);
    for (int i = 0; i < n && n > 1; i++) {
        if (e.code != OC_OK && r[i].value)
            run_files(w, &r[i], 1);
        oc_value_free(r[i].value);
        r[i].value = NULL;
    }
}

/* ---- threads ---- */

static void read_file(const worker *w, reading *r, bool first)
{
    const job *j = w->crew->job;
    const oc_port port = oc_model_input(j->model, j->input);
    tensor_options o = j->inputs->options;
    o.quiet = !first || j->quiet;
    r->value = tensor_read(r->item->path, &port, &o, NULL, &r->error);
    if (r->value)
        inputs_check_type(&port, r->value, &r->error);
    if (r->error.code != OC_OK) {
        oc_value_free(r->value);
        r->value = NULL;
    }
}

/* Takes the next files; returns how many. */
static int take(crew *c, int *first)
{
    pthread_mutex_lock(&c->lock);
    const int left = c->job->n - c->next;
    const int n = c->error.code != OC_OK ? 0 : left < c->job->batch ? left : c->job->batch;
    *first = c->next;
    c->next += n;
    pthread_mutex_unlock(&c->lock);
    return n;
}

static void *run_worker(void *arg)
{
    worker *w = arg;
    const job *j = w->crew->job;
    reading *r = tool_alloc((size_t)j->batch, sizeof *r);
    for (int n, first; (n = take(w->crew, &first)) > 0;) {
        for (int i = 0; i < n; i++) {
            r[i] = (reading){.item = j->item[first + i]};
            read_file(w, &r[i], first + i == 0);
            if (!r[i].value)
                file_failed(w->crew, r[i].item, &r[i].error);
        }
        for (int i = 0, end; i < n; i = end) {
            for (end = i + 1;
                 end < n && r[i].value && r[end].value && batch_fits(r[i].value, r[end].value);)
                end++;
            if (r[i].value)
                run_files(w, &r[i], end - i);
        }
    }
    free(r);
    return NULL;
}

job_result job_run(const job *j, oc_error *e)
{
    crew c = {.job = j, .lock = PTHREAD_MUTEX_INITIALIZER};
    const int n = j->threads < j->n ? j->threads : j->n > 0 ? j->n : 1;
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
        if (pthread_create(&w[i].thread, NULL, run_worker, &w[i]) != 0)
            break;
    if (e->code == OC_OK)
        run_worker(&w[0]);
    for (int i = 1; i <= started; i++)
        pthread_join(w[i].thread, NULL);
    progress_clear(&c.progress);
    for (int i = 0; i < n; i++) {
        oc_session_free(w[i].session);
        oc_value_free(w[i].bound);
    }
    free(w);
    pthread_mutex_destroy(&c.lock);
    *e = c.error;
    c.result.seconds = session_clock() - begin;
    return c.result;
}
