/* SPDX-License-Identifier: Apache-2.0
 * value_files.c - reads each file of a job as a value, and writes its results as values. */
#include "map/value_files.h"

#include "map/batch.h"

const char *const result_format_names[] = {"npz", "npy", "pb", "png", "jpg", NULL};

int value_files_count(const outputs *o, int format)
{
    return format == RESULT_NPZ ? 1 : o->n;
}

static void read_value(void *ctx, job_file *f, oc_error *e)
{
    const value_files *v = ctx;
    const oc_port port = oc_model_input(v->inputs->model, v->inputs->open);
    tensor_options o = v->inputs->options;
    o.quiet = f->number > 0 || v->quiet;
    f->value = tensor_read(f->item->path, &port, &o, NULL, e);
}

/* Writes the values of all outputs for one file. */
static void write_values(const value_files *v, const job_file *f, const oc_value *const *value,
                         oc_error *e)
{
    tensor_options quiet = *v->outputs->options;
    quiet.quiet = v->quiet || f->number > 0;
    for (int i = 0; i < v->results->n && e->code == OC_OK; i++) {
        char *path = results_path(v->results, f->item->name, i);
        if (v->format == RESULT_NPZ)
            outputs_write_npz(v->outputs, path, value, e);
        else
            tensor_write(path, value[i], oc_model_output(v->outputs->model, i).name, &quiet, e);
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
    return (job_way){.ctx = v, .read = read_value, .write = write_file};
}
