/* SPDX-License-Identifier: Apache-2.0
 * regex_run.h - matches texts. */
#pragma once

#include "ops/text/regex.h"

/* A matcher of many texts; memory is the call's. */
typedef struct oc_matcher oc_matcher;
oc_status oc_matcher_new(oc_call *c, const oc_regex *r, oc_matcher **m);
/* Does the pattern match all of the text? */
bool oc_matcher_run(oc_matcher *m, oc_string text);
