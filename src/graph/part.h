/* SPDX-License-Identifier: Apache-2.0
 * part.h - makes a model from the nodes between some values of a main graph and others. */
#pragma once

#include "graph/need.h"

/* *out becomes a new model of the nodes that compute part->to from part->from, with the inputs,
 * initializers, functions, imports and declarations that these nodes use. It borrows from m and
 * shares its names. It is not checked. Its inputs and outputs are declared as m declares these
 * values. */
oc_status oc_part_extract(const oc_model *m, const oc_part *part, oc_watch *watch, oc_model **out,
                          oc_error *e);
