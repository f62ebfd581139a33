/* SPDX-License-Identifier: Apache-2.0
 * first_versions.h - the version of its domain in which ONNX introduced an operator. */
#pragma once

#include <stdbool.h>

/* Returns 0 when ONNX has no operator of that name. The domain "" is ONNX's own. */
int first_version(const char *domain, const char *name);
bool is_domain_of_onnx(const char *domain);
