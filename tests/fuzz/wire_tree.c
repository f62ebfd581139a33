/* SPDX-License-Identifier: Apache-2.0
 * wire_tree.c - reads, changes and writes trees of fields. */
#include "wire_tree.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, VARINT_BYTES = 10 };

/* ---- making ---- */

void tree_insert(tree *parent, int at, tree child)
{
    if (parent->n == parent->room) {
        parent->room = 2 * parent->room + 4;
        parent->child = realloc(parent->child, (size_t)parent->room * sizeof *parent->child);
        if (!parent->child)
            abort();
    }
    memmove(parent->child + at + 1, parent->child + at,
            (size_t)(parent->n - at) * sizeof *parent->child);
    parent->child[at] = child;
    parent->n++;
}

void tree_remove(tree *parent, int at)
{
    tree_free(&parent->child[at]);
    parent->n--;
    memmove(parent->child + at, parent->child + at + 1,
            (size_t)(parent->n - at) * sizeof *parent->child);
}

tree tree_copy(const tree *t)
{
    tree copy = *t;
    copy.child = NULL;
    copy.n = copy.room = 0;
    for (int i = 0; i < t->n; i++)
        tree_insert(&copy, i, tree_copy(&t->child[i]));
    return copy;
}

void tree_free(tree *t)
{
    for (int i = 0; i < t->n; i++)
        tree_free(&t->child[i]);
    free(t->child);
    t->child = NULL;
    t->n = t->room = 0;
}

/* ---- reading ---- */

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *v)
{
    *v = 0;
    for (int shift = 0; shift < 70 && *at < end; shift += 7) {
        const uint8_t b = *(*at)++;
        *v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return true;
    }
    return false;
}

static tree read_message(const ProtobufCMessageDescriptor *type, const uint8_t *at, size_t size,
                         int depth);

static bool read_value(tree *t, const uint8_t **at, const uint8_t *end, int depth,
                       const ProtobufCFieldDescriptor *f)
{
    const size_t left = (size_t)(end - *at), fixed = t->wire == TREE_64 ? 8 : 4;
    uint64_t n;
    if (t->wire == TREE_VARINT)
        return read_varint(at, end, &t->value);
    if (t->wire == TREE_64 || t->wire == TREE_32) {
        for (size_t i = 0; left >= fixed && i < fixed; i++)
            t->value |= (uint64_t) * (*at)++ << (8 * i);
        return left >= fixed;
    }
    if (t->wire != TREE_BYTES || !read_varint(at, end, &n) || n > (uint64_t)(end - *at))
        return false;
    const tree field = *t;
    if (f && f->type == PROTOBUF_C_TYPE_MESSAGE && depth < DEEPEST)
        *t = read_message(f->descriptor, *at, (size_t)n, depth + 1);
    t->number = field.number;
    t->wire = field.wire;
    t->bytes = *at;
    t->size = (size_t)n;
    *at += n;
    return true;
}

static tree read_message(const ProtobufCMessageDescriptor *type, const uint8_t *at, size_t size,
                         int depth)
{
    tree m = {.type = type};
    const uint8_t *const end = at + size;
    uint64_t key;
    while (at < end && read_varint(&at, end, &key)) {
        tree t = {.number = (uint32_t)(key >> 3), .wire = (int)(key & 7)};
        if (!read_value(&t, &at, end, depth,
                        protobuf_c_message_descriptor_get_field(type, t.number)))
            break;
        tree_insert(&m, m.n, t);
    }
    return m;
}

tree tree_read(const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size)
{
    return read_message(type, bytes, size, 0);
}

/* ---- writing ---- */

static size_t varint_size(uint64_t v, bool padded)
{
    size_t n = 1;
    while (v >>= 7)
        n++;
    return padded ? VARINT_BYTES : n;
}

static uint8_t *write_varint(uint8_t *at, uint64_t v, bool padded)
{
    const size_t n = varint_size(v, padded);
    for (size_t i = 0; i < n; i++, v >>= 7)
        *at++ = (uint8_t)((v & 0x7f) | (i + 1 < n ? 0x80 : 0));
    return at;
}

static uint64_t key_of(const tree *t)
{
    return (uint64_t)t->number << 3 | (uint64_t)t->wire;
}

/* Sets the sizes of all messages within. */
static size_t measure(tree *t)
{
    if (t->type) {
        t->size = 0;
        for (int i = 0; i < t->n; i++) {
            tree *c = &t->child[i];
            const size_t content = measure(c);
            t->size += varint_size(key_of(c), false) + content;
            if (c->wire == TREE_BYTES)
                t->size += varint_size((uint64_t)content + (uint64_t)c->lie, c->padded);
        }
        return t->size;
    }
    if (t->wire == TREE_BYTES)
        return t->size;
    if (t->wire == TREE_VARINT)
        return varint_size(t->value, t->padded);
    return t->wire == TREE_64 ? 8 : 4;
}

static uint8_t *write_message(const tree *m, uint8_t *at)
{
    for (int i = 0; i < m->n; i++) {
        const tree *c = &m->child[i];
        at = write_varint(at, key_of(c), false);
        if (c->wire == TREE_BYTES)
            at = write_varint(at, (uint64_t)c->size + (uint64_t)c->lie, c->padded);
        if (c->type) {
            at = write_message(c, at);
        } else if (c->wire == TREE_BYTES) {
            if (c->size)
                memcpy(at, c->bytes, c->size);
            at += c->size;
        } else if (c->wire == TREE_VARINT) {
            at = write_varint(at, c->value, c->padded);
        } else {
            for (int k = 0; k < (c->wire == TREE_64 ? 8 : 4); k++)
                *at++ = (uint8_t)(c->value >> (8 * k));
        }
    }
    return at;
}

size_t tree_write(tree *root, uint8_t *out, size_t room)
{
    const size_t size = measure(root);
    if (size <= room)
        write_message(root, out);
    return size;
}
