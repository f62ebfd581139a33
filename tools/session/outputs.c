/* SPDX-License-Identifier: Apache-2.0
 * outputs.c - writes the outputs of a run to files, and reads the expected ones. */
#define _XOPEN_SOURCE 700
#include "session/outputs.h"

#include "common/nearest.h"
#include "common/system.h"
#include "files/targets.h"

#include <search.h>

static int find_output(const void *ctx, const char *name)
{
    const oc_model *m = ctx;
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        if (strcmp(oc_model_output(m, i).name, name) == 0)
            return i;
    return -1;
}

/* Does the text begin like a path? ./a=b.png may be the path of a file with a '=', and only the
 * model can tell that it is NAME=PATH: names of outputs may have slashes. */
static bool is_like_path(const char *text)
{
    return text[0] == '/' || strncmp(text, "./", 2) == 0 || strncmp(text, "../", 3) == 0;
}

/* Is the text NAME=PATH, whatever the model's outputs are? */
static bool has_name(const char *text)
{
    return strchr(text, '=') && !is_like_path(text);
}

/* Returns the index of the output NAME of "NAME=PATH", and its path; -1 when it names none, and
 * the path is the whole text. */
static int split_target(const oc_model *m, const char *text, const char **path)
{
    return args_split(text, find_output, m, path);
}

/* Does a -o that names no output write every output into a folder? */
static bool is_folder(const char *path)
{
    return !tensor_is_file(path) && !io_ends_with(path, ".npz");
}

/* ---- names of files ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Puts *name into the tree, with the number i before it if it is there already. */
static void add_name(char **name, int i, void **tree, oc_error *e)
{
    char *const *found;
    while ((found = tsearch(*name, tree, by_text)) != NULL && *found != *name) {
        char *other = tool_format("%d_%s", i, *name);
        free(*name);
        *name = other;
    }
    if (!found)
        tool_fail(e, OC_NOMEM, "out of memory for the names of outputs");
}

/* Returns safe(NAME) of every output, with its index before it when another output has that
 * name. Names that are safe already stay. Free each, and the array, with free. */
static char **unique_names(const oc_model *m, char *(*safe)(const char *), oc_error *e)
{
    const int n = oc_model_n_outputs(m);
    char **name = tool_alloc((size_t)n, sizeof *name);
    void *tree = NULL;
    for (int i = 0; i < n; i++) {
        name[i] = safe(oc_model_output(m, i).name);
        if (strcmp(name[i], oc_model_output(m, i).name) == 0)
            add_name(&name[i], i, &tree, e);
    }
    for (int i = 0; i < n; i++)
        if (strcmp(name[i], oc_model_output(m, i).name) != 0)
            add_name(&name[i], i, &tree, e);
    for (int i = 0; i < n; i++)
        tdelete(name[i], &tree, by_text);
    return name;
}

/* Returns DIR/NAME.ending. Free with free. */
static char *output_path(const outputs *o, const char *dir, int i, const char *ending)
{
    return tool_format("%s/%s%s", dir, o->file[i], ending);
}

/* ---- before the run ---- */

/* Returns the ending of a path, ".foo"; "" when it has none. */
static const char *ending_of(const char *path)
{
    const char *slash = system_last_slash(path), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] ? dot : "";
}

static const char of_one[] = ".npy, .pb, .png or .jpg";

static void check_target(const char *text, oc_error *e)
{
    const char *path = has_name(text) ? strchr(text, '=') + 1 : text;
    const char *expected = has_name(text) ? of_one : "a folder, .npy, .npz, .pb, .png or .jpg";
    if (strcmp(path, "-") == 0)
        tool_fail(e, OC_ARGUMENT, "-o %s: values do not go to standard output, expected %s", text,
                  expected);
    else if (!*path)
        tool_fail(e, OC_ARGUMENT, "-o %s: the path is missing, expected %s", text, expected);
    else if (has_name(text) && !tensor_is_file(path))
        tool_fail(e, OC_ARGUMENT, "-o %s: unknown ending, expected %s", text, expected);
    else if (is_folder(path) && *ending_of(path) && !io_is_dir(path))
        tool_fail(e, OC_ARGUMENT,
                  "-o %s: unknown ending %s, expected %s; '%s/' makes a folder of that name", text,
                  ending_of(path), expected, path);
}

/* Does the target name a picture, or a folder, which may get some? */
static bool takes_scale(const output_args *a, const char *path)
{
    return image_can_write(path) || (a->png && is_folder(path));
}

