/* SPDX-License-Identifier: Apache-2.0
 * many.c - begins and ends a job on many files as a command line asks for it. */
#include "map/many.h"

#include "base/int.h"
#include "base/system.h"
#include "session/progress.h"

/* each thread writes a file that a signal must be able to remove (signals.h) */
enum { MOST_THREADS = 200 };

/* ---- which files ---- */

/* Reads "K/N" into k, counted from 0, and n. */
static void read_shard(const many_args *a, int *k, int *n, oc_error *e)
{
    char end;
    *k = 0;
    *n = 1;
    if (a->shard && (sscanf(a->shard, "%6d/%6d%c", k, n, &end) != 2 || *k < 1 || *k > *n))
        tool_fail(e, OC_ARGUMENT, "--shard %s: expected K/N with K from 1 to N", a->shard);
    *k -= a->shard != NULL;
}

/* Chooses the files of this shard that the record does not have. */
static void choose_files(many *m, int k, int n)
{
    m->item = tool_alloc((size_t)m->files.n, sizeof *m->item);
    for (int i = k; i < m->files.n; i += n) {
        m->n_shard++;
        if (!record_has(&m->record, m->files.item[i].path))
            m->item[m->n++] = &m->files.item[i];
    }
    m->n_before = m->n_shard - m->n;
}

/* Opens the record of this shard. */
static void open_record(many *m, const settings *now, oc_error *e)
{
    const many_args *a = m->args;
    record_open(&m->record, m->folder, m->part, m->model, now,
                a->again    ? RECORD_REPLACE
                : a->resume ? RECORD_RESUME
                            : RECORD_REFUSE,
                e);
}

static const struct {
    const char *text, *cause;
} left_reasons[LEFT_REASONS] = {
    [LEFT_ENDING] = {"its ending is none of a file that is read", "the ending"},
    [LEFT_ALONE] = {"it has no partner", "a missing partner"},
    [LEFT_KIND] = {"it is no regular file", "being no regular file"},
    [LEFT_LINK] = {"it is a link to a folder", "being a link to a folder"},
};

static void record_left(many *m, oc_error *e)
{
    for (int i = 0; i < m->files.n_left && e->code == OC_OK; i++) {
        const file_left *left = &m->files.left[i];
        char *why = left->alone ? tool_format("%s has no file of its name", left->alone)
                                : tool_format("%s", left_reasons[left->reason].text);
        record_left_out(&m->record, left->path, why, e);
        free(why);
    }
}

void many_begin(many *m, const results *to, const settings *now, const args_list *others,
                oc_error *e)
{
    int k, n;
    read_shard(m->args, &k, &n, e);
    m->part = n > 1 ? tool_format(".%d-of-%d", k + 1, n) : tool_format("%s", "");
    m->first = k;
    m->step = n;
    if (m->folder)
        open_record(m, now, e);
    if (m->folder && e->code == OC_OK)
        results_check(to, &m->files, &m->record, others, e);
    if (e->code == OC_OK)
        choose_files(m, k, n);
    if ((m->folder || to->also) && e->code == OC_OK)
        results_remove_parts(to, m->item, m->n, e);
    if (m->folder && e->code == OC_OK)
        record_begin(&m->record, e);
    if (m->folder && k == 0)
        record_left(m, e);
}

int64_t many_place(const many *m, const file_item *item)
{
    const int64_t i = item - m->files.item - m->first;
    return i < 0 || i % m->step ? -1 : i / m->step;
}

/* ---- folders ---- */

void many_make_below(const many *m, const char *folder, oc_error *e)
{
    text_index made = {0};
    io_make_dir(folder, e);
    for (int i = 0; i < m->files.n && e->code == OC_OK; i++) {
        char *below = io_folder_of(m->files.item[i].name);
        char *path = tool_format("%s/%s", folder, below);
        if (strchr(m->files.item[i].name, '/') && text_index_find(&made, below) < 0)
            io_make_dir(path, e);
        text_index_add(&made, below, i);
        free(below);
        free(path);
    }
    text_index_free(&made);
}

void many_make_folders(const many *m, oc_error *e)
{
    if (m->folder)
        many_make_below(m, m->folder, e);
}

static void read_beside(sandbox *box, text_index *folders, const char *path)
{
    char *folder = io_folder_of(path);
    if (text_index_find(folders, folder) < 0)
        sandbox_read(box, folder);
    text_index_add(folders, folder, 0);
    free(folder);
}

