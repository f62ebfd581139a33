/* SPDX-License-Identifier: Apache-2.0
 * pattern.h - are the dims of a call's inputs those that its node expects (oc_node.expect)? */
#pragma once

#include "ops/kit/call.h"

/* Checks the dims of the inputs against c->op->expect, and writes the error. */
oc_status oc_call_check_pattern(oc_call *c);
/* Is the text a list of patterns, as oc_node.expect describes them? */
bool oc_is_pattern(const char *text);
