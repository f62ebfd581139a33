/* SPDX-License-Identifier: Apache-2.0
 * labels.c - reads a text file whose lines name classes. */
#include "values/labels.h"

#include "base/utf8.h"

#include <limits.h>

static void check_text(const labels *l, oc_error *e)
{
    const unsigned char *text = l->text.data;
    size_t line = 1, n;
    for (size_t at = 0; at < l->text.size && e->code == OC_OK; at += n) {
        n = oc_utf8_size(text + at, l->text.size - at);
        line += text[at] == '\n';
        if (n == 0 || text[at] == 0)
            tool_fail(e, OC_FORMAT, "%s: line %zu, byte %zu is %s, expected a text in UTF-8",
                      l->path, line, at, n ? "zero" : "no UTF-8");
    }
}

void labels_read(labels *l, const char *path, size_t cap, oc_error *e)
{
    l->path = path;
    io_read(path, cap, &l->text, e);
    if (e->code == OC_OK)
        check_text(l, e);
    const char *text = (const char *)l->text.data;
    l->begin = l->text.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t at = l->begin; e->code == OC_OK && at < l->text.size;) {
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

int labels_n_named(const labels *l)
{
    size_t size = 0;
    int n = l->n;
    while (n && (labels_line(l, n - 1, &size), size == 0))
        n--;
    return n;
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
    const size_t begin = i ? l->end[i - 1] + 1 : l->begin;
    size_t end = l->end[i];
    if (end > begin && text[end - 1] == '\r')
        end--;
    *size = end - begin;
    return text + begin;
}
