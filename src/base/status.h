/* SPDX-License-Identifier: Apache-2.0
 * status.h - errors are values.
 *
 * A function that can fail returns oc_status. Whoever detects the fault writes the message with
 * oc_error_set, in the form "where: what is wrong, what was expected"; whoever passes it on adds
 * nothing and uses OC_TRY. Arenas make that legal: nothing needs undoing on the way out. */
#ifndef OC_BASE_STATUS_H
#define OC_BASE_STATUS_H

#include <ocellus.h>
#include <stdarg.h>

#define OC_PRINTF(text, args) __attribute__((format(printf, text, args)))

#define OC_TRY(expr)                                                                               \
    do {                                                                                           \
        const oc_status try_status_ = (expr);                                                      \
        if (try_status_ != OC_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Writes code and message into e, unless an earlier error stands there; returns the code. */
oc_status oc_error_set(oc_error *e, oc_status code, const char *format, ...) OC_PRINTF(3, 4);
oc_status oc_error_setv(oc_error *e, oc_status code, const char *format, va_list args)
    OC_PRINTF(3, 0);

/* Puts "file: " before e's message, for the one place that knows what was read; of a path that is
 * long only the end. Returns the code. */
oc_status oc_error_in(oc_error *e, const char *file);

/* The one message for an allocation that failed. */
oc_status oc_error_nomem(oc_error *e, size_t size);

#endif
