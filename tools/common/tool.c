/* SPDX-License-Identifier: Apache-2.0
 * tool.c - exit codes, messages, errors, memory, signals. */
#define _POSIX_C_SOURCE 200809L
#include "common/tool.h"

#include "common/json.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    case OC_CANCELLED:
        return TOOL_LIMIT;
    default:
        return TOOL_INVALID;
    }
}

void tool_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("ocellus: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
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

static void *require(void *block)
{
    if (block)
        return block;
    tool_say("out of memory");
    exit(TOOL_LIMIT);
}

void *tool_alloc(size_t n, size_t size)
{
    return require(calloc(n ? n : 1, size ? size : 1));
}

void *tool_grow(void *block, size_t n, size_t size)
{
    return require(size && n > SIZE_MAX / size ? NULL : realloc(block, n && size ? n * size : 1));
}

char *tool_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0) /* a conversion that the C library refuses */
        return require(NULL);
    char *text = tool_alloc((size_t)size + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    return text;
}

void *tool_data_alloc(size_t size, const char *where, oc_error *e)
{
    if (e->code != OC_OK)
        return NULL;
    void *block = malloc(size ? size : 1);
    if (!block)
        tool_fail(e, OC_NOMEM, "%s: no memory for %zu bytes", where, size);
    return block;
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

static volatile sig_atomic_t cancelled;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    cancelled = 1;
}

void tool_catch_signals(void)
{
    struct sigaction catch = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&catch.sa_mask);
    sigaction(SIGINT, &catch, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
}

bool tool_is_cancelled(void *ctx)
{
    (void)ctx;
    return cancelled != 0;
}

int tool_finish(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return code;
    tool_say("standard output: %s", errno ? strerror(errno) : "a write failed");
    return TOOL_INVALID;
}
