/* SPDX-License-Identifier: Apache-2.0
 * functions.h - adds to a loaded model what it lacks: functions from other files, and imports. */
#pragma once

#include "graph/graph.h"

/* ---- functions from other files (functions.c) ---- */

/* Adds the functions of the files that m->options.functions lists to m, which is loaded and not
 * yet checked. A function that m has already is replaced; two files with one function are an
 * error. Each file is checked by itself, and its path stands before its errors. */
oc_status oc_functions_add(oc_model *m, oc_error *e);
/* Checks that nodes call each such function under the version of its domain that its file
 * imports, or under a version in which the operator of that name is unchanged. The operators of
 * m must have been counted. */
oc_status oc_functions_check(const oc_model *m, oc_error *e);

/* ---- the opset imports that a model lacks (imports.c) ---- */

/* For each domain whose operators m uses without importing it, adds an import of the newest
 * version, or of version 1 where no operator of the domain is built in. A remark tells of each.
 * m is loaded and not yet checked. Files of IR versions 1 and 2, which are older than imports,
 * are left to oc_model_check. */
oc_status oc_imports_complete(oc_model *m, oc_error *e);
