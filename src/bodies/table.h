/* SPDX-License-Identifier: Apache-2.0
 * table.h - finds the built-in function bodies by operator and version; their texts are packed. */
#pragma once

#include "base/arena.h"

struct oc_body_call; /* defined in conditions.h */

typedef struct oc_body {
    const char *name;
    int since;
    const char *domain; /* domain of the operator; "" is ONNX's own */
    const char *label;  /* name, after "domain::" unless the domain is one of ONNX's */
    int standard; /* offset of the standard's text among all texts; -1: `print` makes the text */
    int repaired; /* offset of the repaired text; -1: the standard's text needs no repair */
    oc_status (*print)(const struct oc_body_call *call, oc_arena *arena, const char **text,
                       oc_error *e);
} oc_body;

/* Returns the newest body of the operator with since <= opset; NULL if there is none. */
const oc_body *oc_body_find(const char *domain, const char *name, int64_t opset);
/* Returns the i-th body; NULL past the last. */
const oc_body *oc_body_at(int i);

/* Returns all texts, one behind the other, compressed with gzip. */
const unsigned char *oc_body_texts(size_t *size);

/* sequence_map_body.c, qlinear_concat.c: print the body for the call's numbers of inputs and
 * outputs, in the arena. */
oc_status oc_print_sequence_map(const struct oc_body_call *call, oc_arena *arena, const char **text,
                                oc_error *e);
oc_status oc_print_qlinear_concat(const struct oc_body_call *call, oc_arena *arena,
                                  const char **text, oc_error *e);
