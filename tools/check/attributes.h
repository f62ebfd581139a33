/* SPDX-License-Identifier: Apache-2.0
 * attributes.h - reads attributes as a case file writes them: axis = 1, mode = "sum". */
#pragma once

#include "check/place.h"

#include <ocellus_op.h>

/* Returns how many characters come before the first of `characters` that is outside of quotes
 * and brackets; all of them when there is none. The '>' of "=>" does not count. */
size_t check_span_outside(const char *text, const char *characters);

/* Checks a list of attributes: each is "name = value" or "name: type = value". If op is given,
 * it must have the name, and the value must be of its kind; opset is for the message. */
void check_attribute_list(const check_place *place, const char *text, const oc_op_info *op,
                          int opset, oc_error *e);
