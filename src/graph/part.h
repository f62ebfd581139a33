/* SPDX-License-Identifier: Apache-2.0
 * part.h - a part of a model: the nodes between some values of the main graph and others. */
#ifndef OC_GRAPH_PART_H
#define OC_GRAPH_PART_H

#include "graph/need.h"

/* *out becomes a new model of the nodes that make part->to out of part->from, and of what these
 * nodes use: inputs, initializers, functions, imports, declarations. It borrows from m, whose names
 * it shares, is not checked, and its ports are declared as m declares these values. */
oc_status oc_part_extract(const oc_model *m, const oc_part *part, oc_watch *watch, oc_model **out,
                          oc_error *e);

#endif
