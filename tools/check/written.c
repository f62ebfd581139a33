/* SPDX-License-Identifier: Apache-2.0
 * written.c - writes a case as an ONNX backend test. */
#include "check/written.h"

#include "session/save_test.h"

/* Writes the tolerances of the case, and its name in the check. */
static void write_data(const char *dir, const check_case *c, oc_error *e)
{
    char *path = tool_format("%s/data.json", dir);
    io_file f;
    io_create(&f, path, e);
    if (f.stream) {
        json_writer j = json_begin(f.stream);
        json_object(&j, NULL);
        json_text(&j, "case", c->name);
        json_number(&j, "rtol", c->bound.rtol);
        json_number(&j, "atol", c->bound.atol);
        json_close(&j);
        json_end(&j);
    }
    io_commit(&f, e);
    free(path);
}

char *check_write_test(const char *folder, int number, const check_run *run, oc_error *e)
{
    char *op = io_safe_name(run->plan->family->op);
    char *dir = tool_format("%s/test_%s_%04d", folder, op, number);
    const inputs in = {
        .model = run->model, .n = run->c->n_in, .value = (oc_value **)run->c->in, .open = -1};
    save_test_write(dir, run->model, &in, run->reference, e);
    write_data(dir, run->c, e);
    free(op);
    return dir;
}
