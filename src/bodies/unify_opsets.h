/* SPDX-License-Identifier: Apache-2.0
 * unify_opsets.h - finds one opset version for each domain of an expanded model.
 *
 * A file has one version for all nodes of a domain, but nodes of function bodies have versions of
 * their own. A node may run under another opset if the version that serves it there takes every
 * input that its own takes and gives the same result (row_compatible.c), or if it can be rewritten
 * (upgrade.c). */
#pragma once

#include "bodies/types.h"

/* For each domain, finds one version under which all nodes mean the same, imports it, and clears
 * the nodes' own versions. A model without such a version is refused. types: the known types of
 * values. */
oc_status oc_unify_opsets(oc_model *m, oc_types *types, oc_error *e);

/* ---- does a node mean the same under another version? (row_compatible.c) ---- */

/* Would the node, which version a serves, mean the same if version b served it? The answer is no
 * if a or b is NULL. If the type of a value is unknown, b must accept every type that a accepts. */
bool oc_row_compatible(const oc_op *a, const oc_op *b, const oc_node *n, oc_types *types);

/* ---- nodes for a newer version of their operator, if that keeps their meaning (upgrade.c) ---- */

/* Returns the oldest version in (from, to] for which n must be rewritten, if oc_upgrade can
 * rewrite it; else 0. n is a node of ONNX's own domain that is valid before that version. */
int64_t oc_upgrade_next(const oc_node *n, oc_types *types, int64_t from, int64_t to);

/* Rewrites *n, which is valid before version `at`, so that it is valid from `at` on.
 * oc_upgrade_next gave `at` for version `to`. Nodes that must come before *n are appended to
 * *before; they are written for version `at`. */
oc_status oc_upgrade(oc_model *m, oc_types *types, oc_node *n, int64_t at, int64_t to,
                     oc_node **before, int *n_before, oc_error *e);
