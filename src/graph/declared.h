/* SPDX-License-Identifier: Apache-2.0
 * declared.h - does a value have the type and the dims that a model declares for it? */
#pragma once

#include "graph/graph.h"

enum { OC_DECLARED_TEXT = OC_VALUE_TEXT + 256, OC_CONTRADICTION = 2000 };
/* Writes a declared type, such as "float[N,3,?]", "optional(seq(float[]))" or
 * "seq(map(int64, float[]))". Returns text. */
const char *oc_declared_text(const oc_type_info *t, char text[OC_DECLARED_TEXT]);

/* Returns the kind of a declared value. Everything that is not a sequence, an optional or a map
 * is a tensor. */
oc_kind oc_declared_kind(const oc_type_info *t);
/* Returns the declared element type of a tensor, or of the tensors in a list; OC_UNDEFINED when
 * none is declared, and for a map or an opaque type. */
oc_type oc_declared_type(const oc_type_info *t);

/* May a value of this kind and element type be what t declares? An optional and its content pass
 * for each other. An undefined type passes. */
bool oc_declared_allows(const oc_type_info *t, oc_kind kind, oc_type type);
/* May the value v be what t declares? As oc_declared_allows, but of maps and of sequences of
 * maps both the key type and the value type are compared. */
bool oc_declared_holds(const oc_type_info *t, const oc_value *v);
/* Is t a map, or a list or map that contains maps? */
bool oc_declared_has_map(const oc_type_info *t);
/* Does a tensor have the declared rank and all dims that are declared as numbers? A list always
 * fits. */
bool oc_declared_fits(const oc_type_info *t, const oc_value *v);

/* May one value be what both a and b declare? */
bool oc_declared_agree(const oc_type_info *a, const oc_type_info *b);
/* Returns OC_MODEL if two entries of g->value declare one value and no value can be both. In
 * messages, `what` names the graph. Temporary memory comes from arena. */
oc_status oc_declared_check(const oc_graph *g, const char *what, oc_arena *arena, oc_error *e);

/* Writes "node 'y' (Add-14): output 'y' is float, declared double[3]"; port is the word before the
 * name of the declared value. Returns text. */
const char *oc_declared_contradiction(const char *where, const char *port,
                                      const oc_value_info *info, const char *actual,
                                      char text[OC_CONTRADICTION]);
/* Sets the text of oc_declared_contradiction as an error of OC_TYPE. */
oc_status oc_declared_fail(const char *where, const char *port, const oc_value_info *info,
                           const char *actual, oc_error *e);
