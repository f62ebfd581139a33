/* SPDX-License-Identifier: Apache-2.0
 * recursion.h - do the functions of a model call each other in a circle? */
#pragma once

#include "graph/opkey.h"

/* Returns OC_MODEL when functions call each other in a circle; the message names it: "A -> B -> A".
 * functions maps keys to indices of m's functions. Graphs must nest no deeper than OC_MAX_NESTING.
 * Temporary memory comes from arena. */
oc_status oc_recursion_check(const oc_model *m, const oc_opkey_map *functions, oc_arena *arena,
                             oc_error *e);
