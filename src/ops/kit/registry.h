/* SPDX-License-Identifier: Apache-2.0
 * registry.h - finds the version that serves (domain, name, opset). */
#pragma once

#include <ocellus.h>
#include <ocellus_op.h>

/* Returns the newest version with since <= opset: one of the host's (host may be NULL), else a
 * built-in one. If it returns NULL, *oldest is the oldest version known, or 0 for an unknown
 * name. */
const oc_op *oc_op_find(const oc_op *host, const char *domain, const char *name, int64_t opset,
                        int *oldest);

/* Returns the i-th built-in version of all tables; NULL after the last. */
const oc_op *oc_op_at(int i);
