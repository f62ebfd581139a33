/* SPDX-License-Identifier: Apache-2.0
 * models.h - models for tests of the graph layer, written as text. */
#pragma once

#include "suite.h"

#include "graph/build.h"
#include "graph/check.h"
#include "model_equal.h"
#include "graph/print.h"
#include "loader/loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that grows: long models are printed into it. */
typedef struct text_buffer {
    char *bytes; /* NUL-terminated once something was written */
    size_t size, capacity;
} text_buffer;

static inline bool text_write(void *ctx, const void *bytes, size_t size)
{
    text_buffer *t = ctx;
    if (t->size + size + 1 > t->capacity) {
        t->capacity = 2 * (t->size + size + 1);
        t->bytes = realloc(t->bytes, t->capacity);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = 0;
    return true;
}

static inline void text_add(text_buffer *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void text_add(text_buffer *t, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    suite_assert(size >= 0 && size < (int)sizeof line, "a piece of %d bytes", size);
    text_write(t, line, (size_t)size);
}

/* The model that text says, not checked; the caller frees it. */
static inline oc_model *model_read(const char *text)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(NULL, &m, &e), OC_OK);
    oc_load_text(m, text, strlen(text), &e);
    ck_assert_msg(e.code == OC_OK, "%s in:\n%.2000s", e.text, text);
    return m;
}

/* As above, checked. */
static inline oc_model *model_checked(const char *text)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = model_read(text);
    oc_model_check(m, &e);
    ck_assert_msg(e.code == OC_OK, "%s in:\n%.2000s", e.text, text);
    return m;
}

/* Reading the text works, checking it fails with this code and a message that holds part. */
static inline void model_expect_error(const char *text, oc_status code, const char *part)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = model_read(text);
    ck_assert_int_eq(oc_model_check(m, &e), e.code);
    ck_assert_msg(e.code == code && strstr(e.text, part), "%s: %s, expected '%s' in:\n%.2000s",
                  oc_status_name(e.code), e.text, part, text);
    oc_model_free(m);
}

/* The model as text; the caller frees it. */
static inline char *model_text(const oc_model *m)
{
    oc_error e = {.code = OC_OK};
    text_buffer t = {.bytes = NULL};
    const oc_writer out = {text_write, &t};
    ck_assert_int_eq(oc_print_model(m, &out, &e), OC_OK);
    return t.bytes;
}
