/* SPDX-License-Identifier: Apache-2.0
 * ports.h - what is recorded of a checked model: its ports by name, and its operators. */
#pragma once

#include "graph/graph.h"

/* ---- inputs and outputs by name (ports.c) ---- */

/* Records the names of the main graph's inputs and outputs, and which inputs have a default. The
 * model must have been checked. */
oc_status oc_model_index_ports(oc_model *m, oc_error *e);

/* Return the index of the input or output called name; when several outputs have the name, the
 * first. -1: there is none. */
int oc_model_find_input(const oc_model *m, const char *name);
int oc_model_find_output(const oc_model *m, const char *name);

/* ---- which operators does the model use? (usage.c) ---- */

/* Fills m->usage. It is called once, after oc_model_check. */
oc_status oc_model_count_usage(oc_model *m, oc_error *e);
