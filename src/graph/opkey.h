/* SPDX-License-Identifier: Apache-2.0
 * opkey.h - the key of an operator or a function, and maps from keys to integers. */
#ifndef OC_GRAPH_OPKEY_H
#define OC_GRAPH_OPKEY_H

#include "graph/graph.h"

/* The key of an operator or function. Pointers are compared, so all names must come from one
 * table. */
typedef struct oc_opkey {
    oc_name domain, name, overload;
    int64_t version; /* 0 where versions do not matter */
} oc_opkey;

typedef struct oc_opkey_map {
    oc_arena *arena;
    struct oc_opkey_slot *slots;
    size_t n_slots, n_used;
} oc_opkey_map;

oc_opkey_map oc_opkey_map_new(oc_arena *arena);
bool oc_opkey_map_put(oc_opkey_map *m, oc_opkey key, int value); /* false: out of memory */
int oc_opkey_map_get(const oc_opkey_map *m, oc_opkey key);       /* -1: absent */

static inline oc_opkey oc_opkey_of_function(const oc_function *f)
{
    return (oc_opkey){f->domain, f->name, f->overload, 0};
}

/* The key of the function that the node calls, if the model has such a function. */
static inline oc_opkey oc_opkey_of_call(const oc_node *n)
{
    return (oc_opkey){n->domain, n->op_type, n->overload, 0};
}

#endif
