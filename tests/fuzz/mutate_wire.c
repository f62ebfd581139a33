/* SPDX-License-Identifier: Apache-2.0
 * mutate_wire.c - fields are dropped, doubled, moved and nested; numbers and lengths go to their
 * limits; texts become words, long ones too, or other texts of the same model, so that names meet.
 */
#include "mutate_wire.h"

#include "harness.h"
#include "suite.h"
#include "wire_tree.h"
#include "words.h"

#include <string.h>

enum { MOST_FIELDS = 4096, MADE_BYTES = 1 << 16 };

extern const ProtobufCMessageDescriptor onnx__model_proto__descriptor;

typedef struct place {
    tree *parent;
    int at;
} place;

typedef struct mutator {
    suite_random random;
    tree root;
    place place[MOST_FIELDS];
    uint32_t n;
    uint8_t made[MADE_BYTES]; /* bytes that were not in the model */
    size_t n_made;
} mutator;

static uint32_t below(mutator *m, size_t n)
{
    return n ? suite_below(&m->random, (uint32_t)n) : 0;
}

static void note_places(mutator *m, tree *t)
{
    for (int i = 0; i < t->n && m->n < MOST_FIELDS; i++) {
        m->place[m->n++] = (place){t, i};
        note_places(m, &t->child[i]);
    }
}

static tree *at(place p)
{
    return &p.parent->child[p.at];
}

/* Another place, whose field could stand in the place of this one; itself, if there is none. */
static place like(mutator *m, place p)
{
    for (int tries = 0; tries < 40; tries++) {
        const place q = m->place[below(m, m->n)];
        if (q.parent->type == p.parent->type && at(q)->number == at(p)->number)
            return q;
    }
    return p;
}

/* ---- fields ---- */

static void repeat(mutator *m, place p)
{
    const uint32_t times = below(m, 10) ? 1 : 2 + below(m, 60);
    for (uint32_t i = 0; i < times; i++)
        tree_insert(p.parent, p.at, tree_copy(at(p)));
}

static void swap(mutator *m, place p)
{
    const int other = (int)below(m, (size_t)p.parent->n);
    const tree t = *at(p);
    *at(p) = p.parent->child[other];
    p.parent->child[other] = t;
}

/* A copy of a field like this one replaces it, or stands beside it. */
static void splice(mutator *m, place p)
{
    const tree copy = tree_copy(at(like(m, p)));
    if (below(m, 2))
        tree_insert(p.parent, p.at, copy);
    else {
        tree_free(at(p));
        *at(p) = copy;
    }
}

/* It becomes the value of another field of its message. */
static void rename_field(mutator *m, place p)
{
    tree *t = at(p);
    if (p.parent->type && below(m, 8))
        t->number = p.parent->type->fields[below(m, p.parent->type->n_fields)].id;
    else
        t->number = below(m, 1u << 29);
}

/* ---- nesting ---- */

static const ProtobufCFieldDescriptor *message_field(mutator *m,
                                                     const ProtobufCMessageDescriptor *type)
{
    for (int tries = 0; tries < 20; tries++) {
        const ProtobufCFieldDescriptor *f = &type->fields[below(m, type->n_fields)];
        if (f->type == PROTOBUF_C_TYPE_MESSAGE)
            return f;
    }
    return NULL;
}

/* Puts a message into messages within one of its own kind, many times over. */
static void nest(mutator *m, place p)
{
    enum { LONGEST = 4 };
    const ProtobufCMessageDescriptor *const kind = at(p)->type;
    const ProtobufCFieldDescriptor *way[LONGEST];
    int steps = 0;
    for (int tries = 0; kind && tries < 100; tries++) {
        const ProtobufCMessageDescriptor *type = kind;
        for (steps = 0; steps < LONGEST && (way[steps] = message_field(m, type));) {
            type = way[steps++]->descriptor;
            if (type == kind)
                break;
        }
        if (steps && type == kind)
            break;
        steps = 0;
    }
    if (!steps)
        return;
    for (uint32_t times = below(m, 4) ? 1 : 1 + below(m, 120 / (uint32_t)steps); times > 0; times--)
        for (int i = steps - 1; i >= 0; i--) {
            tree inner = *at(p);
            const ProtobufCMessageDescriptor *outside = i ? way[i - 1]->descriptor : kind;
            tree outer = {.number = inner.number, .wire = TREE_BYTES, .type = outside};
            inner.number = way[i]->id;
            tree_insert(&outer, outer.n, inner);
            *at(p) = outer;
        }
}

/* ---- numbers and texts ---- */

static uint64_t extreme(mutator *m)
{
    static const int64_t limits[] = {0, 1, 2, 7, 8, 16, 17, 127, 128, 255, 256, 65535, 65536};
    const uint32_t how = below(m, 4);
    if (how == 0)
        return (uint64_t)limits[below(m, sizeof limits / sizeof *limits)];
    if (how == 1)
        return (uint64_t)-limits[below(m, sizeof limits / sizeof *limits)];
    return (UINT64_C(1) << below(m, 64)) - below(m, 3);
}

