/* SPDX-License-Identifier: Apache-2.0
 * status.h - how errors are returned.
 *
 * A function that can fail returns oc_status. The function that detects the fault writes the
 * message with oc_error_set, in the form "where: what is wrong, what was expected". Its callers
 * return the status with OC_TRY and add nothing to the message. They may return early because
 * memory belongs to arenas: there is nothing to undo. What messages are written with comes with
 * this header: snprintf and PRId64. */
#pragma once

#include "base/compiler.h"

#include <ocellus.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Lets the compiler check a printf format: the format is the function's argument number `text`,
 * its arguments begin at number `args`. On Windows the format is C's too, because the build asks
 * for MinGW's own printf. */
#ifdef _WIN32
#define OC_PRINTF(text, args) __attribute__((format(gnu_printf, text, args)))
#else
#define OC_PRINTF(text, args) __attribute__((format(printf, text, args)))
#endif

#define OC_TRY(expr)                                                                               \
    do {                                                                                           \
        const oc_status try_status_ = (expr);                                                      \
        if (try_status_ != OC_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Formats text for people, as snprintf does. Names may hold any bytes, so a byte that is not
 * part of a UTF-8 character, and a control character, is shown as \x1b. At most the first 1019
 * bytes are shown. */
void oc_show(char *text, size_t room, const char *format, ...) OC_PRINTF(3, 4);

/* May a call begin that was given this error? It may not when e is NULL or holds an error
 * already. */
static inline bool oc_error_is_clear(const oc_error *e)
{
    return e && e->code == OC_OK;
}

/* Writes code and the formatted message into e, unless e already holds an error. Returns the code
 * that e then holds. */
oc_status oc_error_set(oc_error *e, oc_status code, const char *format, ...) OC_PRINTF(3, 4);
oc_status oc_error_setv(oc_error *e, oc_status code, const char *format, va_list args)
    OC_PRINTF(3, 0);

/* Puts "file: " before the message of e. Only the function that knows which file was read calls it.
 * Of a long path only the end is shown, and an empty path is shown as ''. Returns the code of e. */
oc_status oc_error_in(oc_error *e, const char *file);

/* Sets and returns OC_NOMEM, with the message for a failed allocation of size bytes. */
oc_status oc_error_nomem(oc_error *e, size_t size);
