/* SPDX-License-Identifier: Apache-2.0
 * own.h - cases that the command line describes, for any operator. */
#ifndef TOOLS_CHECK_OWN_H
#define TOOLS_CHECK_OWN_H

#include "check/cases.h"
#include "check/options.h"

/* What the cases are made of; borrowed from the options. */
typedef struct check_own {
    check_family family;
    check_spec spec;
    char domain[128];
} check_own;

/* Fills *own for "Relu" or "com.me::Twist" with the inputs and attributes that the options list.
 * Text that says no inputs, or an operator that has nothing to be compared with, is an error. */
void check_own_new(const char *op, const check_options *options, check_own *own, oc_error *e);

#endif
