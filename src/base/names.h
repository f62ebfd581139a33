/* SPDX-License-Identifier: Apache-2.0
 * names.h - interned strings: within one table, equal names are equal pointers. */
#pragma once

#include "base/arena.h"
#include "base/siphash.h"

/* An interned name: NUL-terminated, without other NUL bytes. It lives as long as the table's
 * arena. */
typedef const char *oc_name;

typedef struct oc_names {
    oc_arena *arena;
    struct oc_names_entry **buckets;
    size_t n_buckets, n_entries;
    oc_sip_key key; /* secret, so that nobody can write a file whose names collide */
} oc_names;

oc_names oc_names_new(oc_arena *arena);
/* Returns the name in the table that equals the size bytes, adding it when it is absent. Returns
 * NULL when memory runs out (oc_arena_check reports it). */
oc_name oc_names_intern(oc_names *t, const char *bytes, size_t size);
/* As oc_names_intern, but returns NULL when the name is absent. Allocates nothing. */
oc_name oc_names_find(const oc_names *t, const char *bytes, size_t size);
/* Adds all names of other to the empty table t. Both then have the same pointers, so the arena of
 * other must outlive t. Returns false when memory runs out. */
bool oc_names_share(oc_names *t, const oc_names *other);
/* Returns 64 bits that nobody can predict and that stay the same for this name. name must come
 * from a table. */
uint64_t oc_name_hash(oc_name name);

/* A map from names to integers. It compares the pointers of names, so all keys must come from one
 * table. */
typedef struct oc_name_map {
    oc_arena *arena;
    struct oc_name_slot *slots;
    size_t n_slots, n_used;
} oc_name_map;

oc_name_map oc_name_map_new(oc_arena *arena);
/* returns false when memory runs out */
bool oc_name_map_put(oc_name_map *m, oc_name key, int value);
int oc_name_map_get(const oc_name_map *m, oc_name key); /* returns -1 when key is absent */
