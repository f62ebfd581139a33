/* SPDX-License-Identifier: Apache-2.0
 * own.h - makes cases that the command line describes, for any operator. */
#pragma once

#include "check/cases.h"
#include "check/options.h"

/* A family and what it borrows from; the struct must stay where it is. */
typedef struct check_own {
    check_family family;
    char **text;
    int n_texts;
    char domain[128];
} check_own;

/* Fills *own for "Relu" or "com.me::Twist" with the inputs and attributes that the options list,
 * written as in case_file.h. A malformed list is an error, and so is an operator that cannot be
 * compared with anything. Free with check_own_free, also after an error. */
void check_own_new(const char *op, const check_options *options, check_own *own, oc_error *e);
void check_own_free(check_own *own);
