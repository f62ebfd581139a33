/* SPDX-License-Identifier: Apache-2.0
 * draw_targets.c - checks where drawn photographs and objects go. */
#include "predict/draw_targets.h"

#include "common/system.h"

bool draw_is_file(const char *output)
{
    return !io_is_dir(output) && image_can_write(output);
}

static bool is_same(const char *a, const char *b)
{
    system_file x, y;
    return system_describe(a, true, &x) && system_describe(b, true, &y) && x.device == y.device &&
           x.number == y.number;
}

void draw_check_file(const char *output, const file_list *files, const char *model, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    const char *photograph = files->item[0].path;
    if (files->n != 1)
        tool_fail(e, OC_ARGUMENT, "-o %s: there are %d photographs, expected one, or DIR/", output,
                  files->n);
    else if (is_same(output, photograph) || is_same(output, model))
        tool_fail(e, OC_ARGUMENT, "-o %s would replace %s or %s, which are read", output,
                  photograph, model);
}

void draw_check_crops(const char *crops, const file_list *files, oc_error *e)
{
    for (int i = 0; i < files->n && e->code == OC_OK; i++) {
        char *path = tool_format("%s/%s", crops, files->item[i].name);
        char *to = io_folder_of(path), *from = io_folder_of(files->item[i].path);
        if (is_same(from, to))
            tool_fail(e, OC_ARGUMENT, "--crops %s: %s is there, and is read", crops,
                      files->item[i].path);
        free(path);
        free(from);
        free(to);
    }
}

void draw_settle(const many *m, const settings *now, many_args *args)
{
    record before = {.done_file = -1, .errors_file = -1};
    oc_error other = {0};
    int n = 0;
    if (!m->folder || args->resume || args->again || args->shard)
        return;
    record_open(&before, m->folder, "", m->model, now, RECORD_RESUME, &other);
    for (int i = 0; i < m->files.n; i++)
        n += record_has(&before, m->files.item[i].path);
    args->again = n > 0 && n == m->files.n && n == before.n_before;
    args->resume = n == 0 && before.n_before && other.code == OC_OK;
    record_close(&before);
}
