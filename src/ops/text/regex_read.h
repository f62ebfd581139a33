/* SPDX-License-Identifier: Apache-2.0
 * regex_read.h - a pattern becomes a program. */
#pragma once

#include "ops/text/regex.h"

/* Reads the pattern; memory is the call's. An error tells what is wrong at which byte. */
oc_status oc_regex_read(oc_call *c, oc_string pattern, oc_regex *r);
