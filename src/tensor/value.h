/* SPDX-License-Identifier: Apache-2.0
 * value.h - what an edge of the graph carries: a tensor, a sequence of values, an optional, or a
 * map.
 *
 * An oc_value is a plain struct that is copied by assignment; data points to its elements.
 * Elements are either counted or borrowed. Counted: buffer is set, and each struct that holds it
 * owns one reference (oc_value_ref, oc_value_unref). Borrowed: buffer is NULL, and the model or
 * the host keeps data alive for the whole run. Reference counts are not atomic, because buffers
 * never leave their session. */
#pragma once

#include "base/arena.h"
#include "tensor/dims.h"
#include "base/element_type.h"

/* A pool of counted buffers. It keeps released buffers and hands them out again by best fit, so
 * that a run with a warm pool allocates little or nothing. The unused rest of a large buffer
 * becomes a buffer of its own; both are joined again once both are released. When no idle buffer
 * fits and all buffers together would exceed the peak by more than a quarter, the pool frees
 * smaller idle ones, as long as later calls do not miss them, and it never keeps more than twice
 * the peak: a value that grows in a loop does not leave buffers of all its sizes behind. Idle
 * buffers count against the memory cap; the pool frees all of them before the cap would refuse
 * an allocation. */
typedef struct oc_pool {
    oc_memory *memory;
    struct oc_idle *idle; /* the sizes of idle buffers, smallest first */
    size_t n_idle, room;  /* number of items of the array idle, and how many it has room for */
    size_t idle_bytes;    /* total size of the idle buffers */
    size_t live, peak;    /* bytes handed out now, and the largest value that live had */
    size_t replaced;      /* bytes of the largest idle buffer that was freed for a larger one */
    size_t missed; /* bytes of all buffers made since then that are no larger than `replaced` */
    bool no_reuse; /* true: a buffer is freed as soon as it is released */
} oc_pool;

/* The idle buffers of one size. There are few sizes: n of them need more than 32 n^2 bytes. A
 * search reads the sizes here, because the buffers themselves may be in no cache. */
typedef struct oc_idle {
    size_t size;
    struct oc_buffer *last; /* the buffer that was released last; its `older` leads to the others */
} oc_idle;

typedef struct oc_buffer {
    oc_pool *pool;
    int64_t refs;   /* 0 when the buffer is idle */
    size_t size;    /* usable bytes at data */
    void *data;     /* aligned to OC_ALIGN */
    bool of_values; /* true: data holds count oc_value items, each with a reference of its own */
    bool listed;    /* true: the buffer is idle and in its pool's list */
    int64_t count;
    /* while listed, the buffer of that size that was released before; NULL: there is none */
    struct oc_buffer *older;
    /* newer: while a large buffer is listed, the one that was released after it. before, behind:
     * the neighbours in one block of memory. NULL: there is none. */
    struct oc_buffer *newer, *before, *behind;
} oc_buffer;

enum { OC_ALIGN = 64 };

struct oc_value {
    oc_kind kind;
    /* element type; of a sequence or optional the type of its items, of a map that of its values */
    oc_type type;
    oc_type key;  /* key type of a map, or of the maps in a sequence; else OC_UNDEFINED */
    oc_dims dims; /* a sequence has [its length], an optional [0] or [1], a map [2] */
    void *data;   /* elements, or oc_value items; NULL while they are unknown (static shapes) */
    oc_buffer *buffer; /* NULL when the elements are borrowed */
    bool nchw16c;      /* true: the elements lie in NCHW16c; false: they lie row-major */
    /* true: the value belongs to the host, which may call oc_value_free on it; copies have false */
    bool owned;
    bool bound; /* true: the host has bound these elements to an input */
};

/* In NCHW16c a tensor [N,C,...] of floats or 8-bit integers lies in memory as [N,C/16,...,16],
 * with C/16 rounded up: 16 channels of a pixel lie side by side, for floats in one cache line.
 * Places without a channel hold undefined bits. */
