/* SPDX-License-Identifier: Apache-2.0
 * ops_page.h - ocellus ops --markdown: a page with a table of all operators. */
#ifndef TOOLS_COMMANDS_OPS_PAGE_H
#define TOOLS_COMMANDS_OPS_PAGE_H

#include "common/tool.h"

/* Prints the page. The file of counts, if it is not NULL, has lines "NAME CASES PASSED TESTS": text
 * cases that call the operator, and tests of ONNX that call it: those that pass, and all. */
void ops_page_print(const char *counts, oc_error *e);

#endif
