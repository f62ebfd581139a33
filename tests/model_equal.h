/* SPDX-License-Identifier: Apache-2.0
 * model_equal.h - do two models say the same? */
#pragma once

#include "graph/graph.h"

/* Compares all that graph.h holds, names by their characters. On a difference writes where it is
 * into why (size bytes). */
bool model_equal(const oc_model *a, const oc_model *b, char *why, size_t size);
