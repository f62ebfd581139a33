/* SPDX-License-Identifier: Apache-2.0
 * tool.h - what all parts of the command share: exit codes, messages, errors as values. */
#ifndef TOOLS_COMMON_TOOL_H
#define TOOLS_COMMON_TOOL_H

#include <ocellus.h>

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOOL_PRINTF(text, first)
#endif

enum tool_exit {
    TOOL_OK = 0,
    TOOL_DIFFERS = 1,     /* results are not what they should be */
    TOOL_USAGE = 2,       /* the command line is wrong */
    TOOL_INVALID = 3,     /* a model or data file is invalid, or cannot be read or written */
    TOOL_UNSUPPORTED = 4, /* an operator, version or type is not supported */
    TOOL_LIMIT = 5        /* a limit was hit, memory included, or the run was interrupted */
};

/* The exit code that a status stands for. */
int tool_exit_code(oc_status code);

/* Writes "ocellus: ..." and a line end to standard error. */
void tool_say(const char *format, ...) TOOL_PRINTF(1, 2);

/* Sets *e unless it is set already, and returns its code. */
oc_status tool_fail(oc_error *e, oc_status code, const char *format, ...) TOOL_PRINTF(3, 4);

/* Memory for small things that the command line or a model names. NULL never comes back: a process
 * that cannot get it ends with a message and TOOL_LIMIT. Free with free. */
void *tool_alloc(size_t n, size_t size);
void *tool_grow(void *block, size_t n, size_t size);
char *tool_format(const char *format, ...) TOOL_PRINTF(1, 2);

/* Memory for data, whose size a file names: NULL and OC_NOMEM when there is none. */
void *tool_data_alloc(size_t size, const char *where, oc_error *e);

/* Says what *e holds and returns its exit code; with json, standard output gets a document
 * {"error": {...}} too, so that a program that reads it always finds one. */
int tool_report(const oc_error *e, bool json);

/* Makes SIGINT ask for an end, which tool_is_cancelled tells; a second one ends the process. A
 * broken pipe becomes an error of the write. */
void tool_catch_signals(void);
bool tool_is_cancelled(void *ctx);

/* Flushes standard output. When a write to it has failed, says so and returns TOOL_INVALID in place
 * of code. */
int tool_finish(int code);

#endif
