/* SPDX-License-Identifier: Apache-2.0
 * recursion.h - do the functions of a model call each other in a circle? */
#ifndef OC_GRAPH_RECURSION_H
#define OC_GRAPH_RECURSION_H

#include "graph/opkey.h"

/* An error names the circle: "A -> B -> A". functions gives the index of each of m's functions;
 * graphs nest no deeper than OC_MAX_NESTING. Temporary memory comes from arena. */
oc_status oc_recursion_check(const oc_model *m, const oc_opkey_map *functions, oc_arena *arena,
                             oc_error *e);

#endif
