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

static void read_value(void *ctx, job_file *f, oc_error *e)
{
    const value_files *v = ctx;
    const oc_port port = oc_model_input(v->inputs->model, v->inputs->open);
    const tensor_options o = options_for(v, &v->inputs->options, f);
    f->value = tensor_read(f->item->path, &port, &o, NULL, e);
}

/* ---- inputs beside the first ---- */

/* The values of a file's partners, or of those of several files as one. */
typedef struct partners {
    oc_value **value;
    int n;
} partners;

static partners *new_partners(const value_files *v)
{
    partners *p = tool_alloc(1, sizeof *p);
    p->n = v->inputs->n_beside;
    p->value = tool_alloc((size_t)p->n, sizeof *p->value);
    return p;
}

static void free_partners(OC_UNUSED void *ctx, void *more)
{
    partners *p = more;
    for (int k = 0; k < p->n; k++)
        oc_value_free(p->value[k]);
    free(p->value);
    free(p);
}

static void read_values(void *ctx, job_file *f, oc_error *e)
{
    const value_files *v = ctx;
    const tensor_options o = options_for(v, &v->inputs->options, f);
    read_value(ctx, f, e);
    partners *p = f->more = new_partners(v);
    for (int k = 0; k < p->n && e->code == OC_OK; k++) {
        const oc_port port = oc_model_input(v->inputs->model, v->inputs->beside[k]);
        p->value[k] = tensor_read(f->item->partner[k], &port, &o, NULL, e);
        if (p->value[k])
            inputs_check_type(&port, p->value[k], e);
    }
}

static void bind_values(void *ctx, const job_file *f, oc_session *session, oc_error *e)
{
    const value_files *v = ctx;
    const partners *p = f->more;
    for (int k = 0; k < p->n; k++)
        oc_bind_value_at(session, v->inputs->beside[k], p->value[k], e);
}

/* Joins the values of n files for one input. */
static oc_value *join_one(const job_file *f, int n, int k, oc_error *e)
{
    oc_value **value = tool_alloc((size_t)n, sizeof *value), *joined = NULL;
    for (int i = 0; i < n; i++) {
        value[i] = ((const partners *)f[i].more)->value[k];
        if (!batch_fits(value[0], value[i]))
            tool_fail(e, OC_SHAPE, "--batch: the shapes of partners differ");
    }
    if (e->code == OC_OK)
        joined = batch_join(value, n, e);
    free(value);
    return joined;
}

static void *join_values(void *ctx, const job_file *f, int n, oc_error *e)
{
    partners *p = new_partners(ctx);
    for (int k = 0; k < p->n && e->code == OC_OK; k++)
        p->value[k] = join_one(f, n, k, e);
    if (e->code == OC_OK)
        return p;
    free_partners(ctx, p);
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
    for (int i = 0; i < n_out; i++)
        oc_value_free(part[i]);
    free(value);
    free(part);
    return has_parts;
}

job_way value_files_way(value_files *v)
{
    job_way way = {.ctx = v, .read = read_value, .write = write_file};
    if (v->inputs->n_beside) {
        way.read = read_values;
        way.bind = bind_values;
        way.join = join_values;
        way.release = free_partners;
    }
    return way;
}
