/* SPDX-License-Identifier: Apache-2.0
 * yaml_text.h - turns the YAML of configuration files into JSON. */
#pragma once

#include "files/text_build.h"

enum { YAML_DEPTH = 60 }; /* most maps and lists within each other */

/* Appends to json what the text tells: maps and lists by indentation, lists in brackets, plain and
 * quoted texts, numbers, true, false and null, and comments, as PyYAML writes them. Anchors, tags,
 * texts of several lines and maps in braces are not taken apart: they are texts. OC_FORMAT, with
 * the line, for what is no such text, and OC_LIMIT beyond YAML_DEPTH. The error's text begins with
 * where. */
void yaml_to_json(text_build *json, const void *text, size_t size, const char *where, oc_error *e);
