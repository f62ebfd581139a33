/* SPDX-License-Identifier: Apache-2.0
 * names.c - the intern table (chained) and the name map (open addressing, linear probing). */
#include "base/names.h"

#include <string.h>

typedef struct oc_names_entry {
    struct oc_names_entry *next;
    uint64_t hash;
    size_t size;
    const char *text;
} oc_names_entry;

typedef struct oc_name_slot {
    oc_name key; /* NULL: the slot is free */
    int value;
} oc_name_slot;

/* FNV-1a that begins with the table's seed. The last step mixes the high bits into the low bits,
 * which select the bucket. */
static uint64_t hash_bytes(const oc_names *t, const char *bytes, size_t size)
{
    uint64_t h = t->seed;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

oc_names oc_names_new(oc_arena *arena)
{
    /* The seed comes from an address, so it differs between runs; no result depends on it. */
    const uint64_t place = (uint64_t)(uintptr_t)arena;
    return (oc_names){.arena = arena, .seed = (place ^ place >> 9) * UINT64_C(0x9e3779b97f4a7c15)};
}

static oc_names_entry *find_entry(const oc_names *t, const char *bytes, size_t size, uint64_t hash)
{
    if (t->n_buckets == 0)
        return NULL;
    oc_names_entry *x = t->buckets[hash & (t->n_buckets - 1)];
    while (x && !(x->hash == hash && x->size == size && memcmp(x->text, bytes, size) == 0))
        x = x->next;
    return x;
}

static bool grow_buckets(oc_names *t)
{
    const size_t n = t->n_buckets ? t->n_buckets * 2 : 64;
    oc_names_entry **buckets = oc_arena_array(t->arena, n, sizeof *buckets);
    if (!buckets)
        return false;
    for (size_t i = 0; i < t->n_buckets; i++)
        for (oc_names_entry *x = t->buckets[i], *next; x; x = next) {
            next = x->next;
            x->next = buckets[x->hash & (n - 1)];
            buckets[x->hash & (n - 1)] = x;
        }
    t->buckets = buckets;
    t->n_buckets = n;
    return true;
}

oc_name oc_names_find(const oc_names *t, const char *bytes, size_t size)
{
    const oc_names_entry *x = find_entry(t, bytes, size, hash_bytes(t, bytes, size));
    return x ? x->text : NULL;
}

oc_name oc_names_intern(oc_names *t, const char *bytes, size_t size)
{
    const uint64_t hash = hash_bytes(t, bytes, size);
    oc_names_entry *x = find_entry(t, bytes, size, hash);
    if (x)
        return x->text;
    if (t->n_entries >= t->n_buckets && !grow_buckets(t))
        return NULL;
    x = oc_arena_alloc(t->arena, sizeof *x);
    const char *text = oc_arena_text(t->arena, bytes, size);
    if (!x || !text)
        return NULL;
    oc_names_entry **bucket = &t->buckets[hash & (t->n_buckets - 1)];
    *x = (oc_names_entry){*bucket, hash, size, text};
    *bucket = x;
    t->n_entries++;
    return text;
}

bool oc_names_share(oc_names *t, const oc_names *other)
{
    oc_names_entry *copy = oc_arena_array(t->arena, other->n_entries, sizeof *copy);
    t->buckets = oc_arena_array(t->arena, other->n_buckets, sizeof(oc_names_entry *));
    if (!copy || !t->buckets)
        return false;
    t->n_buckets = other->n_buckets;
    t->n_entries = other->n_entries;
    t->seed = other->seed;
    for (size_t i = 0; i < other->n_buckets; i++)
        for (const oc_names_entry *x = other->buckets[i]; x; x = x->next, copy++) {
            *copy = *x;
            copy->next = t->buckets[i];
            t->buckets[i] = copy;
        }
    return true;
}

oc_name_map oc_name_map_new(oc_arena *arena)
{
    return (oc_name_map){.arena = arena};
}

static size_t hash_pointer(const void *p)
{
    const uint64_t h = (uint64_t)(uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 20);
}

/* The slot that holds key, or the free slot where it belongs. */
static oc_name_slot *find_slot(const oc_name_map *m, oc_name key)
{
    size_t i = hash_pointer(key) & (m->n_slots - 1);
    while (m->slots[i].key && m->slots[i].key != key)
        i = (i + 1) & (m->n_slots - 1);
    return &m->slots[i];
}

static bool grow_slots(oc_name_map *m)
{
    oc_name_map larger = {.arena = m->arena, .n_slots = m->n_slots ? m->n_slots * 2 : 16};
    larger.slots = oc_arena_array(m->arena, larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->slots[i].key)
            *find_slot(&larger, m->slots[i].key) = m->slots[i];
    larger.n_used = m->n_used;
    *m = larger;
    return true;
}

bool oc_name_map_put(oc_name_map *m, oc_name key, int value)
{
    if (m->n_used * 2 >= m->n_slots && !grow_slots(m))
        return false;
    oc_name_slot *s = find_slot(m, key);
    m->n_used += s->key == NULL;
    *s = (oc_name_slot){key, value};
    return true;
}

int oc_name_map_get(const oc_name_map *m, oc_name key)
{
    if (m->n_slots == 0)
        return -1;
    const oc_name_slot *s = find_slot(m, key);
    return s->key ? s->value : -1;
}
