/* SPDX-License-Identifier: Apache-2.0
 * registry.h - (domain, name, opset) to the row that serves it. */
#ifndef OC_OPS_KIT_REGISTRY_H
#define OC_OPS_KIT_REGISTRY_H

#include <ocellus.h>

/* The newest row with since <= opset, first among the host's rows (may be NULL), then built in.
 * NULL when there is none; then *oldest is the oldest version known, or 0 for an unknown name. */
const oc_op *oc_op_find(const oc_op *host, const char *domain, const char *name, int64_t opset,
                        int *oldest);

/* The i-th built-in row over all tables; NULL past the last. */
const oc_op *oc_op_at(int i);

#endif
