/* SPDX-License-Identifier: Apache-2.0
 * table.c - puts the rows of photographs, which many threads make, into their order and into a
 * file. */
#define _XOPEN_SOURCE 700
#include "answer/table.h"

#include "base/system.h"
#include "common/data.h"
#include "map/lines.h"
#include "answer/table_coco.h"
#include "answer/table_kept.h"

/* The rows of a photograph, which wait for those before them. here: they have come; there may be
 * none. */
typedef struct waiting {
    rows rows;
    bool here;
} waiting;

struct table {
    table_options options;
    io_file out;
    kept_file kept;
    oc_lock lock; /* over all that follows, and over `out` and appending to `kept` */
    int64_t next; /* index of waiting[0] */
    waiting *waiting;
    int64_t n;
    bool begun;       /* rows have been written */
    text_build early; /* TABLE_TEXT: rows that wait for the first head */
    char *head;       /* of the first rows that had one; NULL: none had */
    coco coco;
};

static const char *const format_names[] = {"", "text", "csv", "tsv", "jsonl", "coco"};

/* ---- opening ---- */

static table_format format_of(const char *path, oc_error *e)
{
    static const struct {
        const char *ending;
        table_format format;
    } known[] = {{".csv", TABLE_CSV},
                 {".tsv", TABLE_TSV},
                 {".jsonl", TABLE_JSONL},
                 {".ndjson", TABLE_JSONL},
                 {".json", TABLE_COCO}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (io_ends_with(path, known[i].ending))
            return known[i].format;
    tool_fail(e, OC_ARGUMENT, "table %s: expected an ending .csv, .tsv, .jsonl or .json (COCO's)",
              path);
    return TABLE_BY_PATH;
}

table *table_open(const char *path, const table_options *o, oc_error *e)
{
    const table_format format = o->format ? o->format : format_of(path, e);
    if (e->code != OC_OK)
        return NULL;
    table *t = tool_alloc(1, sizeof *t);
    t->options = *o;
    t->options.format = format;
    t->kept.file = -1;
    oc_lock_init(&t->lock, false);
    if (o->rows)
        kept_open(&t->kept, o->rows, format_names[format], o->resume, e);
    io_create(&t->out, path, e);
    t->out.outlives = o->stream;
    if (format == TABLE_COCO)
        coco_begin(&t->coco, &t->out);
    if (e->code == OC_OK)
        return t;
    table_close(t, e);
    return NULL;
}

bool table_has(const table *t, const char *file)
{
    return kept_find(&t->kept, file) != NULL;
}

/* ---- order ---- */

static void free_rows(rows *r)
{
    text_free(&r->head);
    text_free(&r->text);
}

/* Writes the head above the first rows; the heads of all rows are equal, because one decoder makes
 * all answers. */
static void write_head(table *t, const rows *r, oc_error *e)
{
    const char *head = (const char *)r->head.bytes.data;
    const size_t size = r->head.bytes.size;
    if (!size || t->options.format == TABLE_COCO)
        return;
    if (!t->head) {
        t->head = tool_format("%.*s", (int)size, head);
        io_put(&t->out, head, size);
        io_put(&t->out, t->early.bytes.data, t->early.bytes.size);
        text_free(&t->early);
    } else if (strlen(t->head) != size || memcmp(t->head, head, size) != 0) {
        tool_fail(e, OC_ARGUMENT, "table: rows of %.*s, expected those of %.*s as before",
                  (int)size - 1, head, (int)strlen(t->head) - 1, t->head);
    }
}

static void write_rows(table *t, const rows *r, int64_t index, oc_error *e)
{
    if (t->options.format == TABLE_COCO) {
        coco_put(&t->coco, r, index);
        return;
    }
    if (t->options.format == TABLE_TEXT && !t->head && !r->head.bytes.size) {
        text_bytes(&t->early, r->text.bytes.data, r->text.bytes.size);
        return;
    }
    write_head(t, r, e);
    if (t->options.between && t->begun)
        io_put(&t->out, t->options.between, strlen(t->options.between));
    t->begun = true;
    io_put(&t->out, r->text.bytes.data, r->text.bytes.size);
}

/* Writes the rows whose turn it is, or all, and lets who reads a pipe have them. */
static void write_waiting(table *t, bool all, oc_error *e)
{
    int64_t n = 0;
    while (n < t->n && (t->waiting[n].here || all)) {
        rows *r = &t->waiting[n].rows;
        if (e->code == OC_OK && r->text.bytes.size)
            write_rows(t, r, t->next + n, e);
        free_rows(r);
        n++;
    }
    memmove(t->waiting, t->waiting + n, (size_t)(t->n - n) * sizeof *t->waiting);
    t->next += n;
    t->n -= n;
    if (n && t->out.stream == stdout)
        io_flush(&t->out);
    if (t->out.failure && e->code == OC_OK)
        io_report(&t->out, e);
}

/* Makes room for the photograph at `at` behind the first one that waits. */
static void make_room(table *t, int64_t at)
{
    if (at < t->n)
        return;
    t->waiting = tool_grow(t->waiting, (size_t)at + 1, sizeof *t->waiting);
    memset(t->waiting + t->n, 0, (size_t)(at + 1 - t->n) * sizeof *t->waiting);
    t->n = at + 1;
}

/* Puts rows, which it takes, at their place; after an error it has none. line is what is kept;
 * NULL: nothing. */
static void put(table *t, int64_t index, rows *r, const char *line, oc_error *e)
{
    if (e->code != OC_OK)
        free_rows(r);
    oc_lock_take(&t->lock);
    if (line)
        kept_append(&t->kept, line, e);
    if (index >= t->next) {
        make_room(t, index - t->next);
        t->waiting[index - t->next] = (waiting){*r, true};
        *r = (rows){0};
        write_waiting(t, false, e);
    }
    oc_lock_release(&t->lock);
    free_rows(r);
}

/* ---- photographs ---- */

static void make_rows(const table *t, rows *r, const char *file, const answer *a, oc_error *e)
{
    const table_options *o = &t->options;
    if (o->format == TABLE_TEXT)
        rows_put_text(r, o, file, a, e);
    else if (o->format == TABLE_JSONL)
        rows_put_json(r, o, file, a, e);
    else if (o->format == TABLE_COCO)
        rows_put_coco(r, o, file, a, e);
    else
        rows_put_fields(r, o, o->format == TABLE_CSV ? ',' : '\t', file, a, e);
    if (r->text.failed || r->head.failed)
        data_fail(r->text.bytes.size, file, e);
}

void table_add(table *t, int64_t index, const char *file, const answer *a, oc_error *e)
{
    rows r = {0};
    char *line = NULL;
    if (e->code == OC_OK)
        make_rows(t, &r, file, a, e);
    if (t->kept.file >= 0 && e->code == OC_OK)
        line = kept_line(file, text_string(&r.head), text_string(&r.text));
    put(t, index, &r, line, e);
    free(line);
}

static void take_field(text_build *to, const char *field, size_t size)
{
    char *text = lines_field(field, size);
    text_bytes(to, text, strlen(text));
    free(text);
}

void table_keep(table *t, int64_t index, const char *file, oc_error *e)
{
    rows r = {0};
    const kept_rows *before = kept_find(&t->kept, file);
    if (before) {
        take_field(&r.head, before->head, before->head_size);
        take_field(&r.text, before->text, before->text_size);
    }
    if (r.text.failed || r.head.failed)
        data_fail(r.text.bytes.size, file, e);
    put(t, index, &r, NULL, e);
}

void table_skip(table *t, int64_t index, oc_error *e)
{
    rows r = {0};
    put(t, index, &r, NULL, e);
}

void table_miss(table *t, int64_t index, const char *file, oc_error *e)
{
    rows r = {0};
    if (t->options.format == TABLE_TEXT)
        rows_put_missing(&r, &t->options, file);
    put(t, index, &r, NULL, e);
}

/* ---- closing ---- */

/* A table without rows has the titles of labels. */
static void write_titles(table *t, oc_error *e)
{
    rows r = {0};
    const answer none = {0};
    const table_format format = t->options.format;
    if (!t->head && (format == TABLE_CSV || format == TABLE_TSV)) {
        make_rows(t, &r, "", &none, e);
        write_head(t, &r, e);
    }
    free_rows(&r);
}

void table_close(table *t, oc_error *e)
{
    if (!t)
        return;
    const oc_error end = *e;
    if (t->options.stream) {
        *e = (oc_error){0};
        write_waiting(t, true, e);
    }
    if (e->code == OC_OK && t->options.format == TABLE_COCO)
        coco_end(&t->coco, &t->options, e);
    if (e->code == OC_OK)
        write_titles(t, e);
    io_put(&t->out, t->early.bytes.data, t->early.bytes.size);
    io_commit(&t->out, e);
    if (end.code != OC_OK)
        *e = end;
    for (int64_t i = 0; i < t->n; i++)
        free_rows(&t->waiting[i].rows);
    text_free(&t->early);
    coco_free(&t->coco);
    kept_close(&t->kept);
    oc_lock_destroy(&t->lock);
    free(t->waiting);
    free(t->head);
    free(t);
}
