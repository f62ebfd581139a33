/* SPDX-License-Identifier: Apache-2.0
 * text_value.h - small tensors that are typed or stand in a text file: "[[640, 480]]", or a table
 * with a row on each line. */
#ifndef TOOLS_FILES_TEXT_VALUE_H
#define TOOLS_FILES_TEXT_VALUE_H

#include "common/tool.h"

/* Does the path end with .txt, .csv or .json? */
bool text_value_is_file(const char *path);
/* Is the text numbers, true, false, or does it begin with a bracket? */
bool text_value_is_typed(const char *text);

/* Reads a tensor of the port's type, float when it has none. A list in brackets has the shape that
 * the brackets tell. A table's numbers have blanks, commas or semicolons between them; it has as
 * many axes as the port, those in front of size 1. Numbers that the type cannot hold are OC_VALUE.
 * Free with oc_value_free. */
oc_value *text_value_read(const char *text, size_t size, const oc_port *port, const char *where,
                          oc_error *e);

#endif
