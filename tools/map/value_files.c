/* SPDX-License-Identifier: Apache-2.0
 * value_files.c - reads each file of a job as a value, and writes its results as values. */
#include "map/value_files.h"

#include "map/batch.h"

const char *const result_format_names[] = {"npz", "npy", "pb", "png", "jpg", NULL};

int value_files_count(const outputs *o, int format)
{
    return format == RESULT_NPZ ? 1 : o->n;
}

/* Remarks are made of the first file alone. */
static tensor_options options_for(const value_files *v, const tensor_options *all,
                                  const job_file *f)
{
    tensor_options o = *all;
    o.quiet = f->number > 0 || v->quiet;
    return o;
}

/* ---- what is read ---- */

/* What a file gives besides the first input: the values of its partners, or of those of several
 * files as one, and a photograph for the reader. */
typedef struct more {
    oc_value **value;
    int n;
    value_photograph photograph;
    const file_item *waits; /* the file, while the reader waits for it; NULL: it does not */
} more;

static more *new_more(const value_files *v)
{
    more *m = tool_alloc(1, sizeof *m);
    m->n = v->inputs->n_beside;
    m->value = tool_alloc((size_t)m->n, sizeof *m->value);
    return m;
}

static void free_more(void *ctx, void *of)
{
    const value_files *v = ctx;
    more *m = of;
    oc_error e = {0};
    if (m->waits)
        v->reader->take(v->reader->ctx, m->waits, NULL, NULL, &e);
    for (int k = 0; k < m->n; k++)
        oc_value_free(m->value[k]);
    image_free(&m->photograph.seen);
    free(m->value);
    free(m);
}

/* Reads the value of one input. */
static oc_value *read_input(const value_files *v, const job_file *f, const char *path, int input,
                            oc_error *e)
{
    const oc_port port = oc_model_input(v->inputs->model, input);
    value_photograph *p = &((more *)f->more)->photograph;
    tensor_options o = options_for(v, &v->inputs->options, f);
    const bool is_seen = v->reader && v->reader->input == input;
    o.fit = is_seen ? &p->fit : NULL;
    o.seen = is_seen && v->reader->keeps_seen ? &p->seen : NULL;
    oc_value *value = tensor_read(path, &port, &o, NULL, e);
    if (value)
        inputs_check_type(&port, value, e);
    if (is_seen && !p->fit.width)
        tool_fail(e, OC_ARGUMENT, "%s: it is no picture, and only pictures have answers", path);
    return value;
}

static void read_values(void *ctx, job_file *f, oc_error *e)
{
    const value_files *v = ctx;
    more *m = f->more = new_more(v);
    m->waits = v->reader ? f->item : NULL;
    f->value = read_input(v, f, f->item->path, v->inputs->open, e);
    for (int k = 0; k < m->n && e->code == OC_OK; k++)
        m->value[k] = read_input(v, f, f->item->partner[k], v->inputs->beside[k], e);
}

/* ---- inputs beside the first ---- */

static void bind_values(void *ctx, const job_file *f, oc_session *session, oc_error *e)
{
    const value_files *v = ctx;
    const more *m = f->more;
    for (int k = 0; k < m->n; k++)
        oc_bind_value_at(session, v->inputs->beside[k], m->value[k], e);
}

/* Joins the values of n files for one input. */
static oc_value *join_one(const job_file *f, int n, int k, oc_error *e)
{
    oc_value **value = tool_alloc((size_t)n, sizeof *value), *joined = NULL;
    for (int i = 0; i < n; i++) {
        value[i] = ((const more *)f[i].more)->value[k];
        if (!batch_fits(value[0], value[i]))
            tool_fail(e, OC_SHAPE, "--batch: the shapes of partners differ");
    }
    if (e->code == OC_OK)
        joined = batch_join(value, n, n, e);
    free(value);
    return joined;
}

static void *join_values(void *ctx, const job_file *f, int n, oc_error *e)
{
    more *m = new_more(ctx);
    for (int k = 0; k < m->n && e->code == OC_OK; k++)
        m->value[k] = join_one(f, n, k, e);
    if (e->code == OC_OK)
        return m;
    free_more(ctx, m);
    return NULL;
}

/* ---- results ---- */

/* Writes the values of all outputs for one file. */
static void write_values(const value_files *v, const job_file *f, const oc_value *const *value,
                         oc_error *e)
{
    const tensor_options o = options_for(v, v->outputs->options, f);
    for (int i = 0; i < v->results->n && e->code == OC_OK; i++) {
        char *path = results_path(v->results, f->item->name, i);
        if (v->format == RESULT_NPZ)
            outputs_write_npz(v->outputs, path, value, e);
        else
            tensor_write(path, value[i], oc_model_output(v->outputs->model, i).name, &o, e);
        free(path);
    }
}

static void read_answer(const value_files *v, const job_file *f, const oc_value *const *value,
                        oc_error *e)
{
    more *m = f->more;
    v->reader->take(v->reader->ctx, f->item, &m->photograph, value, e);
    if (e->code == OC_OK)
        m->waits = NULL;
    image_free(&m->photograph.seen);
}

static bool write_file(void *ctx, const job_file *f, int k, int n, const oc_session *session,
                       oc_error *e)
{
    const value_files *v = ctx;
    const int n_out = v->outputs->n;
    const oc_value **value = tool_alloc((size_t)n_out, sizeof *value);
    oc_value **part = tool_alloc((size_t)n_out, sizeof *part);
    for (int i = 0; i < n_out && e->code == OC_OK; i++) {
        value[i] = oc_fetch_value_at(session, i, e);
        if (n > 1 && e->code == OC_OK)
            value[i] = part[i] =
                batch_part(value[i], k, n, oc_model_output(v->outputs->model, i).name, e);
    }
    const bool has_parts = e->code == OC_OK;
    if (has_parts)
        write_values(v, f, value, e);
    if (v->reader && e->code == OC_OK)
        read_answer(v, f, value, e);
    for (int i = 0; i < n_out; i++)
        oc_value_free(part[i]);
    free(value);
    free(part);
    return has_parts;
}

job_way value_files_way(value_files *v)
{
    job_way way = {.ctx = v, .read = read_values, .write = write_file, .release = free_more};
    if (v->inputs->n_beside) {
        way.bind = bind_values;
        way.join = join_values;
    }
    return way;
}
