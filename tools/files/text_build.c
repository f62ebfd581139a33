/* SPDX-License-Identifier: Apache-2.0
 * text_build.c - appends formatted text, JSON strings and numbers to a text in memory. */
#include "files/text_build.h"

#include "base/utf8.h"
#include "common/data.h"

#include <math.h>

/* Returns where the next `size` bytes belong, which count as appended; NULL without memory. */
static unsigned char *append(text_build *t, size_t size)
{
    io_bytes *b = &t->bytes;
    if (!t->failed && size > b->room - b->size) {
        const size_t room = 2 * (b->size + size) + 256;
        unsigned char *data = size < SIZE_MAX / 4 ? data_resize(b->data, room) : NULL;
        t->failed = !data;
        b->data = data ? data : b->data;
        b->room = data ? room : b->room;
    }
    if (t->failed)
        return NULL;
    b->size += size;
    return b->data + b->size - size;
}

void text_bytes(text_build *t, const void *bytes, size_t size)
{
    unsigned char *to = size ? append(t, size) : NULL;
    if (to)
        memcpy(to, bytes, size);
}

void text_put_args(text_build *t, const char *format, va_list args)
{
    char text[1024];
    va_list again;
    va_copy(again, args);
    const int size = vsnprintf(text, sizeof text, format, args);
    if (size >= 0 && (size_t)size < sizeof text) {
        text_bytes(t, text, (size_t)size);
    } else if (size >= 0) {
        char *longer = tool_alloc((size_t)size + 1, 1);
        vsnprintf(longer, (size_t)size + 1, format, again);
        text_bytes(t, longer, (size_t)size);
        free(longer);
    }
    va_end(again);
}

void text_put(text_build *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_put_args(t, format, args);
    va_end(args);
}

void text_json(text_build *t, const char *text)
{
    const size_t size = strlen(text);
    text_bytes(t, "\"", 1);
    for (size_t i = 0; i < size;) {
        const unsigned char *s = (const unsigned char *)text + i;
        const size_t n = oc_utf8_size(s, size - i);
        if (n == 0)
            text_bytes(t, "\xef\xbf\xbd", 3);
        else if (*s == '"' || *s == '\\')
            text_put(t, "\\%c", *s);
        else if (oc_utf8_shown(s, size - i) == 0)
            text_put(t, "\\u%04x", s[n - 1]); /* the last byte is the number, also of two bytes */
        else
            text_bytes(t, s, n);
        i += n ? n : 1;
    }
    text_bytes(t, "\"", 1);
}

/* Nine digits tell any two floats apart. Six or fewer that read back are what %.6g writes. */
void text_float(text_build *t, float x)
{
    char text[32];
    if (isnan(x)) {
        text_put(t, "nan");
        return;
    }
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (digits == 9 || strtof(text, NULL) == x)
            break;
    }
    text_put(t, "%s", text);
}

const char *text_string(text_build *t)
{
    if (!append(t, 1))
        return "";
    t->bytes.data[--t->bytes.size] = 0;
    return (const char *)t->bytes.data;
}

void text_free(text_build *t)
{
    io_bytes_free(&t->bytes);
    *t = (text_build){0};
}
