/* SPDX-License-Identifier: Apache-2.0
 * first_versions.h - since which version of its domain ONNX has an operator. */
#ifndef TOOLS_COMMANDS_FIRST_VERSIONS_H
#define TOOLS_COMMANDS_FIRST_VERSIONS_H

#include <stdbool.h>

/* 0: ONNX has no operator of that name. "" is ONNX's own domain. */
int first_version(const char *domain, const char *name);
bool is_domain_of_onnx(const char *domain);

#endif
