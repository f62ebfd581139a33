/* SPDX-License-Identifier: Apache-2.0
 * status.h - how a call ended: NULL is success, else the program frees what ReleaseStatus takes. */
#ifndef ORT_STATUS_H
#define ORT_STATUS_H

#include "common/abi.h"

#include <ocellus.h>

#define ORT_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* A new status. Without memory it is one that says so. */
OrtStatus *ort_fail(OrtErrorCode code, const char *format, ...) ORT_PRINTF(2, 3)
    __attribute__((returns_nonnull));
/* The status of an error of Ocellus; NULL where there is none. */
OrtStatus *ort_from_error(const oc_error *e);
/* Memory of that size is not to be had. */
OrtStatus *ort_no_memory(size_t size);

/* NULL was given to the function ort_NAME, which needs these arguments. */
OrtStatus *ort_missing(const char *function, const char *needed);

/* Returns from the function with the status of an expression, unless that is NULL. */
#define ORT_TRY(expression)                                                                        \
    do {                                                                                           \
        OrtStatus *status_ = (expression);                                                         \
        if (status_)                                                                               \
            return status_;                                                                        \
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

/* Zeroed memory in *block, a pointer of any type; frees by free(). */
OrtStatus *ort_new(size_t size, void *block);
/* A copy of a string in *copy; NULL copies to NULL. */
OrtStatus *ort_copy_text(const char *text, char **copy);
/* Replaces *text, memory of ort_copy_text or NULL, by a copy of another. */
OrtStatus *ort_set_text(char **text, const char *by);
/* Makes room for one more item behind the n of an array, whose address is *array. */
OrtStatus *ort_grow(void *array, size_t n, size_t item);

#endif
