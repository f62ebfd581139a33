/* SPDX-License-Identifier: Apache-2.0
 * opkey.h - the key of an operator or a function, and maps from keys to integers. */
#pragma once

#include "graph/graph.h"

/* The key of an operator or a function. Names are compared by pointer, so all must come from one
 * table. */
typedef struct oc_opkey {
    oc_name domain, name, overload;
    int64_t version; /* 0 when versions do not matter */
} oc_opkey;

typedef struct oc_opkey_map {
    oc_arena *arena;
    struct oc_opkey_slot *slots;
    size_t n_slots, n_used;
} oc_opkey_map;

oc_opkey_map oc_opkey_map_new(oc_arena *arena);
/* returns false when memory runs out */
bool oc_opkey_map_put(oc_opkey_map *m, oc_opkey key, int value);
int oc_opkey_map_get(const oc_opkey_map *m, oc_opkey key); /* returns -1 when key is absent */

static inline oc_opkey oc_opkey_of_function(const oc_function *f)
{
    return (oc_opkey){f->domain, f->name, f->overload, 0};
}

/* Returns the key of the function that the node calls, if the model has that function. */
static inline oc_opkey oc_opkey_of_call(const oc_node *n)
{
    return (oc_opkey){n->domain, n->op_type, n->overload, 0};
}
