/* SPDX-License-Identifier: Apache-2.0
 * outputs.c - writes the outputs of a run to files, and reads the expected ones. */
#include "session/outputs.h"

#include "files/npz.h"
#include "session/session_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_output(const oc_model *m, const char *name)
{
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        if (strcmp(oc_model_output(m, i).name, name) == 0)
            return i;
    return -1;
}

/* Splits "NAME=PATH" and returns the index of the output NAME; returns -1 when the model has no
 * such output, and then takes the whole text as the path. */
static int split_target(const oc_model *m, const char *text, const char **path)
{
    char *name = NULL;
    const int i = args_split(text, &name, path) ? find_output(m, name) : -1;
    free(name);
    if (i < 0)
        *path = text;
    return i;
}

void outputs_check(const output_args *a, const oc_model *m, oc_error *e)
{
    for (int k = 0; k < a->output.n && e->code == OC_OK; k++) {
        const char *path;
        const int i = split_target(m, a->output.item[k], &path);
        const bool file = tensor_is_file(path);
        if (i >= 0 && !file)
            tool_fail(e, OC_ARGUMENT, "-o %s: unknown ending, expected .npy, .pb, .png or .jpg",
                      a->output.item[k]);
        else if (i < 0 && file && oc_model_n_outputs(m) != 1)
            tool_fail(e, OC_ARGUMENT,
                      "-o %s: the model has %d outputs; name one as in -o %s=%s, or give a folder",
                      path, oc_model_n_outputs(m),
                      oc_model_n_outputs(m) ? oc_model_output(m, 0).name : "NAME", path);
    }
    if (a->expect && !io_exists(a->expect))
        tool_fail(e, OC_IO, "--expect %s: there is no such folder or file", a->expect);
}

/* ---- writing ---- */

/* Returns DIR/NAME.ending. Where an earlier output has the same file name, the index i comes before
 * NAME. Free with free. */
static char *output_path(const oc_model *m, const char *dir, int i, const char *ending)
{
    char *name = io_safe_name(oc_model_output(m, i).name);
    bool unique = true;
    for (int k = 0; k < i && unique; k++) {
        char *other = io_safe_name(oc_model_output(m, k).name);
        unique = strcmp(other, name) != 0;
        free(other);
    }
    char *path = unique ? tool_format("%s/%s%s", dir, name, ending)
                        : tool_format("%s/%d_%s%s", dir, i, name, ending);
    free(name);
    return path;
}

static void write_dir(const output_args *a, const char *dir, const oc_model *m, const oc_session *s,
                      const tensor_options *o, oc_error *e)
{
    io_make_dir(dir, e);
    for (int i = 0; i < oc_model_n_outputs(m) && e->code == OC_OK; i++) {
        const oc_value *v = oc_fetch_value_at(s, i, e);
        if (!v)
            return;
        const char *ending = a->png && image_is_like(v, &o->image)    ? ".png"
                             : a->pb || oc_value_kind(v) != OC_TENSOR ? ".pb"
                                                                      : ".npy";
        char *path = output_path(m, dir, i, ending);
        tensor_write(path, v, oc_model_output(m, i).name, o, e);
        free(path);
    }
}

static void write_npz(const char *path, const oc_model *m, const oc_session *s, oc_error *e)
{
    io_file f;
    io_create(&f, path, e);
    zip_writer z = zip_begin(&f);
    for (int i = 0; i < oc_model_n_outputs(m) && e->code == OC_OK; i++) {
        const oc_value *v = oc_fetch_value_at(s, i, e);
        if (v && oc_value_kind(v) != OC_TENSOR)
            tool_fail(e, OC_ARGUMENT, "%s: output '%s' is not a tensor; give a folder", path,
                      oc_model_output(m, i).name);
        else if (v)
            npz_add(&z, oc_model_output(m, i).name, v, e);
    }
    zip_end(&z, e);
    io_commit(&f, e);
}

void outputs_write(const output_args *a, const oc_model *m, const oc_session *s,
                   const tensor_options *o, oc_error *e)
{
    for (int k = 0; k < a->output.n && e->code == OC_OK; k++) {
        const char *path;
        int i = split_target(m, a->output.item[k], &path);
        if (i < 0 && tensor_is_file(path))
            i = 0;
        if (i >= 0) {
            const oc_value *v = oc_fetch_value_at(s, i, e);
            if (v)
                tensor_write(path, v, oc_model_output(m, i).name, o, e);
        } else if (io_ends_with(path, ".npz")) {
            write_npz(path, m, s, e);
        } else {
            write_dir(a, path, m, s, o, e);
        }
    }
}

/* ---- expected values ---- */

static oc_value *expected_in_npz(const char *path, const oc_port *port, const tensor_options *o,
                                 oc_error *e)
{
    io_bytes b;
    npz_file z;
    oc_value *v = NULL;
    io_read(path, o->cap, &b, e);
    npz_read(&z, b.data, b.size, o->cap, path, e);
    for (int k = 0; k < z.n && !v; k++)
        if (strcmp(z.item[k].name, port->name) == 0) {
            v = tensor_as(z.item[k].value, port, o, path, e);
            z.item[k].value = NULL;
        }
    npz_free(&z);
    io_bytes_free(&b);
    if (!v)
        tool_fail(e, OC_IO, "%s: there is no '%s'", path, port->name);
    return v;
}

oc_value *outputs_expected(const output_args *a, const oc_model *m, int i, const tensor_options *o,
                           oc_error *e)
{
    const oc_port port = oc_model_output(m, i);
    oc_value *v = NULL;
    if (e->code != OC_OK)
        return NULL;
    if (!io_is_dir(a->expect))
        return expected_in_npz(a->expect, &port, o, e);
    char *paths[] = {output_path(m, a->expect, i, ".npy"), output_path(m, a->expect, i, ".pb"),
                     tool_format("%s/output_%d.pb", a->expect, i)};
    bool found = false;
    for (int k = 0; k < 3; k++) {
        if (!found && io_exists(paths[k])) {
            found = true;
            v = tensor_read(paths[k], &port, o, NULL, e);
        }
    }
    if (!found)
        tool_fail(e, OC_IO, "%s: no value for output '%s'; looked for %s, %s and %s", a->expect,
                  port.name, paths[0], paths[1], paths[2]);
    for (int k = 0; k < 3; k++)
        free(paths[k]);
    return v;
}
