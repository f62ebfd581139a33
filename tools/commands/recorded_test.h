/* SPDX-License-Identifier: Apache-2.0
 * recorded_test.h - runs a recorded run again, and compares the bits of its outputs. */
#pragma once

#include "commands/onnx_test.h"

/* Runs the record at path. Its model lies where the record says, or at options->model. */
test_verdict test_recorded(const char *path, const test_options *options);
