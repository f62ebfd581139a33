/* SPDX-License-Identifier: Apache-2.0
 * ops_page.h - ocellus ops --markdown: prints a page with a table of all operators. */
#pragma once

#include "common/tool.h"

/* Prints the page. The file of counts, if it is not NULL, has lines "NAME CASES PASSED TESTS":
 * the text cases that call the operator, the tests of ONNX that call it and pass, and all tests
 * of ONNX that call it. */
void ops_page_print(const char *counts, oc_error *e);
