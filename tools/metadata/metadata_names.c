/* SPDX-License-Identifier: Apache-2.0
 * metadata_names.c - names of classes, from lists of exporters and from a file. */
#include "metadata/metadata.h"

#include "common/limits.h"

#include <errno.h>

void metadata_free_names(metadata_names *names)
{
    for (int i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    *names = (metadata_names){0};
}

/* Returns the number that a key is, as in "17"; -1 when it is none below LIMIT_NAMES. */
static int number_of_key(const char *key, const char *where, oc_error *e)
{
    char *end;
    errno = 0;
    const long n = strtol(key, &end, 10);
    if (end == key || *end || n < 0)
        return -1;
    if (errno || n >= LIMIT_NAMES) {
        tool_fail(e, OC_LIMIT, "%s: class %.40s, at most %d are read", where, key, LIMIT_NAMES - 1);
        return -1;
    }
    return (int)n;
}

/* Sets name i; the value is a text, or a number as YAML makes of names that look like one. */
static bool set_name(metadata_names *names, int i, const json_value *v)
{
    const char *text = json_text_of(v);
    if (!text && v->kind != JSON_NUMBER)
        return false;
    if (i >= names->n) {
        names->name = tool_grow(names->name, (size_t)i + 1, sizeof *names->name);
        for (; names->n <= i; names->n++)
            names->name[names->n] = NULL;
    }
    free(names->name[i]);
    names->name[i] = text ? tool_format("%s", text) : tool_format("%.17g", v->number);
    return true;
}

bool metadata_take_names(metadata_names *names, const json_value *v, const char *where, oc_error *e)
{
    bool good = v && (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT) && v->n;
    const json_value *item = good ? v->first : NULL;
    for (int i = 0; item && good; i++, item = item->next) {
        const int at = item->key ? number_of_key(item->key, where, e) : i;
        if (i >= LIMIT_NAMES)
            tool_fail(e, OC_LIMIT, "%s: more than %d names", where, LIMIT_NAMES);
        good = e->code == OC_OK && at >= 0 && set_name(names, at, item);
    }
    if (!good)
        metadata_free_names(names);
    return good;
}

void metadata_add_name(metadata_names *names, const char *text, size_t size)
{
    names->name = tool_push(names->name, (size_t)names->n, sizeof *names->name);
    names->name[names->n++] = tool_format("%.*s", (int)size, text);
}

const char *metadata_name(const metadata *m, int64_t label)
{
    return label >= 0 && label < m->names.n ? m->names.name[label] : NULL;
}

/* ---- names that replace others ---- */

void metadata_replace_names(metadata *m, char *from)
{
    metadata_free_names(&m->names);
    free(m->from[METADATA_NAMES]);
    m->from[METADATA_NAMES] = from;
}

/* Appends the words that have '|' between them. */
static void add_words(metadata_names *names, const char *words)
{
    for (const char *name = words, *end; *name; name = end + (*end != 0)) {
        end = name + strcspn(name, "|");
        metadata_add_name(names, name, (size_t)(end - name));
    }
}

void metadata_use_labels(metadata *m, const labels *l)
{
    metadata_replace_names(m, tool_format("%s", l->path));
    for (int i = 0; i < labels_n_named(l); i++) {
        size_t size;
        const char *line = labels_line(l, i, &size);
        metadata_add_name(&m->names, line, size);
    }
}

void metadata_use_names(metadata *m, const char *const *name, int n)
{
    metadata_replace_names(m, tool_format("the list of names"));
    for (int i = 0; i < n; i++)
        metadata_add_name(&m->names, name[i], strlen(name[i]));
}

void metadata_use_words(metadata *m, const char *words)
{
    if (!m->from[METADATA_NAMES] && !m->names.n)
        add_words(&m->names, words);
}
