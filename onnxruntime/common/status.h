/* SPDX-License-Identifier: Apache-2.0
 * status.h - how a call ended: NULL is success, else the program frees what ReleaseStatus takes.
 * The headers of the C library for memory and text come with it. */
#pragma once

#include "common/abi.h"

#include <ocellus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORT_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Returns a new status with a message. Where memory lacks, it returns a status that says so. */
OrtStatus *ort_fail(OrtErrorCode code, const char *format, ...) ORT_PRINTF(2, 3)
    __attribute__((returns_nonnull));
/* Returns the status that tells an error of Ocellus, or NULL where e is no error. */
OrtStatus *ort_from_error(const oc_error *e);
/* Returns a status which says that size bytes could not be allocated. */
OrtStatus *ort_no_memory(size_t size);

/* Returns a status which says that NULL was given to a function. function is "ort_NAME"; needed
 * says which arguments it needs, as in "session && out". */
OrtStatus *ort_missing(const char *function, const char *needed);

/* Returns from the function with the status of an expression, unless that is NULL. */
#define ORT_TRY(expression)                                                                        \
    do {                                                                                           \
        OrtStatus *status_ = (expression);                                                         \
        if (status_)                                                                               \
            return status_;                                                                        \
    } while (0)

/* Returns from the function with a status, made being what the function makes: a success gives it
 * to *out, a failure releases it. */
#define ORT_GIVE(status, made, release, out)                                                       \
    do {                                                                                           \
        if (status)                                                                                \
            release(made);                                                                         \
        else                                                                                       \
            *(out) = (made);                                                                       \
        return status;                                                                             \
    } while (0)

/* Returns from the function with ORT_INVALID_ARGUMENT where a condition does not hold. */
#define ORT_EXPECT(condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return ort_fail(ORT_INVALID_ARGUMENT, __VA_ARGS__);                                    \
    } while (0)

/* Returns from the function with ORT_INVALID_ARGUMENT where an argument that it needs is NULL. */
#define ORT_NEED(condition)                                                                        \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return ort_missing(__func__, #condition);                                              \
    } while (0)

/* *block, a pointer of any type, becomes size bytes of zeroed memory, which free() frees. */
OrtStatus *ort_new(size_t size, void *block);
/* *copy becomes a copy of a string; NULL copies to NULL. */
OrtStatus *ort_copy_text(const char *text, char **copy);
/* Replaces *text, memory of ort_copy_text or NULL, by a copy of another. */
OrtStatus *ort_set_text(char **text, const char *by);
/* Makes room for one more item behind the n of an array, whose address is *array. */
OrtStatus *ort_grow(void *array, size_t n, size_t item);
