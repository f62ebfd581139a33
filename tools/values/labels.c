/* SPDX-License-Identifier: Apache-2.0
 * labels.c - reads a text file whose lines name classes. */
#include "values/labels.h"

#include <limits.h>

void labels_read(labels *l, const char *path, size_t cap, oc_error *e)
{
    l->path = path;
    io_read(path, cap, &l->text, e);
    const char *text = (const char *)l->text.data;
    for (size_t at = 0; e->code == OC_OK && at < l->text.size;) {
        const char *line_end = memchr(text + at, '\n', l->text.size - at);
        const size_t end = line_end ? (size_t)(line_end - text) : l->text.size;
        if (l->n == INT_MAX) {
            tool_fail(e, OC_LIMIT, "%s: more than %d lines", path, INT_MAX);
            return;
        }
        l->end = tool_push(l->end, (size_t)l->n, sizeof *l->end);
        l->end[l->n++] = end;
        at = end + 1;
    }
}

void labels_free(labels *l)
{
    io_bytes_free(&l->text);
    free(l->end);
    *l = (labels){0};
}

const char *labels_line(const labels *l, int64_t i, size_t *size)
{
    const char *text = (const char *)l->text.data;
    const size_t begin = i ? l->end[i - 1] + 1 : 0;
    size_t end = l->end[i];
    if (end > begin && text[end - 1] == '\r')
        end--;
    *size = end - begin;
    return text + begin;
}
