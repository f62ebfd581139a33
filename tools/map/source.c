/* SPDX-License-Identifier: Apache-2.0
 * source.c - finds the -i that name many files, and their files. */
#include "map/source.h"

#include "files/text_value.h"

const char *source_file_of(const char *text, char **name)
{
    const char *first = strchr(text, '='), *rest = text;
    while (rest && !list_leads_to_files(rest)) {
        const char *equals = strchr(rest, '=');
        rest = equals ? equals + 1 : NULL;
    }
    rest = rest ? rest : first ? first + 1 : text;
    *name = rest == text ? NULL : tool_format("%.*s", (int)(rest - text - 1), text);
    return rest;
}

void sources_take(sources *s, args_list *all, oc_error *e)
{
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        char *name;
        const char *text = all->item[i], *rest = source_file_of(text, &name);
        if (list_is_many(rest)) {
            s->item = tool_push(s->item, (size_t)s->n, sizeof *s->item);
            s->item[s->n++] = (source){rest, name};
            continue;
        }
        all->item[n++] = text;
        free(name);
        if (!io_exists(rest) && !text_value_is_typed(rest)) /* it may be the folder looked for */
            tool_fail(e, OC_IO, "-i %s: there is no such folder or file", text);
    }
    all->n = n;
    if (s->n == 0)
        tool_fail(e, OC_ARGUMENT,
                  "-i: expected one that names many files: a folder, a pattern, a .txt file with "
                  "paths, or -");
}

void sources_read(const sources *s, file_list *to, const args_list *results, oc_error *e)
{
    *to = (file_list){0};
    if (e->code == OC_OK)
        list_read(to, s->item[0].text, results, e);
    for (int i = 1; i < s->n && e->code == OC_OK; i++) {
        file_list other;
        list_find(&other, s->item[i].text, results, e);
        list_pair(to, s->item[0].text, &other, s->item[i].text, e);
    }
}

void sources_leave_open(const sources *s, inputs *in, const input_args *a, oc_error *e)
{
    const char **name = tool_alloc((size_t)s->n, sizeof *name);
    for (int i = 0; i < s->n; i++)
        name[i] = s->item[i].name;
    inputs_leave_all_open(in, name, s->n, a, e);
    free(name);
}

void sources_free(sources *s)
{
    for (int i = 0; i < s->n; i++)
        free(s->item[i].name);
    free(s->item);
    *s = (sources){0};
}