static void take_targets(output_args *a, oc_error *e)
{
    a->target = tool_alloc((size_t)a->output.n, sizeof *a->target);
    for (int k = 0; k < a->output.n; k++) {
        image_target *t = &a->target[k];
        *t = image_target_of(a->output.item[k], e);
        if (t->given && e->code == OC_OK && !takes_scale(a, t->path))
            tool_fail(e, OC_ARGUMENT,
                      "-o %s: the scale of a picture follows .png, .jpg, or with --png a folder",
                      a->output.item[k]);
        a->output.item[k] = t->path;
    }
}

void output_args_free(output_args *a)
{
    for (int k = 0; a->target && k < a->output.n; k++)
        free(a->target[k].path);
    free(a->target);
    args_list_free(&a->output);
}

void outputs_check(output_args *a, oc_error *e)
{
    take_targets(a, e);
    for (int k = 0; k < a->output.n && e->code == OC_OK; k++)
        check_target(a->output.item[k], e);
    if (!a->expect || e->code != OC_OK)
        return;
    if (!io_exists(a->expect))
        tool_fail(e, OC_IO, "--expect %s: there is no such folder or file", a->expect);
    else if (!io_is_dir(a->expect) && !io_ends_with(a->expect, ".npz"))
        tool_fail(e, OC_ARGUMENT,
                  "--expect %s: a single file, expected a folder with NAME.npy or output_0.pb, or "
                  "a .npz",
                  a->expect);
}

static void refuse_name(const oc_model *m, const char *text, oc_error *e)
{
    char hint[NEAREST_TEXT];
    char *name = tool_format("%.*s", (int)strcspn(text, "="), text);
    nearest near = {.text = name};
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        nearest_try(&near, oc_model_output(m, i).name);
    tool_fail(e, OC_ARGUMENT, "-o %s: the model has no output '%s'%s", text, name,
              nearest_hint(&near, hint));
    free(name);
}

static void check_arguments(const outputs *o, oc_error *e)
{
    const oc_model *m = o->model;
    for (int k = 0; k < o->args->output.n && e->code == OC_OK; k++) {
        const char *path, *text = o->args->output.item[k];
        const int i = split_target(m, text, &path);
        if (i < 0 && has_name(text))
            refuse_name(m, text, e);
        else if (i >= 0 && !tensor_is_file(path))
            tool_fail(e, OC_ARGUMENT, "-o %s: unknown ending, expected %s", text, of_one);
        else if (i < 0 && tensor_is_file(path) && o->n != 1)
            tool_fail(e, OC_ARGUMENT,
                      "-o %s: the model has %d outputs; name one as in -o %s=%s, or give a folder",
                      path, o->n, o->n ? oc_model_output(m, 0).name : "NAME", path);
    }
}

/* A folder may get a file of each ending for each output, because its values are not known yet. */
static void check_targets(const outputs *o, oc_error *e)
{
    static const char *const endings[] = {".npy", ".pb", ".png"};
    targets all = {0};
    for (int k = 0; k < o->args->output.n && o->args->output.n > 1; k++) {
        const char *path;
        if (split_target(o->model, o->args->output.item[k], &path) >= 0 || !is_folder(path)) {
            targets_add(&all, path, e);
            continue;
        }
        for (int i = 0; i < 3 * o->n && e->code == OC_OK; i++) {
            char *file = output_path(o, path, i / 3, endings[i % 3]);
            targets_add(&all, file, e);
            free(file);
        }
    }
    targets_free(&all);
}

outputs outputs_new(const output_args *a, const oc_model *m, const tensor_options *options,
                    oc_error *e)
{
    outputs o = {.args = a, .model = m, .options = options, .n = oc_model_n_outputs(m)};
    o.file = unique_names(m, io_safe_name, e);
    o.member = unique_names(m, npz_safe_name, e);
    check_arguments(&o, e);
    if (e->code == OC_OK)
        check_targets(&o, e);
    return o;
}

void outputs_free(outputs *o)
{
    for (int i = 0; i < o->n; i++) {
        free(o->file[i]);
        free(o->member[i]);
    }
    free(o->file);
    free(o->member);
    npz_free(&o->expected);
    text_index_free(&o->expected_names);
    *o = (outputs){0};
}

/* ---- writing ---- */

