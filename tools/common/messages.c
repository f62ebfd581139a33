/* SPDX-License-Identifier: Apache-2.0
 * messages.c - what the command prints, and what ends it; the library of predictors has neither
 * (interface/silent.c). */
#include "common/json.h"
#include "common/system.h"
#include "common/tool.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>

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

void *tool_require(void *block)
{
    if (block)
        return block;
    tool_say("out of memory");
    exit(TOOL_LIMIT);
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
