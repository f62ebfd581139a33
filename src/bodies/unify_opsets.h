/* SPDX-License-Identifier: Apache-2.0
 * unify_opsets.h - one opset version for each domain of an expanded model.
 *
 * A file names one version for all nodes of a domain, but nodes of function bodies have their own.
 * A node may run under another version than its own when the row that serves it there takes
 * whatever the row of its own version takes, and does the same with it (row_compatible.h), or when
 * it can be rewritten (upgrade.h). */
#ifndef OC_BODIES_UNIFY_OPSETS_H
#define OC_BODIES_UNIFY_OPSETS_H

#include "bodies/types.h"

/* Finds one version of each domain that means the same for all nodes, imports it, and clears the
 * nodes' own. A model for which there is none is refused. types: what is known of values. */
oc_status oc_unify_opsets(oc_model *m, oc_types *types, oc_error *e);

#endif
