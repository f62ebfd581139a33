/* SPDX-License-Identifier: Apache-2.0
 * tool.h - what all parts of the command share: exit codes, messages, errors, memory, signals. */
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
    TOOL_DIFFERS = 1,     /* results differ from the expected ones, or a test failed */
    TOOL_USAGE = 2,       /* the command line is wrong */
    TOOL_INVALID = 3,     /* a model or data file is invalid, or cannot be read or written */
    TOOL_UNSUPPORTED = 4, /* an operator, version or type is not supported */
    TOOL_LIMIT = 5        /* a limit was hit, memory included, or the run was interrupted */
};

/* The exit code of the command for a status of the library. */
int tool_exit_code(oc_status code);

/* Writes "ocellus: ..." and a line end to standard error. */
void tool_say(const char *format, ...) TOOL_PRINTF(1, 2);

/* Sets *e unless it holds an error already, and returns its code. */
oc_status tool_fail(oc_error *e, oc_status code, const char *format, ...) TOOL_PRINTF(3, 4);

/* Memory for small things, such as names from the command line or from a model. None of the three
 * returns NULL: without memory the process ends with a message and TOOL_LIMIT. tool_alloc gives n
 * zeroed elements of size bytes, tool_grow resizes block to n elements, tool_format gives the
 * formatted text. Free with free. */
void *tool_alloc(size_t n, size_t size);
void *tool_grow(void *block, size_t n, size_t size);
char *tool_format(const char *format, ...) TOOL_PRINTF(1, 2);

/* Memory for data whose size a file determines. Returns NULL if *e holds an error already, or sets
 * OC_NOMEM when there is no memory; where begins the error's text. Free with free. */
void *tool_data_alloc(size_t size, const char *where, oc_error *e);

/* Prints the error *e on standard error and returns its exit code. With json, also writes a
 * document {"error": {...}} to standard output, so that a program that reads standard output always
 * finds a document. */
int tool_report(const oc_error *e, bool json);

/* After tool_catch_signals, a first SIGINT only makes tool_is_cancelled return true, a second one
 * ends the process, and a write to a broken pipe is an error of that write. ctx is not used: it
 * makes tool_is_cancelled fit oc_limits.cancel. */
void tool_catch_signals(void);
bool tool_is_cancelled(void *ctx);

/* Flushes standard output and returns code. When a write to standard output has failed, prints a
 * message and returns TOOL_INVALID instead. */
int tool_finish(int code);

#endif
