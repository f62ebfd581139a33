/* SPDX-License-Identifier: Apache-2.0
 * record.c - reads and writes the record of a job, which has a line for each file. */
#define _XOPEN_SOURCE 700
#include "map/record.h"

#include "base/int.h"
#include "map/lines.h"

#include <errno.h>
#include <unistd.h>

/* any_title is the beginning in all versions */
static const char title[] = "ocellus map 2: ", any_title[] = "ocellus map ", done_mark[] = "done";

/* Returns the number of bytes before the first c, or size. */
static size_t size_before(char c, const char *text, size_t size)
{
    const char *found = memchr(text, c, size);
    return found ? (size_t)(found - text) : size;
}

/* ---- an earlier record ---- */

/* A record as it was found. */
typedef struct earlier {
    io_bytes bytes;
    size_t head; /* bytes of the first line */
    int n;       /* number of files */
    bool is_cut_off;
} earlier;

/* Reads one line, without its end: path, name, and the mark that it is complete. */
static bool take_line(record *r, const char *line, size_t size)
{
    const size_t path = lines_field_size(line, size), mark = sizeof done_mark - 1;
    if (path == size)
        return false;
    const char *second = line + path + 1;
    const size_t left = size - path - 1, name = lines_field_size(second, left);
    if (name == left || left - name - 1 != mark || memcmp(second + name + 1, done_mark, mark) != 0)
        return false;
    r->before = tool_push(r->before, (size_t)r->n_before, sizeof *r->before);
    r->before[r->n_before] = (record_file){lines_field(line, path), lines_field(second, name)};
    text_index_add(&r->paths, r->before[r->n_before].path, r->n_before);
    r->n_before++;
    return true;
}

/* Reads a record; with_files: also its lines. */
static earlier read_earlier(record *r, const char *path, bool with_files, oc_error *e)
{
    earlier b = {0};
    io_read(path, (size_t)1 << 31, &b.bytes, e);
    const char *line = (const char *)b.bytes.data;
    const size_t size = b.bytes.size;
    b.head = size ? size_before('\n', line, size) : 0;
    for (size_t at = b.head + 1, n; with_files && at < size; at += n + 1) {
        n = size_before('\n', line + at, size - at);
        b.is_cut_off = at + n == size;
        b.n += !b.is_cut_off && take_line(r, line + at, n);
    }
    return b;
}

/* Reads the first line: the title, and then what the results depend on. */
static settings take_head(const char *line, size_t size)
{
    settings before = {0};
    for (size_t at = lines_field_size(line, size); at < size;) {
        const size_t n = lines_field_size(line + at + 1, size - at - 1);
        settings_add(&before, lines_field(line + at + 1, n));
        at += n + 1;
    }
    return before;
}

/* Is the first line that of another version, whose other lines cannot be read? */
static bool is_foreign(const earlier *b)
{
    const size_t size = sizeof title - 1;
    return b->head < size || memcmp(b->bytes.data, title, size) != 0;
}

/* Does it begin as a record of any version, or with as much of that as a crash left? */
static bool is_record(const earlier *b)
{
    const size_t size = sizeof any_title - 1, n = oc_min(b->bytes.size, size);
    return n == 0 || memcmp(b->bytes.data, any_title, n) == 0;
}

static void compare_heads(const earlier *b, const char *path, const settings *now, oc_error *e)
{
    const char *line = (const char *)b->bytes.data;
    settings before = take_head(line, b->head);
    char *difference = settings_difference(&before, now);
    if (is_foreign(b))
        tool_fail(e, OC_ARGUMENT,
                  "%s is a record of another version of map; --again runs all files again", path);
    else if (difference)
        tool_fail(e, OC_ARGUMENT,
                  "%s is the record of another job: %.600s; --again runs all files again, another "
                  "-o keeps both",
                  path, difference);
    free(difference);
    settings_free(&before);
}

/* Is the record that of another part of the same division, which may be at work now? */
static bool is_other_part(const char *name, const char *part)
{
    const char *of = strstr(part, "-of-");
    char *end = tool_format("%s.tsv", of ? of : "-of-");
    const bool is = of && io_ends_with(name, end);
    free(end);
    return is;
}

bool record_is_name(const char *kind, const char *name)
{
    const size_t n = strlen(kind);
    int k, of, size = 0;
    if (strncmp(name, kind, n) != 0)
        return false;
    if (strcmp(name + n, ".tsv") == 0)
        return true;
    return sscanf(name + n, ".%6d-of-%6d.tsv%n", &k, &of, &size) == 2 && size &&
           !name[n + (size_t)size];
}

/* Reads the record at path and decides what to do with it. is_own: it is this part's; is_other:
 * it is that of another part of the division. */