void many_sandbox(const many *m, sandbox *box, oc_error *e)
{
    text_index folders = {0};
    for (int i = 0; i < m->files.n; i++) {
        const file_item *f = &m->files.item[i];
        read_beside(box, &folders, f->path);
        for (int k = 0; k < f->n_partner; k++)
            read_beside(box, &folders, f->partner[k]);
    }
    if (m->folder) {
        sandbox_read(box, m->folder); /* for earlier records */
        sandbox_folder(box, m->folder, e);
    }
    text_index_free(&folders);
}

/* ---- the end ---- */

static double rate_of(const job_result *r)
{
    return r->seconds > 0 ? (r->done + r->failed) / r->seconds : 0;
}

/* Names the first few files that are left out for one reason. */
static void say_left(const many *m, left_reason reason)
{
    enum { NAMED = 3 };
    int n = 0;
    char *names = tool_format("%s", "");
    for (int i = 0; i < m->files.n_left; i++) {
        const file_left *left = &m->files.left[i];
        if (left->reason != reason)
            continue;
        if (n++ < NAMED) {
            char *longer = tool_format("%s%s%s", names, n > 1 ? ", " : "", left->path);
            free(names);
            names = longer;
        }
    }
    if (n)
        tool_say("%d file%s left out because of %s: %s%s%s%s%s", n, n == 1 ? " is" : "s are",
                 left_reasons[reason].cause, names, n > NAMED ? ", ..." : "", m->folder ? " (" : "",
                 m->folder ? m->record.errors : "", m->folder ? ")" : "");
    free(names);
}

void many_say_left_out(const many *m)
{
    for (int reason = 0; reason < LEFT_REASONS; reason++)
        say_left(m, (left_reason)reason);
}

void many_json(const many *m, const job_result *r, json_writer *j)
{
    const bool has_errors = m->folder && (r->failed || m->files.n_left);
    json_text(j, "model", m->model);
    json_int(j, "files", m->n_shard);
    json_int(j, "done", r->done);
    json_int(j, "before", m->n_before);
    json_int(j, "failed", r->failed);
    json_int(j, "left_out", m->files.n_left);
    json_text(j, "errors", has_errors ? m->record.errors : NULL);
    json_array(j, "failures");
    for (int i = 0; i < r->failed; i++) {
        json_object(j, NULL);
        json_text(j, "file", r->failure[i].path);
        json_text(j, "code", oc_status_name(r->failure[i].code));
        json_text(j, "error", r->failure[i].text);
        json_close(j);
    }
    json_close(j);
    json_number(j, "seconds", r->seconds);
    json_number(j, "rate", rate_of(r));
}

char *many_text(const many *m, const job_result *r)
{
    char before[48] = "", time[96] = "";
    if (m->n_before)
        snprintf(before, sizeof before, ", %d of them before", m->n_before);
    if (r->done + r->failed)
        snprintf(time, sizeof time, "; %.*f s, %.*f/s", progress_digits(r->seconds), r->seconds,
                 progress_digits(rate_of(r)), rate_of(r));
    char *failed = !r->failed  ? tool_format("%s", "")
                   : m->folder ? tool_format(", %d failed (%s)", r->failed, m->record.errors)
                               : tool_format(", %d failed", r->failed);
    char *text = !m->n_shard ? tool_format("%d files done%s%s", r->done, failed, time)
                             : tool_format("%d of %d files done%s%s%s", r->done + m->n_before,
                                           m->n_shard, before, failed, time);
    free(failed);
    return text;
}

job_result many_run(many *m, job *j, oc_error *e)
{
    const int64_t threads = j->options.threads ? j->options.threads : oc_processor_count();
    j->options.threads = 1;
    j->threads = (int)oc_min(threads, MOST_THREADS);
    j->item = m->item;
    j->n = m->n;
    if (!j->fills)
        j->batch = oc_max(1, oc_min(j->batch, m->n));
    j->record = m->folder ? &m->record : NULL;
    return e->code == OC_OK ? job_run(j, e) : (job_result){0};
}

void many_say_stopped(const many *m, const job_result *r)
{
    if (r->done || r->failed)
        tool_say("%d of %d files are done%s", r->done + m->n_before,
                 m->n_shard ? m->n_shard : r->done + r->failed,
                 m->folder ? "; with --resume it goes on with the others" : "");
}

void many_free(many *m)
{
    record_close(&m->record);
    list_free(&m->files);
    free(m->item);
    free(m->part);
}
