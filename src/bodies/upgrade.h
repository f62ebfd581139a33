/* SPDX-License-Identifier: Apache-2.0
 * upgrade.h - nodes rewritten for a newer version of their operator, where that can say the same.
 */
#ifndef OC_BODIES_UPGRADE_H
#define OC_BODIES_UPGRADE_H

#include "bodies/types.h"

/* The oldest version in (from, to] from which on a node of ONNX's own domain, valid below it, must
 * be written in another way, which oc_upgrade knows; 0: none. */
int64_t oc_upgrade_next(const oc_node *n, oc_types *types, int64_t from, int64_t to);

/* Rewrites *n, valid below the version at that oc_upgrade_next gave, as one valid from there on, on
 * its way to version to. Nodes that must come before it are appended to *before, written for
 * version at. */
oc_status oc_upgrade(oc_model *m, oc_types *types, oc_node *n, int64_t at, int64_t to,
                     oc_node **before, int *n_before, oc_error *e);

#endif
