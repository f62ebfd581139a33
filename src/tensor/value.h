/* SPDX-License-Identifier: Apache-2.0
 * value.h - what an edge of the graph carries: a tensor, a sequence of values, or an optional.
 *
 * An oc_value is a plain struct that is copied by assignment; the elements live behind data. Two
 * ownerships exist. Counted: buffer is set, and each struct that holds it owns one reference
 * (oc_value_ref, oc_value_unref). Borrowed: buffer is NULL, and someone above (the model, the host)
 * keeps data alive for the whole run. Counts are not atomic: buffers never leave their session. */
#ifndef OC_TENSOR_VALUE_H
#define OC_TENSOR_VALUE_H

#include "base/memory.h"
#include "base/status.h"
#include "tensor/dims.h"
#include "tensor/type.h"

enum { OC_POOL_IDLE = 8 };

/* Where counted buffers come from. Released buffers are kept and handed out again by best fit, so a
 * warm run allocates nothing, except where none fits and those kept are more than OC_POOL_IDLE
 * times the most bytes ever alive: then all return to the system, so that a value which grows in a
 * loop does not leave all its sizes behind. Freed buffers count against the cap until they are
 * returned to the system, which happens when the cap would otherwise refuse. */
typedef struct oc_pool {
    oc_memory *memory;
    struct oc_buffer *idle; /* released buffers, largest first */
    size_t idle_bytes;      /* of all of them */
    size_t live, peak;      /* bytes handed out now, and at most so far */
    bool no_reuse;          /* return every buffer to the system at once */
} oc_pool;

typedef struct oc_buffer {
    oc_pool *pool;
    struct oc_buffer *next; /* in the idle list */
    int64_t refs;
    size_t size;    /* usable bytes behind data */
    void *data;     /* aligned to OC_ALIGN */
    bool of_values; /* data holds oc_value items, count of them, each owning its references */
    int64_t count;
} oc_buffer;

enum { OC_ALIGN = 64 };

struct oc_value {
    oc_kind kind;
    oc_type type;      /* element type; of a sequence or optional: its items' element type */
    oc_dims dims;      /* a sequence: rank 1, its length; an optional: rank 1, 0 or 1 */
    void *data;        /* elements, or oc_value items; NULL while unknown (static shapes) */
    oc_buffer *buffer; /* NULL: borrowed */
};

oc_pool oc_pool_new(oc_memory *memory);
void oc_pool_trim(oc_pool *p); /* returns all idle buffers to the system */

/* A tensor with uninitialised elements. *v is overwritten, not released. */
oc_status oc_value_new_tensor(oc_pool *p, oc_type type, const oc_dims *dims, oc_value *v,
                              oc_error *e);
/* A sequence or optional of n items, all empty tensors of the type until the caller fills them. */
oc_status oc_value_new_list(oc_pool *p, oc_kind kind, oc_type type, int64_t n, oc_value *v,
                            oc_error *e);

oc_value oc_value_ref(const oc_value *v); /* another reference to the same elements */
void oc_value_unref(oc_value *v);         /* drops one and clears *v; a cleared value is allowed */

static inline int64_t oc_value_n(const oc_value *v)
{
    return oc_dims_count(&v->dims);
}

static inline size_t oc_value_bytes(const oc_value *v)
{
    return (size_t)oc_value_n(v) * oc_type_size(v->type);
}

/* Do the elements stand where code may read them as numbers? Weights used in place need not. */
static inline bool oc_value_is_aligned(const oc_value *v)
{
    return (uintptr_t)v->data % oc_type_align(v->type) == 0;
}

/* Items of a sequence or optional. */
static inline oc_value *oc_value_items(const oc_value *v)
{
    return v->data;
}

/* A borrowed view of elements somebody else keeps. */
static inline oc_value oc_value_borrow(oc_type type, oc_dims dims, const void *data)
{
    return (oc_value){
        .kind = OC_TENSOR, .type = type, .dims = dims, .data = (void *)(uintptr_t)data};
}

/* Same kind, type, dims and bytes (strings by characters, items one by one). */
bool oc_value_equal(const oc_value *a, const oc_value *b);

enum { OC_VALUE_TEXT = OC_DIMS_TEXT + 32 };
/* "float[2,3]", "seq(float)[4]", for messages. Returns text. */
const char *oc_value_text(const oc_value *v, char text[OC_VALUE_TEXT]);

#endif
