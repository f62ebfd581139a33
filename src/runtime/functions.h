/* SPDX-License-Identifier: Apache-2.0
 * functions.h - adds functions from other files to a model. */
#pragma once

#include "graph/graph.h"

/* Adds the functions of the files that m->options.functions lists to m, which is loaded and not
 * yet checked. A function that m has already is replaced; two files with one function are an
 * error. Each file is checked by itself, and its path stands before its errors. */
oc_status oc_functions_add(oc_model *m, oc_error *e);
/* Checks that nodes call each such function under the version of its domain that its file
 * imports, or under a version in which the operator of that name is unchanged. The operators of
 * m must have been counted. */
oc_status oc_functions_check(const oc_model *m, oc_error *e);
