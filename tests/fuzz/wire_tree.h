/* SPDX-License-Identifier: Apache-2.0
 * wire_tree.h - a protobuf message as a tree of fields that can be changed and written again. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

enum { TREE_VARINT = 0, TREE_64 = 1, TREE_BYTES = 2, TREE_32 = 5 };

/* One field, or the message at the root. */
typedef struct tree {
    uint32_t number;
    int wire;
    uint64_t value;       /* of a number */
    const uint8_t *bytes; /* of all else that is no message; borrowed */
    size_t size;
    const ProtobufCMessageDescriptor *type; /* of a message; NULL: of anything else */
    struct tree *child;
    int n, room;
    int64_t lie; /* is added to the length when it is written */
    bool padded; /* the length or number is written with ten bytes */
} tree;

/* What bytes say, which live as long as the tree; what is no field ends a message. Free it with
 * tree_free. */
tree tree_read(const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size);
void tree_free(tree *t);

/* A copy, and its place among the children of a message. */
tree tree_copy(const tree *t);
void tree_insert(tree *parent, int at, tree child);
void tree_remove(tree *parent, int at);

/* Writes the fields of the message; returns how many bytes that takes, and writes nothing if it is
 * more than room. */
size_t tree_write(tree *root, uint8_t *out, size_t room);
