/* SPDX-License-Identifier: Apache-2.0
 * find_nan.h - which node of a run is the first that makes NaN or Inf? */
#pragma once

#include "common/json.h"

#include <ocellus_model.h>

/* A node makes NaN if an output has some and no input does; it makes Inf if an output has some
 * and no input has NaN or Inf. Values that a Constant or ConstantOfShape states do not count as
 * made. Nodes that read such values, or inputs and weights of the model, hand them on. The
 * caller sets the first two members; the rest starts as all zero. Free with find_nan_free. */
typedef struct find_nan {
    const char *model; /* its path, for the document */
    bool json;
    bool found;
    int64_t n_handed_on; /* number of nodes that hand on what an input has */
    char *first;         /* the first of these nodes */
} find_nan;

/* Looks at the end of a node, whose values are all shown. The first time that a node makes NaN
 * or Inf, sets found and prints the report: the node, the element, and the inputs' least and
 * greatest values. After that, and while *e holds an error, does nothing. */
void find_nan_look(find_nan *f, const oc_node_event *event, oc_error *e);
/* Says that no node was found: as text, or as members of the object that is open in j. */
void find_nan_print(const find_nan *f);
void find_nan_json(json_writer *j, const find_nan *f);
void find_nan_free(find_nan *f);
