/* SPDX-License-Identifier: Apache-2.0
 * names.c - the intern table (chained) and the name map (open addressing, linear probing).
 *
 * Both use the hash that is stored before each name. Its key is secret, so nobody can write a
 * file whose names share a bucket, or lie close together in a map. */
#include "base/names.h"

#include "base/size.h"

/* This struct lies before the characters of each name. */
typedef struct name_head {
    uint64_t hash;
    size_t size;
} name_head;

typedef struct oc_names_entry {
    struct oc_names_entry *next;
    oc_name name;
} oc_names_entry;

typedef struct oc_name_slot {
    oc_name key;    /* NULL when the slot is free */
    uint32_t start; /* the low bits of the key's hash, where the search for it begins */
    int value;
} oc_name_slot;

static const name_head *head_of(oc_name name)
{
    return (const name_head *)(const void *)name - 1;
}

oc_names oc_names_new(oc_arena *arena)
{
    return (oc_names){.arena = arena, .key = oc_sip_key_new(arena)};
}

uint64_t oc_name_hash(oc_name name)
{
    return head_of(name)->hash;
}

static oc_name find_name(const oc_names *t, const char *bytes, size_t size, uint64_t hash)
{
    const oc_names_entry *x = t->n_buckets ? t->buckets[hash & (t->n_buckets - 1)] : NULL;
    for (; x; x = x->next) {
        const name_head *head = head_of(x->name);
        if (head->hash == hash && head->size == size && memcmp(x->name, bytes, size) == 0)
            return x->name;
    }
    return NULL;
}

static bool grow_buckets(oc_names *t)
{
    const size_t n = t->n_buckets ? t->n_buckets * 2 : 64;
    oc_names_entry **buckets = oc_arena_array(t->arena, n, sizeof *buckets);
    if (!buckets)
        return false;
    for (size_t i = 0; i < t->n_buckets; i++)
        for (oc_names_entry *x = t->buckets[i], *next; x; x = next) {
            oc_names_entry **bucket = &buckets[oc_name_hash(x->name) & (n - 1)];
            next = x->next;
            x->next = *bucket;
            *bucket = x;
        }
    t->buckets = buckets;
    t->n_buckets = n;
    return true;
}

oc_name oc_names_find(const oc_names *t, const char *bytes, size_t size)
{
    return find_name(t, bytes, size, oc_siphash(&t->key, bytes, size));
}

/* One allocation holds an entry of the table, then the head of the name, then its characters. */
static oc_names_entry *new_entry(oc_arena *arena, const char *bytes, size_t size, uint64_t hash)
{
    size_t whole;
    oc_names_entry *x;
    if (!oc_size_add(size, sizeof *x + sizeof(name_head) + 1, &whole))
        whole = SIZE_MAX;
    x = oc_arena_room(arena, whole, _Alignof(oc_names_entry));
    if (!x)
        return NULL;
    name_head *head = (name_head *)(x + 1);
    char *text = (char *)(head + 1);
    *head = (name_head){hash, size};
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    *x = (oc_names_entry){.name = text};
    return x;
}

oc_name oc_names_intern(oc_names *t, const char *bytes, size_t size)
{
    const uint64_t hash = oc_siphash(&t->key, bytes, size);
    const oc_name name = find_name(t, bytes, size, hash);
    if (name)
        return name;
    if (t->n_entries >= t->n_buckets && !grow_buckets(t))
        return NULL;
    oc_names_entry *x = new_entry(t->arena, bytes, size, hash);
    if (!x)
        return NULL;
    oc_names_entry **bucket = &t->buckets[hash & (t->n_buckets - 1)];
    x->next = *bucket;
    *bucket = x;
    t->n_entries++;
    return x->name;
}

bool oc_names_share(oc_names *t, const oc_names *other)
{
    oc_names_entry *copy = oc_arena_array(t->arena, other->n_entries, sizeof *copy);
    t->buckets = oc_arena_array(t->arena, other->n_buckets, sizeof(oc_names_entry *));
    if (!copy || !t->buckets)
        return false;
    t->n_buckets = other->n_buckets;
    t->n_entries = other->n_entries;
    t->key = other->key;
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

/* Returns the slot that holds key, or the free slot where it belongs. */
static oc_name_slot *find_slot(const oc_name_map *m, oc_name key, uint32_t start)
{
    size_t i = start & (m->n_slots - 1);
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
            *find_slot(&larger, m->slots[i].key, m->slots[i].start) = m->slots[i];
    larger.n_used = m->n_used;
    *m = larger;
    return true;
}

bool oc_name_map_put(oc_name_map *m, oc_name key, int value)
{
    const uint32_t start = (uint32_t)oc_name_hash(key);
    if (m->n_used * 2 >= m->n_slots && !grow_slots(m))
        return false;
    oc_name_slot *s = find_slot(m, key, start);
    m->n_used += s->key == NULL;
    *s = (oc_name_slot){key, start, value};
    return true;
}

int oc_name_map_get(const oc_name_map *m, oc_name key)
{
    if (m->n_slots == 0)
        return -1;
    const oc_name_slot *s = find_slot(m, key, (uint32_t)oc_name_hash(key));
    return s->key ? s->value : -1;
}