static void set_number(mutator *m, tree *t)
{
    const tree *other = at(m->place[below(m, m->n)]);
    const uint32_t how = below(m, 8);
    if (how == 0 && other->wire != TREE_BYTES)
        t->value = other->value;
    else if (how < 4)
        t->value += (uint64_t)below(m, 9) - 4;
    else
        t->value = extreme(m);
    t->padded = below(m, 20) == 0;
}

/* Room for bytes that live as long as the mutation; NULL when there is no more. */
static uint8_t *make(mutator *m, size_t n)
{
    if (n > MADE_BYTES - m->n_made)
        return NULL;
    m->n_made += n;
    return m->made + m->n_made - n;
}

/* Elements at their limits, of no type that is known here. */
static void damage(mutator *m, tree *t)
{
    uint8_t *copy = t->size ? make(m, t->size) : NULL;
    if (!copy)
        return;
    memcpy(copy, t->bytes, t->size);
    for (uint32_t i = 1 + below(m, 4); i > 0; i--) {
        const uint32_t from = below(m, t->size), width = 1u << below(m, 4);
        const uint64_t v = extreme(m);
        for (uint32_t k = 0; k < width && from + k < t->size; k++)
            copy[from + k] = (uint8_t)(v >> (8 * k));
    }
    t->bytes = copy;
}

static void enlarge(mutator *m, tree *t)
{
    const size_t size = t->size * (2 + below(m, 3)) + below(m, 9);
    uint8_t *more = make(m, size);
    if (!more)
        return;
    memset(more, (int)below(m, 256), size);
    if (t->size)
        memcpy(more, t->bytes, t->size);
    t->bytes = more;
    t->size = size;
}

static void set_bytes(mutator *m, tree *t)
{
    const tree *other = at(m->place[below(m, m->n)]);
    const uint32_t how = below(m, 10);
    oc_string word = fuzz_word(below(m, fuzz_n_words()));
    if (how == 0)
        word = fuzz_long_word(below(m, 100));
    else if (how < 4 && other->wire == TREE_BYTES && !other->type)
        word = (oc_string){(const char *)other->bytes, other->size};
    else if (how == 4)
        word.size = below(m, 2) ? 0 : word.size;
    else if (how == 5 && t->size)
        word = (oc_string){(const char *)t->bytes, below(m, t->size)};
    if (how == 6)
        enlarge(m, t);
    else if (how > 6)
        damage(m, t);
    else {
        t->bytes = (const uint8_t *)word.data;
        t->size = word.size;
    }
}

static void misform(mutator *m, tree *t)
{
    const uint32_t how = below(m, 4);
    if (how == 0)
        t->wire = (int)below(m, 8);
    else if (how == 1)
        t->padded = true;
    else if (how == 2)
        t->lie = (int64_t)below(m, 9) - 4;
    else
        t->lie = (int64_t)extreme(m);
    if (t->wire == TREE_BYTES && !t->bytes) {
        t->bytes = (const uint8_t *)"";
        t->size = 0;
    }
}

/* ---- a mutation ---- */

static void change(mutator *m)
{
    m->n = 0;
    note_places(m, &m->root);
    if (m->n == 0)
        return;
    const place p = m->place[below(m, m->n)];
    tree *t = at(p);
    const uint32_t how = below(m, 24);
    if (how < 9 && t->wire == TREE_BYTES && !t->type)
        set_bytes(m, t);
    else if (how < 9 && t->wire != TREE_BYTES)
        set_number(m, t);
    else if (how < 12)
        splice(m, p);
    else if (how < 15)
        tree_remove(p.parent, p.at);
    else if (how < 17)
        repeat(m, p);
    else if (how < 19)
        swap(m, p);
    else if (how < 20)
        rename_field(m, p);
    else if (how < 22)
        nest(m, p);
    else if (how == 22 && below(m, 3) == 0)
        misform(m, t);
}

size_t mutate_wire(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static mutator m;
    m.random = (suite_random){.state = seed};
    if (below(&m, 10) == 0)
        return LLVMFuzzerMutate(bytes, size, room);
    uint8_t *model = malloc(size + 1);
    if (!model)
        abort();
    memcpy(model, bytes, size);
    m.root = tree_read(&onnx__model_proto__descriptor, model, size);
    m.n_made = 0;
    for (uint32_t n = 1 + below(&m, 5); n > 0; n--)
        change(&m);
    const size_t written = tree_write(&m.root, bytes, room);
    tree_free(&m.root);
    free(model);
    return written <= room ? written : LLVMFuzzerMutate(bytes, size, room);
}
