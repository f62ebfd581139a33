/* SPDX-License-Identifier: Apache-2.0
 * unify_opsets.h - finds one opset version for each domain of an expanded model.
 *
 * A file has one version for all nodes of a domain, but nodes of function bodies have versions of
 * their own. A node may run under another opset if the version that serves it there takes every
 * input that its own takes and gives the same result (row_compatible.h), or if it can be rewritten
 * (upgrade.h). */
#pragma once

#include "bodies/types.h"

/* For each domain, finds one version under which all nodes mean the same, imports it, and clears
 * the nodes' own versions. A model without such a version is refused. types: the known types of
 * values. */
oc_status oc_unify_opsets(oc_model *m, oc_types *types, oc_error *e);
