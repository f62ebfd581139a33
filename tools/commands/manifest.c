/* SPDX-License-Identifier: Apache-2.0
 * manifest.c - reads a list of the expected results of tests, by patterns of their names. */
#include "commands/manifest.h"

#include "common/system.h"
#include "files/io.h"

static bool is_state(const char *word, size_t size, manifest_state *state)
{
    static const char *const names[] = {"pass", "skip", "fail"};
    for (int i = 0; i < 3; i++)
        if (size == 4 && memcmp(word, names[i], 4) == 0) {
            *state = (manifest_state)i;
            return true;
        }
    return false;
}

/* Appends the line text, which has no line end, unless it is empty. It writes into text. */
static void read_line(manifest *m, const char *path, int number, char *text, oc_error *e)
{
    static const char blank[] = " \t\r";
    text[strcspn(text, "#")] = 0;
    text += strspn(text, blank);
    const size_t glob = strcspn(text, blank);
    if (glob == 0)
        return;
    const char *word = text + glob + strspn(text + glob, blank);
    const size_t size = strcspn(word, blank);
    manifest_line line = {.number = number};
    if (!is_state(word, size, &line.state)) {
        tool_fail(e, OC_FORMAT, "%s:%d: '%.*s', expected a pattern and pass, skip or fail", path,
                  number, (int)size, word);
        return;
    }
    line.glob = tool_format("%.*s", (int)glob, text);
    line.note = tool_format("%s", word + size + strspn(word + size, blank));
    m->line = tool_push(m->line, (size_t)m->n, sizeof *m->line);
    m->line[m->n++] = line;
}

void manifest_read(manifest *m, const char *path, oc_error *e)
{
    io_bytes b;
    *m = (manifest){0};
    io_read(path, 1 << 24, &b, e);
    if (e->code != OC_OK)
        return;
    char *copy = tool_format("%.*s", (int)b.size, (const char *)b.data), *text = copy;
    for (int number = 1; text && e->code == OC_OK; number++) {
        char *end = strchr(text, '\n');
        if (end)
            *end = 0;
        read_line(m, path, number, text, e);
        text = end ? end + 1 : NULL;
    }
    free(copy);
    io_bytes_free(&b);
}

manifest_line *manifest_find(manifest *m, const char *name)
{
    for (int i = 0; i < m->n; i++)
        if (manifest_glob(m->line[i].glob, name)) {
            m->line[i].n_used++;
            return &m->line[i];
        }
    return NULL;
}

void manifest_free(manifest *m)
{
    for (int i = 0; i < m->n; i++) {
        free(m->line[i].glob);
        free(m->line[i].note);
    }
    free(m->line);
    *m = (manifest){0};
}

bool manifest_glob(const char *glob, const char *name)
{
    return system_fits(glob, name);
}
