/* SPDX-License-Identifier: Apache-2.0
 * text_value.h - reads small tensors that are typed or stand in a text file: "[[640, 480]]", or
 * a table with a row on each line. */
#pragma once

#include "common/tool.h"

/* Does the path end with .txt, .csv or .json? */
bool text_value_is_file(const char *path);
/* Does the text consist of numbers, true and false, or does it begin with a bracket? */
bool text_value_is_typed(const char *text);

/* Reads a tensor of the port's type, float when it has none. The brackets of a list tell its
 * shape. The numbers of a table are separated by blanks, commas or semicolons; the table has as
 * many axes as the port, and those in front have size 1. OC_VALUE for numbers that the type
 * cannot hold. Free with oc_value_free. */
oc_value *text_value_read(const char *text, size_t size, const oc_port *port, const char *where,
                          oc_error *e);
