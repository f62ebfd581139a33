/* SPDX-License-Identifier: Apache-2.0
 * lines.h - files that grow by one whole line of fields at a time, so that a process that is
 * stopped cuts off the last line at most. */
#pragma once

#include "common/tool.h"

/* Fields are separated by tabs. In a field, tabs, line ends and backslashes are written as \t, \n,
 * \r and \\, other control characters and bytes that are not UTF-8 as \x1b. */

/* Returns a line of n fields, with its end. Free it with free. */
char *lines_join(const char *const *field, int n);
/* Returns the number of bytes before the first tab, or size. */
size_t lines_field_size(const char *text, size_t size);
/* Returns the field that the size bytes at text spell. Free it with free. */
char *lines_field(const char *text, size_t size);

/* Opens a file to append lines to; it may be new. Returns its descriptor, -1 on failure and when *e
 * holds an error. */
int lines_open(const char *path, oc_error *e);
void lines_append(int file, const char *path, const char *line, oc_error *e);
