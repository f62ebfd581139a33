/* SPDX-License-Identifier: Apache-2.0
 * ports.h - the inputs and outputs of a model by name. */
#ifndef OC_GRAPH_PORTS_H
#define OC_GRAPH_PORTS_H

#include "graph/graph.h"

/* Notes the names of the main graph's inputs and outputs, and which inputs have a default. The
 * model must be checked. */
oc_status oc_model_index_ports(oc_model *m, oc_error *e);

/* The index of the input or output; of outputs with one name, the first. -1: the model has none. */
int oc_model_find_input(const oc_model *m, const char *name);
int oc_model_find_output(const oc_model *m, const char *name);

#endif
