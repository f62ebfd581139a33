/* SPDX-License-Identifier: Apache-2.0
 * written.h - writes a case as an ONNX backend test. */
#pragma once

#include "check/run.h"

/* Writes folder/test_OP_0007 with the model, the inputs, the outputs of the reference, which has
 * run, and in data.json the tolerances and the name of the case. Returns the test's path, to be
 * freed with free. */
char *check_write_test(const char *folder, int number, const check_run *run, oc_error *e);