static void write_dir(const outputs *o, const char *dir, const tensor_options *options,
                      const oc_session *s, oc_error *e)
{
    io_make_dir(dir, e);
    for (int i = 0; i < o->n && e->code == OC_OK; i++) {
        const oc_value *v = oc_fetch_value_at(s, i, e);
        if (!v)
            return;
        const char *ending = o->args->png && image_is_like(v, &o->options->image) ? ".png"
                             : o->args->pb || oc_value_kind(v) != OC_TENSOR       ? ".pb"
                                                                                  : ".npy";
        char *path = output_path(o, dir, i, ending);
        tensor_write(path, v, oc_model_output(o->model, i).name, options, e);
        free(path);
    }
}

void outputs_write_npz(const outputs *o, const char *path, const oc_value *const *value,
                       oc_error *e)
{
    io_file f;
    io_create(&f, path, e);
    zip_writer z = zip_begin(&f);
    for (int i = 0; i < o->n && e->code == OC_OK; i++) {
        if (oc_value_kind(value[i]) != OC_TENSOR)
            tool_fail(e, OC_ARGUMENT, "%s: output '%s' is not a tensor; give a folder", path,
                      oc_model_output(o->model, i).name);
        else
            npz_add(&z, o->member[i], value[i], e);
    }
    zip_end(&z, e);
    io_commit(&f, e);
}

static void write_npz(const outputs *o, const char *path, const oc_session *s, oc_error *e)
{
    const oc_value **value = tool_alloc((size_t)o->n, sizeof *value);
    for (int i = 0; i < o->n; i++)
        value[i] = oc_fetch_value_at(s, i, e);
    if (e->code == OC_OK)
        outputs_write_npz(o, path, value, e);
    free(value);
}

void outputs_write(const outputs *o, const oc_session *s, oc_error *e)
{
    for (int k = 0; k < o->args->output.n && e->code == OC_OK; k++) {
        const char *path;
        tensor_options options = *o->options;
        options.scaled = o->args->target[k].given ? &o->args->target[k].scaled : NULL;
        int i = split_target(o->model, o->args->output.item[k], &path);
        if (i < 0 && tensor_is_file(path))
            i = 0;
        if (i >= 0) {
            const oc_value *v = oc_fetch_value_at(s, i, e);
            if (v)
                tensor_write(path, v, oc_model_output(o->model, i).name, &options, e);
        } else if (is_folder(path)) {
            write_dir(o, path, &options, s, e);
        } else {
            write_npz(o, path, s, e);
        }
    }
}

/* ---- expected values ---- */

static void read_expected(outputs *o, oc_error *e)
{
    const char *path = o->args->expect;
    io_bytes b;
    if (o->expected.n)
        return;
    io_read(path, o->options->cap, &b, e);
    npz_read(&o->expected, b.data, b.size, o->options->cap, path, e);
    io_bytes_free(&b);
    for (int i = 0; i < o->expected.n; i++)
        text_index_add(&o->expected_names, o->expected.item[i].name, i);
}

/* A member has the output's own name, or the name under which outputs_write stores it. */
static oc_value *expected_in_npz(outputs *o, int i, const oc_port *port, oc_error *e)
{
    const char *path = o->args->expect;
    read_expected(o, e);
    int found = text_index_find(&o->expected_names, port->name);
    if (found < 0)
        found = text_index_find(&o->expected_names, o->member[i]);
    if (found >= 0) /* another output may have that name too */
        return tensor_as(tensor_copy(o->expected.item[found].value, e), port, o->options, path, e);
    tool_fail(e, OC_IO, "%s: there is no '%s'", path, port->name);
    return NULL;
}

oc_value *outputs_expected(outputs *o, int i, oc_error *e)
{
    const char *dir = o->args->expect;
    const oc_port port = oc_model_output(o->model, i);
    oc_value *v = NULL;
    if (e->code != OC_OK)
        return NULL;
    if (!io_is_dir(dir))
        return expected_in_npz(o, i, &port, e);
    char *paths[] = {output_path(o, dir, i, ".npy"), output_path(o, dir, i, ".pb"),
                     tool_format("%s/output_%d.pb", dir, i)};
    bool found = false;
    for (int k = 0; k < 3; k++) {
        if (!found && io_exists(paths[k])) {
            found = true;
            v = tensor_read(paths[k], &port, o->options, NULL, e);
        }
    }
    if (!found)
        tool_fail(e, OC_IO, "%s: no value for output '%s'; looked for %s, %s and %s", dir,
                  port.name, paths[0], paths[1], paths[2]);
    for (int k = 0; k < 3; k++)
        free(paths[k]);
    return v;
}
