/* SPDX-License-Identifier: Apache-2.0
 * op_table.h - the library's versions of operators, with what the signature of each says. */
#pragma once

#include "common/tool.h"

#include <ocellus_op.h>

/* Returns version i of the library; NULL past the last. The table is read at the first call, by
 * one thread, and lives as long as the process. */
const oc_op_info *op_table_at(int i);
/* Returns the version that serves the operator, "Relu" or "com.me::Twist", under a version of
 * its domain; NULL when there is no kernel. INT_MAX stands for the newest version. */
const oc_op_info *op_table_find(const char *op, int version);
