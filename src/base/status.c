/* SPDX-License-Identifier: Apache-2.0
 * status.c - names, texts and messages of errors. */
#include "base/status.h"

#include "base/utf8.h"

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

static void OC_PRINTF(3, 0) show(char *text, size_t room, const char *format, va_list args)
{
    char plain[sizeof((oc_error *)0)->text];
    vsnprintf(plain, sizeof plain, format, args);
    const unsigned char *p = (const unsigned char *)plain;
    size_t at = 0;
    for (size_t left = strlen(plain), n; left; p += n, left -= n) {
        const size_t size = oc_utf8_shown(p, left), shown = size ? size : 4;
        n = size ? size : 1;
        if (shown >= room - at)
            break;
        if (size)
            memcpy(text + at, p, size);
        else
            snprintf(text + at, room - at, "\\x%02x", *p);
        at += shown;
    }
    text[at] = 0;
}

void oc_show(char *text, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    show(text, room, format, args);
    va_end(args);
}

oc_status oc_error_setv(oc_error *e, oc_status code, const char *format, va_list args)
{
    if (e->code != OC_OK)
        return e->code;
    e->code = code;
    show(e->text, sizeof e->text, format, args);
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
    enum { MAX_FILE = 300 }; /* at most this many bytes of a path are shown */
    const oc_error found = *e;
    const size_t size = strlen(file);
    oc_show(e->text, sizeof e->text, "%s%.*s: %.700s", size > MAX_FILE ? "..." : "", MAX_FILE,
            size > MAX_FILE ? file + size - MAX_FILE
            : size          ? file
                            : "''",
            found.text);
    return e->code;
}

oc_status oc_error_nomem(oc_error *e, size_t size)
{
    return oc_error_set(e, OC_NOMEM, "out of memory: %zu bytes could not be allocated", size);
}
