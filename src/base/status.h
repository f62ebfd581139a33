/* SPDX-License-Identifier: Apache-2.0
 * status.h - how errors are returned.
 *
 * A function that can fail returns oc_status. The function that detects the fault writes the
 * message with oc_error_set, in the form "where: what is wrong, what was expected". Its callers
 * return the status with OC_TRY and add nothing to the message. They may return early because
 * memory belongs to arenas: there is nothing to undo. */
#ifndef OC_BASE_STATUS_H
#define OC_BASE_STATUS_H

#include <ocellus.h>
#include <stdarg.h>

/* The format at place text has arguments from place args on. On Windows too it is that of C, since
 * the build asks for printf of MinGW. */
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

/* As snprintf, for what people read: names may hold anything, so what is no character of UTF-8, or
 * a control character, is shown as \x1b. At most the first 1019 bytes are. */
void oc_show(char *text, size_t room, const char *format, ...) OC_PRINTF(3, 4);

/* May a call that was given this error begin? Not without one, nor while it holds one. */
static inline bool oc_error_is_clear(const oc_error *e)
{
    return e && e->code == OC_OK;
}

/* Writes code and the formatted message into e, unless e already holds an error. Returns the code
 * that e then holds. */
oc_status oc_error_set(oc_error *e, oc_status code, const char *format, ...) OC_PRINTF(3, 4);
oc_status oc_error_setv(oc_error *e, oc_status code, const char *format, va_list args)
    OC_PRINTF(3, 0);

/* Puts "file: " before the message of e; only the function that knows which file was read calls it.
 * Only the end of a long path is shown, and '' of an empty one. Returns the code of e. */
oc_status oc_error_in(oc_error *e, const char *file);

/* Sets and returns OC_NOMEM, with the message for a failed allocation of size bytes. */
oc_status oc_error_nomem(oc_error *e, size_t size);

#endif
