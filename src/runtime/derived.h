/* SPDX-License-Identifier: Apache-2.0
 * derived.h - models that borrow from others. */
#pragma once

#include "graph/graph.h"

/* Returns a new model that borrows from `source`, and from `second` unless that is NULL, ready for
 * sessions. The caller has held both for it. Where status or e is an error, both are dropped, out
 * is not looked at, and NULL is returned. */
oc_model *oc_derived_finish(oc_model *out, oc_status status, const oc_model *source,
                            const oc_model *second, oc_error *e);
