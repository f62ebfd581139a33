/* SPDX-License-Identifier: Apache-2.0
 * tool.c - exit codes, errors, memory. */
#include "common/tool.h"

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
