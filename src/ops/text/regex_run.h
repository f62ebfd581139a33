/* SPDX-License-Identifier: Apache-2.0
 * regex_run.h - matches texts. */
#ifndef OC_OPS_TEXT_REGEX_RUN_H
#define OC_OPS_TEXT_REGEX_RUN_H

#include "ops/text/regex.h"

/* A matcher of many texts; memory is the call's. */
typedef struct oc_matcher oc_matcher;
oc_status oc_matcher_new(oc_call *c, const oc_regex *r, oc_matcher **m);
/* Does the pattern match all of the text? */
bool oc_matcher_run(oc_matcher *m, oc_string text);

#endif
