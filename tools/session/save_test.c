/* SPDX-License-Identifier: Apache-2.0
 * save_test.c - saves a run as a folder that "ocellus test" and other engines can run again. */
#include "session/save_test.h"

#include "files/model_file.h"

void save_test_check(const char *option, const char *dir, oc_error *e)
{
    if (!dir || e->code != OC_OK || !io_exists(dir))
        return;
    oc_error why = {0};
    io_names inner = io_list_dir(dir, &why);
    if (why.code != OC_OK)
        tool_fail(e, OC_ARGUMENT, "%s %s, expected a new or empty folder", option, why.text);
    else if (inner.n)
        tool_fail(e, OC_ARGUMENT, "%s %s: the folder has '%s' in it, expected a new or empty one",
                  option, dir, inner.name[0]);
    io_names_free(&inner);
}

char *save_test_data_dir(const char *dir)
{
    return tool_format("%s/test_data_set_0", dir);
}

static void write_value(const char *dir, const char *kind, int n, const oc_value *v,
                        const char *name, oc_error *e)
{
    const tensor_options quiet = {.quiet = true};
    char *path = tool_format("%s/%s_%d.pb", dir, kind, n);
    if (v)
        tensor_write(path, v, name, &quiet, e);
    free(path);
}

void save_test_write(const char *dir, const oc_model *m, const inputs *in, const oc_session *s,
                     oc_error *e)
{
    char *data = save_test_data_dir(dir), *model = tool_format("%s/model.onnx", dir);
    if (e->code == OC_OK) {
        io_make_dir(dir, e);
        model_write(m, model, e);
        io_make_dir(data, e);
    }
    for (int i = 0, n = 0; i < in->n && e->code == OC_OK; i++)
        if (in->value[i])
            write_value(data, "input", n++, in->value[i], oc_model_input(m, i).name, e);
    for (int i = 0; s && i < oc_model_n_outputs(m) && e->code == OC_OK; i++)
        write_value(data, "output", i, oc_fetch_value_at(s, i, e), oc_model_output(m, i).name, e);
    free(data);
    free(model);
}
