/* SPDX-License-Identifier: Apache-2.0
 * tool.h - what all parts of the command share: exit codes, messages, errors, memory,
 * and the headers of the C library for text, numbers as text, and memory. */
#pragma once

#include "base/compiler.h"

#include <ocellus.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lets the compiler check a printf format: the format is the function's argument number `place`,
 * its arguments begin at number `first`. On Windows the format is C's too, because the build
 * asks for MinGW's own printf. */
#ifdef _WIN32
#define TOOL_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOOL_PRINTF(text, first)
#endif

enum tool_exit {
    TOOL_OK = 0,
    TOOL_DIFFERS = 1,      /* results differ from the expected ones, or a test failed */
    TOOL_USAGE = 2,        /* the command line is wrong */
    TOOL_INVALID = 3,      /* a model or data file is invalid, or cannot be read or written */
    TOOL_UNSUPPORTED = 4,  /* an operator, version or type is not supported */
    TOOL_LIMIT = 5,        /* a limit was reached, memory included */
    TOOL_INTERRUPTED = 130 /* what a shell reports for a process that SIGINT ended */
};

/* Returns the exit code of the command for a status of the library. */
int tool_exit_code(oc_status code);
/* Is it a limit, a lack of memory, or an interrupt, and so not a result of what was run? */
bool tool_ends_all(oc_status code);

/* tool_print writes formatted text to standard output; tool_line adds a line end; tool_say
 * writes "ocellus: ..." and a line end to standard error. Names and texts from files may hold
 * any bytes, so a byte that is not part of a UTF-8 character, a control character, and a line
 * end are shown as \x1b. */
void tool_print(const char *format, ...) TOOL_PRINTF(1, 2);
void tool_line(const char *format, ...) TOOL_PRINTF(1, 2);
void tool_say(const char *format, ...) TOOL_PRINTF(1, 2);

/* Sets *e unless it holds an error already, and returns its code. */
oc_status tool_fail(oc_error *e, oc_status code, const char *format, ...) TOOL_PRINTF(3, 4);

/* Memory for small things, such as names from the command line or from a model. These functions
 * never return NULL: when memory runs out the process ends with a message and TOOL_LIMIT.
 * tool_alloc gives n zeroed elements of size bytes; tool_grow enlarges block to n elements, or
 * to the next power of two of them; tool_push makes room for one more element behind the n of a
 * list that only tool_push enlarges; tool_format gives the formatted text; tool_require gives
 * its argument. Free with free. */
void *tool_require(void *block);
void *tool_alloc(size_t n, size_t size);
void *tool_grow(void *block, size_t n, size_t size);
void *tool_push(void *block, size_t n, size_t size);
char *tool_format(const char *format, ...) TOOL_PRINTF(1, 2);

/* Prints the error *e on standard error and returns its exit code. With json, also writes a
 * document {"error": {...}} to standard output, so that a program that reads standard output always
 * finds a document. */
int tool_report(const oc_error *e, bool json);

/* Flushes standard output and returns code. When a write to standard output has failed, prints a
 * message and returns TOOL_INVALID instead; no message when the reader has closed the pipe. */
int tool_finish(int code);
