/* SPDX-License-Identifier: Apache-2.0
 * entry.h - reads a set of attributes or a list of inputs, from a case file or an option.
 *
 * case_file.h says how they are written. The text is changed and must live as long as what is read
 * from it. Errors name the place. */
#pragma once

#include "check/cases.h"

void check_read_attributes(const check_place *place, char *text, check_attributes *out,
                           oc_error *e);
void check_read_inputs(const check_place *place, char *text, check_inputs *out, oc_error *e);

/* Returns the element type of this name, of size characters; OC_UNDEFINED when there is none. */
oc_type check_type_named(const char *name, size_t size);
/* Reads a whole number of 1 to 9 digits. Returns NULL when there is none. */
const char *check_read_number(const char *p, int *out);

/* ---- attributes as a case file writes them (attributes.c) ---- */

/* Returns how many characters come before the first of `characters` that is outside of quotes
 * and brackets; all of them when there is none. The '>' of "=>" does not count. */
size_t check_span_outside(const char *text, const char *characters);

/* Checks a list of attributes: each is "name = value" or "name: type = value". If op is given,
 * it must have the name, and the value must be of its kind; opset is for the message. */
void check_attribute_list(const check_place *place, const char *text, const oc_op_info *op,
                          int opset, oc_error *e);
