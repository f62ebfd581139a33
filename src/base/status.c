/* SPDX-License-Identifier: Apache-2.0
 * status.c - names, texts and messages of errors. */
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} statuses[] = {
#define X(name, text) {#name, text},
    OC_STATUS_MAP(X)
#undef X
};

const char *oc_status_name(oc_status code)
{
    return (unsigned)code < OC_N_STATUS ? statuses[code].name : "?";
}

const char *oc_status_text(oc_status code)
{
    return (unsigned)code < OC_N_STATUS ? statuses[code].text : "unknown status";
}

oc_status oc_error_setv(oc_error *e, oc_status code, const char *format, va_list args)
{
    if (e->code != OC_OK)
        return e->code;
    e->code = code;
    vsnprintf(e->text, sizeof e->text, format, args);
    return code;
}

oc_status oc_error_set(oc_error *e, oc_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    code = oc_error_setv(e, code, format, args);
    va_end(args);
    return code;
}

oc_status oc_error_in(oc_error *e, const char *file)
{
    enum { MAX_FILE = 300 }; /* bytes */
    const oc_error found = *e;
    const size_t size = strlen(file);
    snprintf(e->text, sizeof e->text, "%s%.*s: %.700s", size > MAX_FILE ? "..." : "", MAX_FILE,
             size > MAX_FILE ? file + size - MAX_FILE : file, found.text);
    return e->code;
}

oc_status oc_error_nomem(oc_error *e, size_t size)
{
    return oc_error_set(e, OC_NOMEM, "out of memory: %zu bytes could not be allocated", size);
}
