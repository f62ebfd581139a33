/* SPDX-License-Identifier: Apache-2.0
 * lines.c - joins fields to lines, takes them apart, and appends lines to files. */
#define _XOPEN_SOURCE 700
#include "map/lines.h"

#include "base/int.h"
#include "base/utf8.h"
#include "common/system.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { ESCAPED = 4 }; /* most bytes that one byte becomes, "\\x1b" */
static const char special[] = "\t\n\r\\", letters[] = "tnr\\";

/* Writes the text at *at, and escapes what would end a field or a line, or cannot be shown. */
static char *put_field(char *at, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t left = strlen(text), n; left; s += n, left -= n) {
        const char *found = strchr(special, *s);
        n = found ? 0 : oc_utf8_shown(s, left);
        if (n)
            memcpy(at, s, n);
        else if (found)
            snprintf(at, ESCAPED + 1, "\\%c", letters[found - special]);
        else
            snprintf(at, ESCAPED + 1, "\\x%02x", *s);
        at += n ? n : found ? 2 : ESCAPED;
        n = n ? n : 1;
    }
    return at;
}

char *lines_join(const char *const *field, int n)
{
    size_t size = 2;
    for (int i = 0; i < n; i++)
        size += ESCAPED * strlen(field[i]) + 1;
    char *line = tool_alloc(size, 1), *at = line;
    for (int i = 0; i < n; i++) {
        at = put_field(at, field[i]);
        *at++ = i + 1 < n ? '\t' : '\n';
    }
    *at = 0;
    return line;
}

size_t lines_field_size(const char *text, size_t size)
{
    const char *found = memchr(text, '\t', size);
    return found ? (size_t)(found - text) : size;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *lines_field(const char *text, size_t size)
{
    char *field = tool_alloc(size + 1, 1), *at = field;
    for (size_t i = 0; i < size; i++) {
        const char *found =
            text[i] == '\\' && i + 1 < size ? memchr(letters, text[i + 1], 4) : NULL;
        const bool is_code = text[i] == '\\' && i + 3 < size && text[i + 1] == 'x' &&
                             digit(text[i + 2]) >= 0 && digit(text[i + 3]) >= 0;
        *at++ = found     ? special[found - letters]
                : is_code ? (char)(16 * digit(text[i + 2]) + digit(text[i + 3]))
                          : text[i];
        i += found ? 1 : is_code ? 3 : 0;
    }
    return field;
}

int lines_open(const char *path, oc_error *e)
{
    if (e->code != OC_OK)
        return -1;
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | SYSTEM_OPEN, 0666);
    if (file < 0)
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
    return file;
}

void lines_append(int file, const char *path, const char *line, oc_error *e)
{
    size_t size = strlen(line);
    while (size && e->code == OC_OK) {
        const ssize_t n = write(file, line, (unsigned)oc_min(size, (size_t)1 << 30));
        if (n < 0 && errno != EINTR)
            tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
        line += oc_max(n, 0);
        size -= n > 0 ? (size_t)n : 0;
    }
}
