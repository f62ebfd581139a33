/* SPDX-License-Identifier: Apache-2.0
 * regex_class.h - the characters and classes of patterns: escapes, and what is in brackets. */
#pragma once

#include "ops/text/regex_parser.h"

/* Adds a range to the class that is being read. */
void oc_regex_add(oc_regex_parser *p, int32_t first, int32_t last);
/* Reads \d, \W and so on, and adds it to the class; false: it is none. */
bool oc_regex_class_escape(oc_regex_parser *p);
/* Reads one character, which is itself; or one that is perhaps escaped. The pattern must not be at
 * its end. */
int32_t oc_regex_itself(oc_regex_parser *p);
int32_t oc_regex_char(oc_regex_parser *p);
/* Reads a class from behind its opening bracket on. */
void oc_regex_brackets(oc_regex_parser *p, bool *outside);
