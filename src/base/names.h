/* SPDX-License-Identifier: Apache-2.0
 * names.h - interned strings: within one table equal names are equal pointers. */
#ifndef OC_BASE_NAMES_H
#define OC_BASE_NAMES_H

#include "base/arena.h"

/* A name: NUL-terminated, holds no other NUL, lives as long as the table's arena. */
typedef const char *oc_name;

typedef struct oc_names {
    oc_arena *arena;
    struct oc_names_entry **buckets;
    size_t n_buckets, n_entries;
    uint64_t seed; /* of the hash: files cannot be made so that all their names collide */
} oc_names;

oc_names oc_names_new(oc_arena *arena);
/* The table's own copy of size bytes; NULL when memory runs out (the arena remembers it). */
oc_name oc_names_intern(oc_names *t, const char *bytes, size_t size);
/* The entry if it is there, else NULL; allocates nothing. */
oc_name oc_names_find(const oc_names *t, const char *bytes, size_t size);
/* Gives the empty table t all names of another: the same pointers, which live as long as the other
 * table's arena. False: out of memory. */
bool oc_names_share(oc_names *t, const oc_names *other);

/* A map from names to integers: name pointers are compared, never their characters. */
typedef struct oc_name_map {
    oc_arena *arena;
    struct oc_name_slot *slots;
    size_t n_slots, n_used;
} oc_name_map;

oc_name_map oc_name_map_new(oc_arena *arena);
bool oc_name_map_put(oc_name_map *m, oc_name key, int value); /* false: out of memory */
int oc_name_map_get(const oc_name_map *m, oc_name key);       /* -1: absent */

#endif
