/* SPDX-License-Identifier: Apache-2.0
 * part.h - makes a model from the nodes between some values of a main graph and others. */
#ifndef OC_GRAPH_PART_H
#define OC_GRAPH_PART_H

#include "graph/need.h"

/* *out becomes a new model of the nodes that compute part->to from part->from, with the inputs,
 * initializers, functions, imports and declarations that these nodes use. It borrows from m and
 * shares its names. It is not checked. Its inputs and outputs are declared as m declares these
 * values. */
oc_status oc_part_extract(const oc_model *m, const oc_part *part, oc_watch *watch, oc_model **out,
                          oc_error *e);

/* *out becomes a model that is the whole of m. It borrows from m and shares its names, but its
 * declarations are its own. It is not checked. */
oc_status oc_part_whole(const oc_model *m, oc_watch *watch, oc_model **out, oc_error *e);

#endif
