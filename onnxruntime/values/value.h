/* SPDX-License-Identifier: Apache-2.0
 * value.h - the values of the interface, which the program owns, and how Ocellus' become them. */
#pragma once

#include "common/element_type.h"
#include "common/memory.h"

#include <stdatomic.h>

/* A tensor of numbers has its elements at data: memory of the program, or of an allocator. A tensor
 * of strings is one of Ocellus. Lists are of values: the items of a sequence, the keys and the
 * values of a map, the item of an optional or none. */
struct OrtValue {
    oc_kind kind;
    oc_type type; /* type of the elements, of an item's elements, or of a map's values */
    oc_type key;  /* type of the keys of a map, or of a sequence's maps */
    int rank;     /* rank of a tensor */
    int64_t dim[OC_MAX_RANK];
    int64_t count;           /* number of elements of a tensor, or of items */
    void *data;              /* elements of a tensor of numbers, packed as ort_type_bits says */
    OrtAllocator *allocator; /* frees the data; NULL: the data is borrowed */
    oc_value *strings;       /* a tensor of strings */
    bool borrowed;           /* strings are another's */
    OrtValue **item;         /* count of them, held */
    OrtValue *base;          /* the value that owns the content, which this one holds; NULL: this
                              * one owns it */
    atomic_int others; /* the last member: holders besides the first; ReleaseValue frees after the
                          last */
};

/* Returns value with one more holder, who calls ReleaseValue too. */
OrtValue *ort_value_hold(const OrtValue *value);
/* *out becomes a new value that has the content of another, and holds it. */
OrtStatus *ort_value_share(const OrtValue *value, OrtValue **out);

/* *out becomes a tensor in memory of an allocator. Its numbers are not set; its strings are empty.
 */
OrtStatus *ort_value_new(OrtAllocator *allocator, oc_type type, int rank, const int64_t *dim,
                         OrtValue **out);
/* *out becomes a tensor whose elements lie at data, which it does not free. */
OrtStatus *ort_value_over(void *data, oc_type type, int rank, const int64_t *dim, OrtValue **out);
/* *out becomes a copy of a value of Ocellus in memory of an allocator; NULL is the default one. */
OrtStatus *ort_value_copy(OrtAllocator *allocator, const oc_value *from, OrtValue **out);
/* *out becomes a tensor that borrows the elements of a value of Ocellus, or a copy of the value
 * where that is no tensor or its elements are packed in the interface. */
OrtStatus *ort_value_view(const oc_value *from, OrtValue **out);
/* Copies the value of an output into a tensor, which must have its type and dims. */
OrtStatus *ort_value_fill(OrtValue *to, const oc_value *from, const char *output);
/* *out becomes a value of Ocellus with copies of the elements, for an input of that kind and type.
 */
OrtStatus *ort_value_to_ocellus(const OrtValue *from, oc_kind kind, oc_type type, oc_value **out);
/* Is true where a tensor has these dims. */
bool ort_value_has_dims(const OrtValue *value, size_t rank, const int64_t *dim);
/* "tensor(float)[2,3]", for messages; text has ORT_VALUE_TEXT bytes. Returns text. */
enum { ORT_VALUE_TEXT = 400 };
const char *ort_value_text(const OrtValue *value, char *text);
