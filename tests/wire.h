/* SPDX-License-Identifier: Apache-2.0
 * wire.h - protobuf messages written byte by byte, right ones and wrong ones, and a counted heap to
 * load them into. */
#pragma once

#include "suite.h"

#include <ocellus.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

typedef struct wire {
    uint8_t *bytes; /* freed by wire_free */
    size_t size, room;
} wire;

static inline void wire_raw(wire *w, const void *bytes, size_t size)
{
    if (size > w->room - w->size) {
        w->room = 2 * w->room + size;
        w->bytes = realloc(w->bytes, w->room);
        ck_assert_ptr_nonnull(w->bytes);
    }
    if (size)
        memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static inline void wire_varint(wire *w, uint64_t v)
{
    do {
        const uint8_t b = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        wire_raw(w, &b, 1);
        v >>= 7;
    } while (v);
}

static inline void wire_key(wire *w, unsigned field, unsigned type)
{
    wire_varint(w, (uint64_t)field << 3 | type);
}

static inline void wire_int(wire *w, unsigned field, int64_t v)
{
    wire_key(w, field, WIRE_VARINT);
    wire_varint(w, (uint64_t)v);
}

static inline void wire_bytes(wire *w, unsigned field, const void *bytes, size_t size)
{
    wire_key(w, field, WIRE_BYTES);
    wire_varint(w, size);
    wire_raw(w, bytes, size);
}

static inline void wire_text(wire *w, unsigned field, const char *text)
{
    wire_bytes(w, field, text, strlen(text));
}

static inline void wire_free(wire *w)
{
    free(w->bytes);
    *w = (wire){0};
}

/* Puts the message child into w, and frees it. */
static inline void wire_message(wire *w, unsigned field, wire *child)
{
    wire_bytes(w, field, child->bytes, child->size);
    wire_free(child);
}

/* An oc_writer that appends to a wire. */
static inline bool wire_write(void *ctx, const void *bytes, size_t size)
{
    wire_raw(ctx, bytes, size);
    return true;
}

/* A TensorProto [n], of at most 64 bytes: 1, 0, 1, then zeros. */
static inline wire wire_tensor(oc_type type, int64_t n)
{
    wire t = {0};
    uint8_t raw[64] = {1, 0, 1};
    wire_int(&t, 1, n);
    wire_int(&t, 2, type);
    wire_bytes(&t, 9, raw, oc_type_size(type) * (size_t)n);
    return t;
}

/* A model of one graph, which is freed: IR version 10, ONNX's opset 21. */
static inline wire wire_model(wire *graph)
{
    wire m = {0}, opset = {0};
    wire_int(&m, 1, 10);
    wire_int(&opset, 2, 21);
    wire_message(&m, 8, &opset);
    wire_message(&m, 7, graph);
    return m;
}

/* Counts what is allocated; the fail_at-th allocation fails (0: none does). */
typedef struct heap {
    size_t live, peak;
    int calls, fail_at;
} heap;

static inline void *heap_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    heap *h = ctx;
    if (new_size > old_size && ++h->calls == h->fail_at)
        return NULL;
    void *p = NULL;
    if (new_size == 0)
        free(block);
    else if ((p = realloc(block, new_size)) == NULL)
        return NULL;
    h->live = h->live - old_size + new_size;
    if (h->live > h->peak)
        h->peak = h->live;
    return p;
}
