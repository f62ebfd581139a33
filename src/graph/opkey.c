/* SPDX-License-Identifier: Apache-2.0
 * opkey.c - a hash map (open addressing, linear probing) whose keys are domain, name, overload
 * and version. */
#include "graph/opkey.h"

#include "base/counter_random.h"

typedef struct oc_opkey_slot {
    oc_opkey key; /* the slot is free when key.name is NULL */
    int value;
} oc_opkey_slot;

/* Combines the secret hashes of the names, so the hash of a key is secret too. */
static size_t hash_key(const oc_opkey *k)
{
    const uint64_t names =
        oc_name_hash(k->name) + 3 * oc_name_hash(k->domain) + 5 * oc_name_hash(k->overload);
    return (size_t)oc_random_mix(names ^ (uint64_t)k->version);
}

static bool same_key(const oc_opkey *a, const oc_opkey *b)
{
    return a->name == b->name && a->domain == b->domain && a->overload == b->overload &&
           a->version == b->version;
}

/* Returns the slot that holds key, or the free slot where it belongs. */
static oc_opkey_slot *find_slot(const oc_opkey_map *m, const oc_opkey *key)
{
    size_t i = hash_key(key) & (m->n_slots - 1);
    while (m->slots[i].key.name && !same_key(&m->slots[i].key, key))
        i = (i + 1) & (m->n_slots - 1);
    return &m->slots[i];
}

oc_opkey_map oc_opkey_map_new(oc_arena *arena)
{
    return (oc_opkey_map){.arena = arena};
}

static bool grow(oc_opkey_map *m)
{
    oc_opkey_map larger = {.arena = m->arena, .n_slots = m->n_slots ? m->n_slots * 2 : 16};
    larger.slots = oc_arena_array(m->arena, larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->slots[i].key.name)
            *find_slot(&larger, &m->slots[i].key) = m->slots[i];
    larger.n_used = m->n_used;
    *m = larger;
    return true;
}

bool oc_opkey_map_put(oc_opkey_map *m, oc_opkey key, int value)
{
    if (m->n_used * 2 >= m->n_slots && !grow(m))
        return false;
    oc_opkey_slot *s = find_slot(m, &key);
    m->n_used += s->key.name == NULL;
    *s = (oc_opkey_slot){key, value};
    return true;
}

int oc_opkey_map_get(const oc_opkey_map *m, oc_opkey key)
{
    if (m->n_slots == 0)
        return -1;
    const oc_opkey_slot *s = find_slot(m, &key);
    return s->key.name ? s->value : -1;
}
