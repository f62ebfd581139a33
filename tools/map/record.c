/* SPDX-License-Identifier: Apache-2.0
 * record.c - the record of a job, a line for each file. */
#define _XOPEN_SOURCE 700
#include "map/record.h"

#include "common/system.h"
#include "files/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = "\tdone";

/* ---- lines ---- */

/* Appends the text to *b, with what would end a field or a line escaped. */
static char *put_field(char *at, const char *text)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            *at++ = '\\';
        *at++ = found ? letters[found - special] : *text;
    }
    return at;
}

/* A line of n fields. Free with free. */
static char *line_of(const char *const *field, int n)
{
    size_t size = 2;
    for (int i = 0; i < n; i++)
        size += 2 * strlen(field[i]) + 1;
    char *line = tool_alloc(size, 1), *at = line;
    for (int i = 0; i < n; i++) {
        at = put_field(at, field[i]);
        *at++ = i + 1 < n ? '\t' : '\n';
    }
    return line;
}

static void write_line(int file, const char *path, const char *line, oc_error *e)
{
    size_t size = strlen(line);
    while (size && e->code == OC_OK) {
        const ssize_t n = write(file, line, (unsigned)size);
        if (n < 0 && errno != EINTR)
            tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
        line += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static int open_file(const char *path, int how, oc_error *e)
{
    if (e->code != OC_OK)
        return -1;
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | SYSTEM_OPEN | how, 0666);
    if (file < 0)
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
    return file;
}

/* ---- an earlier record ---- */

/* Takes in one line, without its end: an escaped path, and the mark that it is whole. */
static void take_line(record *r, const char *line, size_t size)
{
    const size_t mark = sizeof ending - 1;
    if (size < mark || memcmp(line + size - mark, ending, mark) != 0)
        return;
    char *path = tool_format("%.*s", (int)(size - mark), line);
    r->n_before += text_index_find(&r->before, path) < 0;
    text_index_add(&r->before, path, 1);
    free(path);
}

/* Returns whether the earlier record ends with a whole line. */
static bool read_earlier(record *r, const char *job, oc_error *e)
{
    io_bytes b;
    bool whole = true;
    io_read(r->done, (size_t)1 << 31, &b, e);
    const char *head_end = b.size ? memchr(b.data, '\n', b.size) : NULL;
    const size_t first = head_end ? (size_t)(head_end - (const char *)b.data) : b.size;
    if (e->code == OC_OK && b.size && (first != strlen(job) || memcmp(b.data, job, first) != 0))
        tool_fail(e, OC_ARGUMENT,
                  "--resume: %s is of another job: '%.*s', expected '%s'; without --resume all "
                  "files are run again",
                  r->done, (int)(first < 200 ? first : 200), (const char *)b.data, job);
    for (size_t at = first + 1; at < b.size && e->code == OC_OK;) {
        const char *line = (const char *)b.data + at;
        const char *end = memchr(line, '\n', b.size - at);
        whole = end != NULL;
        if (end)
            take_line(r, line, (size_t)(end - line));
        at += end ? (size_t)(end - line) + 1 : b.size - at;
    }
    io_bytes_free(&b);
    return whole;
}

/* ---- all ---- */

void record_open(record *r, const char *folder, const char *part, const char *job, bool resume,
                 oc_error *e)
{
    *r = (record){.done_file = -1, .errors_file = -1};
    r->done = tool_format("%s/done%s.tsv", folder, part);
    r->errors = tool_format("%s/errors%s.tsv", folder, part);
    const bool again = resume && io_exists(r->done);
    const bool whole = !again || e->code != OC_OK || read_earlier(r, job, e);
    r->done_file = open_file(r->done, again ? 0 : O_TRUNC, e);
    if (!again && e->code == OC_OK) {
        char *head = tool_format("%s\n", job);
        write_line(r->done_file, r->done, head, e);
        free(head);
    }
    if (!whole)
        write_line(r->done_file, r->done, "\n", e);
    if (e->code == OC_OK && unlink(r->errors) != 0 && errno != ENOENT)
        tool_fail(e, OC_IO, "%s: %s", r->errors, strerror(errno));
}

bool record_has(const record *r, const char *path)
{
    if (!r->n_before)
        return false;
    char *escaped = line_of(&path, 1);
    escaped[strlen(escaped) - 1] = 0;
    const bool has = text_index_find(&r->before, escaped) >= 0;
    free(escaped);
    return has;
}

void record_done(record *r, const char *path, oc_error *e)
{
    char *line = line_of((const char *const[]){path, ending + 1}, 2);
    write_line(r->done_file, r->done, line, e);
    free(line);
}

void record_error(record *r, const char *path, oc_status code, const char *text, oc_error *e)
{
    char *line = line_of((const char *const[]){path, oc_status_name(code), text}, 3);
    if (r->errors_file < 0)
        r->errors_file = open_file(r->errors, 0, e);
    write_line(r->errors_file, r->errors, line, e);
    free(line);
}

void record_close(record *r)
{
    if (r->done_file >= 0)
        close(r->done_file);
    if (r->errors_file >= 0)
        close(r->errors_file);
    text_index_free(&r->before);
    free(r->done);
    free(r->errors);
    *r = (record){.done_file = -1, .errors_file = -1};
}