enum { OC_VALUE_BLOCK = 16 };
/* Without an operator that chooses NCHW16c (src/ops/meson.build) no value ever lies in it. */
#ifdef OC_WITHOUT_NCHW16C
enum { OC_HAS_NCHW16C = 0 };
#else
enum { OC_HAS_NCHW16C = 1 };
#endif
static inline bool oc_is_nchw16c(const oc_value *v)
{
    return OC_HAS_NCHW16C && v->nchw16c;
}

/* Returns the dims in memory of a tensor in NCHW16c. d has rank 2 to OC_MAX_RANK - 1. */
oc_dims oc_value_block_dims(const oc_dims *d);
/* Returns a value in NCHW16c as a row-major one with the dims that it has in memory. It borrows
 * the elements. */
oc_value oc_value_in_memory(const oc_value *v);

oc_pool oc_pool_new(oc_memory *memory);
void oc_pool_trim(oc_pool *p); /* frees all idle buffers */

/* Makes a tensor with uninitialised elements in *v, whose old content is overwritten and not
 * released. */
oc_status oc_value_new_tensor(oc_pool *p, oc_type type, const oc_dims *dims, oc_value *v,
                              oc_error *e);
/* Makes a tensor in NCHW16c with the type and dims of *v, whose old content is overwritten and
 * not released. */
oc_status oc_value_new_nchw16c(oc_pool *p, oc_value *v, oc_error *e);
/* Makes a sequence or optional of n items in *v, whose old content is overwritten and not
 * released. All items are empty tensors of the type until the caller fills them. */
oc_status oc_value_new_list(oc_pool *p, oc_kind kind, oc_type type, int64_t n, oc_value *v,
                            oc_error *e);

/* Makes a map in *v, whose old content is overwritten and not released. The map has two items,
 * the keys and their values. The caller fills both with tensors [n] of these types, the keys
 * strictly ascending (keys.h). */
oc_status oc_value_new_map(oc_pool *p, oc_type key, oc_type type, oc_value *v, oc_error *e);

oc_value oc_value_ref(const oc_value *v); /* returns another reference to the same elements */
/* drops the reference and clears *v, which may be cleared already */
void oc_value_unref(oc_value *v);

/* Can the elements outlive the pool? They can when they are in a block of memory of their own,
 * of about their size, and nobody else refers to it. */
bool oc_value_can_move(const oc_value *v);
/* Gives the elements to an arena of the pool's memory if they can outlive the pool; v borrows
 * them then. Returns whether it did. */
bool oc_value_move(oc_value *v, oc_arena *a);

static inline int64_t oc_value_n(const oc_value *v)
{
    return oc_dims_count(&v->dims);
}

static inline size_t oc_value_bytes(const oc_value *v)
{
    return (size_t)oc_value_n(v) * oc_type_size(v->type);
}

/* Are the elements aligned for their type, so that code may read them as numbers? Weights used in
 * place may be unaligned. */
static inline bool oc_value_is_aligned(const oc_value *v)
{
    return (uintptr_t)v->data % oc_type_align(v->type) == 0;
}

/* Returns the items of a sequence or optional, or the keys and the values of a map. */
static inline oc_value *oc_value_items(const oc_value *v)
{
    return v->data;
}

/* Returns a borrowed tensor over elements that the caller keeps alive. */
static inline oc_value oc_value_borrow(oc_type type, oc_dims dims, const void *data)
{
    return (oc_value){
        .kind = OC_TENSOR, .type = type, .dims = dims, .data = (void *)(uintptr_t)data};
}

/* Are the elements there, also those of items? A value that is not stored or not yet known has
 * none. */
bool oc_value_has_data(const oc_value *v);
/* Are the characters of all strings there, also those of items? All elements must be there. */
bool oc_value_has_characters(const oc_value *v);

/* Do a and b have the same kind, type, dims and elements? Numbers are compared by their bytes,
 * strings by their characters, lists item by item. */
bool oc_value_equal(const oc_value *a, const oc_value *b);

enum { OC_VALUE_TEXT = OC_DIMS_TEXT + 48 };
/* Writes "float[2,3]", "seq(float)[4]" or "map(string, float)[2]" for messages. Returns text. */
const char *oc_value_text(const oc_value *v, char text[OC_VALUE_TEXT]);
