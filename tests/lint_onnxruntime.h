/* SPDX-License-Identifier: Apache-2.0
 * lint_onnxruntime.h - what the analyzer cannot see of onnxruntime, as lint.h does it for the
 * others: the functions that make a status never return NULL. */
#pragma once

#include "onnxruntime/common/status.h"

#define ort_fail(code, ...) (ort_fail((code), __VA_ARGS__), (OrtStatus *)1)
#define ort_no_memory(size) (ort_no_memory(size), (OrtStatus *)1)
