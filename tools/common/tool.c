/* SPDX-License-Identifier: Apache-2.0
 * tool.c - exit codes, messages, errors, memory. */
#include "common/tool.h"

#include "common/json.h"
#include "common/system.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>

int tool_exit_code(oc_status code)
{
    switch (code) {
    case OC_OK:
        return TOOL_OK;
    case OC_ARGUMENT:
        return TOOL_USAGE;
    case OC_UNSUPPORTED:
        return TOOL_UNSUPPORTED;
    case OC_LIMIT:
    case OC_NOMEM:
    case OC_DEADLINE:
        return TOOL_LIMIT;
    case OC_CANCELLED:
        return TOOL_INTERRUPTED;
    default:
        return TOOL_INVALID;
    }
}

bool tool_ends_all(oc_status code)
{
    const int exit_code = tool_exit_code(code);
    return exit_code == TOOL_LIMIT || exit_code == TOOL_INTERRUPTED;
}

static void show(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t size = strlen(text);
    for (size_t n; size; s += n, size -= n) {
        n = 0;
        for (size_t more; n < size && (more = oc_utf8_shown(s + n, size - n)) > 0;)
            n += more;
        fwrite(s, 1, n, out);
        if (n == 0) {
            fprintf(out, "\\x%02x", s[0]);
            n = 1;
        }
    }
}

/* Prints the formatted text; cuts off a long text when there is no memory for it. */
static void show_formatted(FILE *out, const char *format, va_list args)
{
    char shorter[1100], *longer = NULL;
    va_list again;
    va_copy(again, args);
    const int size = vsnprintf(shorter, sizeof shorter, format, args);
    if (size >= (int)sizeof shorter && (longer = malloc((size_t)size + 1)) != NULL)
        vsnprintf(longer, (size_t)size + 1, format, again);
    va_end(again);
    show(out, longer ? longer : shorter);
    free(longer);
}

void tool_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    show_formatted(stdout, format, args);
    va_end(args);
}

void tool_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    show_formatted(stdout, format, args);
    va_end(args);
    putchar('\n');
}

void tool_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    system_lock_stream(stderr); /* keeps lines of several threads whole */
    fputs("ocellus: ", stderr);
    show_formatted(stderr, format, args);
    fputc('\n', stderr);
    system_unlock_stream(stderr);
    va_end(args);
}

oc_status tool_fail(oc_error *e, oc_status code, const char *format, ...)
{
    if (e->code != OC_OK)
        return e->code;
    va_list args;
    va_start(args, format);
    e->code = code;
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return code;
}

void *tool_require(void *block)
{
    if (block)
        return block;
    tool_say("out of memory");
    exit(TOOL_LIMIT);
}

void *tool_alloc(size_t n, size_t size)
{
    return tool_require(calloc(n ? n : 1, size ? size : 1));
}

void *tool_grow(void *block, size_t n, size_t size)
{
    size_t room = 1;
    while (room < n && room <= SIZE_MAX / 2)
        room *= 2;
    return tool_require(size && room > SIZE_MAX / size ? NULL
                                                       : realloc(block, size ? room * size : 1));
}

void *tool_push(void *block, size_t n, size_t size)
{
    return n & (n - 1) ? block : tool_grow(block, n + 1, size);
}

char *tool_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0) /* the C library refuses a conversion */
        return tool_require(NULL);
    char *text = tool_alloc((size_t)size + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    return text;
}

int tool_report(const oc_error *e, bool json)
{
    tool_say("%s", e->text);
    if (json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        json_object(&j, "error");
        json_text(&j, "code", oc_status_name(e->code));
        json_text(&j, "text", e->text);
        json_close(&j);
        json_close(&j);
        json_end(&j);
    }
    return tool_exit_code(e->code);
}

int tool_finish(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return code;
    if (errno != EPIPE) /* a reader that has closed the pipe has read enough */
        tool_say("standard output: %s", errno ? strerror(errno) : "a write failed");
    return TOOL_INVALID;
}
