/* SPDX-License-Identifier: Apache-2.0
 * table_kept.c - keeps rows as lines of fields: the file's name, the head, the rows, and a mark
 * that the line is complete. */
#include "answer/table_kept.h"

#include "map/lines.h"
#include "map/record.h"

#include <limits.h>
#include <unistd.h>

enum { FIELDS = 4, LONGEST = 60 /* bytes that an error shows of a line */ };
static const char title[] = "ocellus rows 1: ", done_mark[] = "done";

/* Returns the first line of a file for the format. Free it with free. */
static char *head_of(const char *format)
{
    return tool_format("%s%s\n", title, format);
}

/* Takes one line, without its end. A later line for a file replaces an earlier one. */
static void take_line(kept_file *k, const char *line, size_t size)
{
    const char *field[FIELDS];
    size_t length[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        field[i] = line;
        length[i] = lines_field_size(line, size);
        if ((length[i] == size) != (i == FIELDS - 1))
            return;
        line += length[i] + 1;
        size -= length[i] + (i < FIELDS - 1);
    }
    if (length[3] != sizeof done_mark - 1 || memcmp(field[3], done_mark, length[3]) != 0)
        return;
    char *file = lines_field(field[0], length[0]);
    int at = text_index_find(&k->files, file);
    if (at < 0 && k->n < INT_MAX) {
        at = k->n++;
        k->rows = tool_push(k->rows, (size_t)at, sizeof *k->rows);
        text_index_add(&k->files, file, at);
    }
    if (at >= 0)
        k->rows[at] = (kept_rows){field[1], field[2], length[1], length[2]};
    free(file);
}

/* Reads an earlier file. is_own: it goes on, and has to be of the format; else one of another
 * format is passed over. Returns whether its last line has no end. */
static bool read_before(kept_file *k, const char *path, const char *head, bool is_own, oc_error *e)
{
    k->before = tool_push(k->before, k->n_before, sizeof *k->before);
    io_bytes *b = &k->before[k->n_before++];
    *b = (io_bytes){0};
    io_read(path, (size_t)1 << 31, b, e);
    const char *text = (const char *)b->data;
    const size_t size = b->size, n = strlen(head);
    const bool is_foreign = size < n || memcmp(text, head, n) != 0;
    const char *line_end = size ? memchr(text, '\n', size) : NULL;
    const size_t line = line_end ? (size_t)(line_end - text) : size;
    if (e->code == OC_OK && is_foreign && is_own)
        tool_fail(e, OC_ARGUMENT,
                  "%s begins with '%.*s', expected '%.*s' for this table; --again begins anew",
                  path, line < LONGEST ? (int)line : LONGEST, line ? text : "", (int)n - 1, head);
    if (e->code != OC_OK || is_foreign)
        return false;
    size_t at = n;
    for (const char *end; (end = memchr(text + at, '\n', size - at)) != NULL;) {
        take_line(k, text + at, (size_t)(end - text) - at);
        at = (size_t)(end - text) + 1;
    }
    return at < size;
}

/* Reads what other parts of the job, or the whole one, have kept beside this file. */
static void read_others(kept_file *k, const char *head, oc_error *e)
{
    char *folder = io_folder_of(k->path);
    const char *own = strrchr(k->path, '/');
    io_names all = io_list_dir(folder, e);
    for (int i = 0; i < all.n && e->code == OC_OK; i++) {
        if (!record_is_name("rows", all.name[i]) || (own && strcmp(own + 1, all.name[i]) == 0))
            continue;
        char *path = tool_format("%s/%s", folder, all.name[i]);
        read_before(k, path, head, false, e);
        if (e->code == OC_IO && !io_exists(path)) /* --again of another part has removed it */
            *e = (oc_error){0};
        free(path);
    }
    io_names_free(&all);
    free(folder);
}

/* Replaces an earlier file by one that has only its first line. */
static void begin_anew(const kept_file *k, const char *head, oc_error *e)
{
    io_file f;
    io_create(&f, k->path, e);
    io_put(&f, head, strlen(head));
    io_commit(&f, e);
}

void kept_open(kept_file *k, const char *path, const char *format, bool resume, oc_error *e)
{
    *k = (kept_file){.path = tool_format("%s", path), .file = -1};
    char *head = head_of(format);
    bool cut_off = false;
    if (resume && strchr(path, '/'))
        read_others(k, head, e);
    if (resume && io_exists(path))
        cut_off = read_before(k, path, head, true, e);
    else
        begin_anew(k, head, e);
    k->file = lines_open(path, e);
    if (cut_off)
        lines_append(k->file, path, "\n", e);
    free(head);
}

char *kept_line(const char *file, const char *head, const char *text)
{
    return lines_join((const char *const[]){file, head, text, done_mark}, FIELDS);
}

void kept_append(kept_file *k, const char *line, oc_error *e)
{
    lines_append(k->file, k->path, line, e);
}

const kept_rows *kept_find(const kept_file *k, const char *file)
{
    const int at = text_index_find(&k->files, file);
    return at < 0 ? NULL : &k->rows[at];
}

void kept_close(kept_file *k)
{
    if (k->file >= 0)
        close(k->file);
    for (size_t i = 0; i < k->n_before; i++)
        io_bytes_free(&k->before[i]);
    free(k->before);
    text_index_free(&k->files);
    free(k->rows);
    free(k->path);
    *k = (kept_file){.file = -1};
}
