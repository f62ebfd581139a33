/* SPDX-License-Identifier: Apache-2.0
 * library.h - the case files that are built in: functions/NAME.check. */
#pragma once

#include "check/cases.h"

typedef struct check_library check_library;

/* Free with check_library_free. */
check_library *check_library_new(void);
void check_library_free(check_library *l); /* l may be NULL */

/* Returns the i-th operator that has a case file, without its domain, in alphabetical order;
 * NULL past the last. */
const char *check_library_op(const check_library *l, int i);
/* Is there a case file of "Softmax" or "domain::Name"? The domain is ignored. */
bool check_library_has(const check_library *l, const char *op);
/* Returns the family of "Softmax" or "domain::Name", which lives as long as the library. Its
 * file is read and validated at the first call; *e is set when the file is wrong. NULL with *e
 * unset: there is no such operator. */
const check_family *check_library_find(check_library *l, const char *op, oc_error *e);
