/* SPDX-License-Identifier: Apache-2.0
 * check.h - is this a valid model? Run once after loading; later layers rely on it.
 *
 * Checked: IR version; opset imports (one version for each domain, >= 1; a domain that no node uses
 * may be unknown); non-empty graph; every value defined once (single assignment) across inputs,
 * initializers and node outputs, inner graphs not shadowing outer ones; every used name defined
 * before its use, in this graph or one around it, and by no cycle; outputs defined; attribute names
 * unique within a node; "@ref" only inside functions; initializers' bytes as dims say; sparse
 * tensors' indices in range and ascending; function
 * calls not recursive (the path is named); functions unique by domain, name, overload. */
#ifndef OC_GRAPH_CHECK_H
#define OC_GRAPH_CHECK_H

#include "graph/graph.h"

/* Also sorts nodes of each graph topologically when a file has them out of order (IR < 13 files in
 * the wild do); a cycle is an error that names a node on it. */
oc_status oc_model_check(oc_model *m, oc_error *e);

#endif
