/* SPDX-License-Identifier: Apache-2.0
 * usage.h - which operators does a model use, and how many nodes use each? */
#pragma once

#include "graph/graph.h"

/* Fills m->usage. It is called once, after oc_model_check. */
oc_status oc_model_count_usage(oc_model *m, oc_error *e);