static void read_record(record *r, const char *path, bool is_own, bool is_other,
                        const settings *now, record_use use, oc_error *e)
{
    earlier b = read_earlier(r, path, use != RECORD_REPLACE, e);
    if (e->code == OC_IO && !io_exists(path)) /* --again of another part has removed it */
        *e = (oc_error){0};
    if (is_own) {
        r->resume = b.n > 0;
        r->is_cut_off = b.is_cut_off;
    }
    const bool has_files = b.n || (b.bytes.size > b.head + 1 && is_foreign(&b));
    if (e->code == OC_OK && !is_record(&b))
        tool_fail(e, OC_ARGUMENT, "%s is no record of map; expected another -o", path);
    else if (b.n && use == RECORD_REFUSE && !is_other)
        tool_fail(e, OC_ARGUMENT,
                  "%s records %d file%s of an earlier job: --resume goes on with it, --again "
                  "runs all files again, another -o keeps both",
                  path, b.n, b.n == 1 ? "" : "s");
    else if (has_files && use != RECORD_REPLACE)
        compare_heads(&b, path, now, e);
    io_bytes_free(&b.bytes);
}

/* Reads all records of the folder, and decides what to do with each. */
static void read_records(record *r, const char *folder, const char *part, const settings *now,
                         record_use use, oc_error *e)
{
    char *own = tool_format("done%s.tsv", part), *own_rows = tool_format("rows%s.tsv", part);
    io_names all = io_list_dir(folder, e);
    for (int i = 0; i < all.n && e->code == OC_OK; i++) {
        const char *name = all.name[i];
        const bool is_own = strcmp(name, own) == 0 || strcmp(name, own_rows) == 0;
        const bool is_other = !is_own && is_other_part(name, part);
        const bool is_done = record_is_name("done", name);
        if (!is_done && !record_is_name("errors", name) && !record_is_name("rows", name))
            continue;
        char *path = tool_format("%s/%s", folder, name);
        if (is_done)
            read_record(r, path, is_own, is_other, now, use, e);
        if (use == RECORD_REPLACE && !is_own && !is_other) {
            r->stale = tool_push(r->stale, (size_t)r->n_stale, sizeof *r->stale);
            r->stale[r->n_stale++] = path;
        } else {
            free(path);
        }
    }
    io_names_free(&all);
    free(own);
    free(own_rows);
}

/* ---- all ---- */

void record_open(record *r, const char *folder, const char *part, const char *model,
                 const settings *now, record_use use, oc_error *e)
{
    *r = (record){.done_file = -1, .errors_file = -1};
    if (e->code != OC_OK)
        return;
    r->done = tool_format("%s/done%s.tsv", folder, part);
    r->errors = tool_format("%s/errors%s.tsv", folder, part);
    const char **field = tool_alloc((size_t)now->n + 1, sizeof *field);
    char *first = tool_format("%s%s", title, model);
    field[0] = first;
    for (int i = 0; i < now->n; i++)
        field[i + 1] = now->item[i];
    r->head = lines_join(field, now->n + 1);
    free(first);
    free(field);
    read_records(r, folder, part, now, use, e);
}

static void remove_record(const char *path, oc_error *e)
{
    if (e->code == OC_OK && unlink(path) != 0 && errno != ENOENT)
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
}

/* Replaces an earlier record by one that has only its first line. */
static void replace_record(const record *r, oc_error *e)
{
    io_file f;
    io_create(&f, r->done, e);
    io_put(&f, r->head, strlen(r->head));
    io_commit(&f, e);
}

void record_begin(record *r, oc_error *e)
{
    for (int i = 0; i < r->n_stale; i++)
        remove_record(r->stale[i], e);
    if (!r->resume)
        replace_record(r, e);
    r->done_file = lines_open(r->done, e);
    if (r->resume && r->is_cut_off)
        lines_append(r->done_file, r->done, "\n", e);
    remove_record(r->errors, e);
}

bool record_has(const record *r, const char *path)
{
    return text_index_find(&r->paths, path) >= 0;
}

void record_done(record *r, const char *path, const char *name, oc_error *e)
{
    char *line = lines_join((const char *const[]){path, name, done_mark}, 3);
    lines_append(r->done_file, r->done, line, e);
    free(line);
}

static void add_error(record *r, const char *path, const char *code, const char *text, oc_error *e)
{
    char *line = lines_join((const char *const[]){path, code, text}, 3);
    if (r->errors_file < 0)
        r->errors_file = lines_open(r->errors, e);
    lines_append(r->errors_file, r->errors, line, e);
    free(line);
}

void record_error(record *r, const char *path, oc_status code, const char *text, oc_error *e)
{
    add_error(r, path, oc_status_name(code), text, e);
}

void record_left_out(record *r, const char *path, const char *text, oc_error *e)
{
    add_error(r, path, "left out", text, e);
}

void record_close(record *r)
{
    if (r->done_file >= 0)
        close(r->done_file);
    if (r->errors_file >= 0)
        close(r->errors_file);
    for (int i = 0; i < r->n_before; i++) {
        free(r->before[i].path);
        free(r->before[i].name);
    }
    for (int i = 0; i < r->n_stale; i++)
        free(r->stale[i]);
    free(r->stale);
    free(r->before);
    text_index_free(&r->paths);
    free(r->head);
    free(r->done);
    free(r->errors);
    *r = (record){.done_file = -1, .errors_file = -1};
}
