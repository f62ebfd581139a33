/* SPDX-License-Identifier: Apache-2.0
 * functions.h - the functions that a model gets from other files. */
#ifndef OC_RUNTIME_FUNCTIONS_H
#define OC_RUNTIME_FUNCTIONS_H

#include "graph/graph.h"

/* Adds the functions of the files that m->options.functions lists to m, which is loaded and not yet
 * checked. One that m has already is replaced; two files with the same function are an error. Each
 * file is checked by itself, and its path is before its errors. */
oc_status oc_functions_add(oc_model *m, oc_error *e);
/* Do nodes call each such function under the version of its domain that its file imports, or under
 * one in which the operator of that name is the same? The operators of m are counted. */
oc_status oc_functions_check(const oc_model *m, oc_error *e);

#endif
