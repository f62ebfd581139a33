/* SPDX-License-Identifier: Apache-2.0
 * validate.h - checks a family's lists against what the operator is. */
#pragma once

#include "check/cases.h"

/* Checks the lists of a family against what the operator is: every version that serves one of
 * its opsets must have the attributes (an operator without a kernel is not checked), and some
 * case must use each line. Errors name the line. */
void check_validate(const check_family *family, oc_error *e);
