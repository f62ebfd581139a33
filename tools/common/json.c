/* SPDX-License-Identifier: Apache-2.0
 * json.c - writes JSON documents. */
#include "common/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_writer json_begin(FILE *out)
{
    return (json_writer){.out = out};
}

void json_end(json_writer *j)
{
    assert(j->depth == 0);
    fputc('\n', j->out);
}

/* ---- text ---- */

static void put_text(FILE *out, const char *text, size_t size)
{
    fputc('"', out);
    for (size_t i = 0; i < size;) {
        const unsigned char *s = (const unsigned char *)text + i;
        const size_t n = oc_utf8_size(s, size - i);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (oc_utf8_shown(s, size - i) == 0)
            /* the last byte is the number, also of a character of two bytes */
            fprintf(out, "\\u%04x", s[n - 1]);
        else
            fwrite(s, 1, n, out);
        i += n ? n : 1;
    }
    fputc('"', out);
}

/* ---- structure ---- */

static void new_line(json_writer *j)
{
    if (!j->flat)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
}

/* Writes the comma, the line end and the key before an entry. */
static void lead(json_writer *j, const char *key)
{
    if (j->depth == 0)
        return;
    if (j->used[j->depth - 1])
        fputc(',', j->out);
    if (j->flat && j->used[j->depth - 1])
        fputc(' ', j->out);
    j->used[j->depth - 1] = true;
    new_line(j);
    if (key) {
        put_text(j->out, key, strlen(key));
        fputs(": ", j->out);
    }
}

static void open_level(json_writer *j, const char *key, char open, char close)
{
    assert(j->depth < JSON_DEPTH);
    lead(j, key);
    fputc(open, j->out);
    j->close[j->depth] = close;
    j->used[j->depth++] = false;
}

void json_object(json_writer *j, const char *key)
{
    open_level(j, key, '{', '}');
}

void json_array(json_writer *j, const char *key)
{
    open_level(j, key, '[', ']');
}

void json_close(json_writer *j)
{
    assert(j->depth > 0);
    j->depth--;
    if (j->used[j->depth])
        new_line(j);
    fputc(j->close[j->depth], j->out);
}

/* ---- entries ---- */

void json_bytes(json_writer *j, const char *key, const char *text, size_t size)
{
    lead(j, key);
    put_text(j->out, text, size);
}

void json_text(json_writer *j, const char *key, const char *text)
{
    lead(j, key);
    if (text)
        put_text(j->out, text, strlen(text));
    else
        fputs("null", j->out);
}

void json_int(json_writer *j, const char *key, int64_t n)
{
    lead(j, key);
    fprintf(j->out, "%" PRId64, n);
}

void json_unsigned(json_writer *j, const char *key, uint64_t n)
{
    lead(j, key);
    fprintf(j->out, "%" PRIu64, n);
}

void json_number(json_writer *j, const char *key, double x)
{
    lead(j, key);
    if (isnan(x))
        fputs("\"nan\"", j->out);
    else if (isinf(x))
        fputs(x < 0 ? "\"-inf\"" : "\"inf\"", j->out);
    else
        fprintf(j->out, "%.17g", x);
}

void json_bool(json_writer *j, const char *key, bool yes)
{
    lead(j, key);
    fputs(yes ? "true" : "false", j->out);
}

base64 json_base64(json_writer *j, const char *key)
{
    lead(j, key);
    fputc('"', j->out);
    return (base64){.out = j->out};
}

void json_base64_end(json_writer *j, base64 *b)
{
    base64_end(b);
    fputc('"', j->out);
}
