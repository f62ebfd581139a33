/* SPDX-License-Identifier: Apache-2.0
 * functions.h - the ONNX function bodies that are built in, as text.
 *
 * functions/Name.since.onnxtxt is the standard's own body; Name.since.repaired.onnxtxt beside it
 * mends the defects that functions/KNOWN.md lists. */
#ifndef OC_LOADER_FUNCTIONS_H
#define OC_LOADER_FUNCTIONS_H

#include "graph/graph.h"

typedef struct oc_body {
    const char *name; /* operator of ONNX's own domain */
    int since;
    const char *standard; /* text */
    const char *repaired; /* NULL: the standard's is right */
} oc_body;

/* The newest body of the operator with since <= opset; NULL when there is none. */
const oc_body *oc_body_find(const char *name, int64_t opset);
/* The i-th body; NULL past the last. */
const oc_body *oc_body_at(int i);

#endif
