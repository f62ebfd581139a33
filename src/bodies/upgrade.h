/* SPDX-License-Identifier: Apache-2.0
 * upgrade.h - rewrites nodes for a newer version of their operator, if that keeps their meaning. */
#pragma once

#include "bodies/types.h"

/* Returns the oldest version in (from, to] for which n must be rewritten, if oc_upgrade can
 * rewrite it; else 0. n is a node of ONNX's own domain that is valid before that version. */
int64_t oc_upgrade_next(const oc_node *n, oc_types *types, int64_t from, int64_t to);

/* Rewrites *n, which is valid before version `at`, so that it is valid from `at` on.
 * oc_upgrade_next gave `at` for version `to`. Nodes that must come before *n are appended to
 * *before; they are written for version `at`. */
oc_status oc_upgrade(oc_model *m, oc_types *types, oc_node *n, int64_t at, int64_t to,
                     oc_node **before, int *n_before, oc_error *e);
