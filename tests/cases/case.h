/* SPDX-License-Identifier: Apache-2.0
 * case.h - one text case; the format is in README.md beside this file. */
#pragma once

#include "loader/loader.h"

/* "NAME = value": an input, or what an output must be. */
typedef struct case_value {
    const char *name;
    const char *at; /* of the section, in the file's text */
    bool is_output;
    oc_value value;
} case_value;

enum { CASE_POLICIES = 3 };

typedef struct test_case {
    const char *path, *name;
    int line;       /* of the file, in which the case's text begins */
    const char *at; /* that text */
    const char *model;
    size_t model_size;
    case_value *value;
    int n_value;
    oc_status fails;    /* OC_OK: it must not */
    const char *part;   /* of the message then */
    const char *remark; /* part of a line that the log must have once; NULL: none is asked for */
    double rtol, atol;  /* both 0: equal bits */
    oc_body_policy policy[CASE_POLICIES];
    int n_policy;
    oc_session_options options;
    oc_arena *arena;
    oc_pool *pool;
} test_case;

/* The first line in [text, end) that begins with mark; end when there is none. */
const char *case_find_mark(const char *text, const char *end, const char *mark);
/* Does [text, end) hold more than blanks and comments? */
bool case_has_text(const char *text, const char *end);
/* Reads the sections in [text, end) into t, whose other fields stand; *at becomes the section where
 * reading ended. case_read says what is wrong there, and returns whether nothing is. */
oc_status case_read_sections(test_case *t, const char *text, const char *end, const char **at,
                             oc_error *e);
bool case_read(test_case *t, const char *text, const char *end);
void case_free(test_case *t);

/* Returns the text of a model of the file at path, with the functions of the domain ocellus.vision
 * that it calls, and those that they call, behind it: files of functions/vision, found from the
 * file's folder. Free with free. */
char *case_with_functions(const char *path, const char *model, size_t *size);

/* Have addresses here fewer bits than the sections in [text, end) need? */
bool case_is_too_wide(const char *text, const char *end);
/* Does reading or running such a case end with an error of a size that is too large? */
bool case_is_refused(test_case *t, const char *text, const char *end);

typedef void case_fn(void *ctx, const char *name, const char *text, const char *end);
/* Runs the case whose text is [text, end), ended by a zero byte or another case, once for each
 * combination of the words that its lines "--- each WORD ..." give, written into its text. */
void case_each(const char *name, const char *text, const char *end, case_fn *run, void *ctx);

/* Reads and runs the cases of a file, or of all files .onnxtxt below a folder, and counts for which
 * run returned true. */
typedef bool case_run_fn(void *ctx, test_case *t);
void case_run_path(const char *path, case_run_fn *run, void *ctx, int *n_passed, int *n_failed);

/* Says in one line where and what; returns false. at NULL: the case itself. */
bool case_fail(const test_case *t, const char *at, const char *format, ...) OC_PRINTF(3, 4);

/* What a run gave, as bytes that another run's can be compared with. The owner frees data. */
typedef struct case_bytes {
    char *data;
    size_t size, room;
} case_bytes;
bool case_append(void *bytes, const void *from, size_t size); /* an oc_writer's function */
void case_append_outputs(case_bytes *b, const oc_model *m, const oc_session *s,
                         const oc_error *error);
/* Sets is_output of all values. */
void case_tell_outputs(test_case *t, const oc_model *m);

/* Says what differs first, if anything. */
bool case_compare(const test_case *t, const case_value *want, const oc_value *got);
