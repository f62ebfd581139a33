/* SPDX-License-Identifier: Apache-2.0
 * check.h - is this a valid model? Checked once after loading; later layers rely on it.
 *
 * The rules:
 * - The IR version is known. Each domain has one imported version, >= 1; a domain that no node uses
 *   may be unknown. The domain of a node is imported, unless the node gives its version itself or
 *   calls a function of the model. Versions of IR and of ONNX's own domain that are newer than the
 *   newest known become that one if options.newer is set; IR versions 1 and 2, without imports,
 *   become version 3.
 * - The main graph is not empty.
 * - Every value is defined once in its graph (single assignment) across inputs, initializers and
 *   node outputs. Where inner graphs have names of outer values, those are told apart (scope.h).
 * - Every used name is defined before its use, in the same graph or one around it. No node depends
 *   on its own output. Every graph output is defined.
 * - Declarations of one value among those of a graph's values do not contradict each other.
 * - Attribute names are unique within a node. "@ref" occurs only inside functions and names an
 *   attribute that the function declares.
 * - Tensors have dims that fit memory, and they have elements; indices of sparse tensors are in
 *   range and ascending.
 * - Functions are unique by domain, name and overload. They do not call each other in a circle (the
 *   message names the circle). */
#pragma once

#include "graph/graph.h"

/* Checks the rules above. If the nodes of a graph are out of order, as in some files of IR versions
 * below 13, it sorts them topologically. For a node that depends on its own output, the message
 * names a node of the circle. */
oc_status oc_model_check(oc_model *m, oc_error *e);
