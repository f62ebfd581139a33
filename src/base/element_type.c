/* SPDX-License-Identifier: Apache-2.0
 * element_type.c - one row per element type, and the proof that none is forgotten. */
#include "base/element_type.h"

#include <string.h>

_Static_assert(OC_N_TYPES <= 8 * sizeof(oc_type_mask), "a mask has a bit for each element type");

#define LISTED          (0 OC_TYPES_LISTED(OC_OR_TYPE))
#define PLUS(name, ...) +OC_SET_(name)
_Static_assert(LISTED == OC_SET_EVERY, "each element type is in a list of element_type.h");
_Static_assert(LISTED == 0 OC_TYPES_LISTED(PLUS), "and in no other list");

#define PACKS(name, bits)                                                                          \
    _Static_assert((bits) >= 8 || 8 % (bits) == 0, "whole elements of " #name " fill a byte");
OC_TYPES_LISTED(PACKS)

static const struct {
    const char *name;
    size_t size;
} types[OC_N_TYPES] = {{"undefined", 0},
#define X(name, number, text, size) [number] = {text, size},
                       OC_TYPE_MAP(X)
#undef X
};

#define BITS(name, bits) [OC_##name] = (bits),
static const uint8_t bits_of[OC_N_TYPES] = {OC_TYPES_LISTED(BITS)};

const char *oc_type_name(oc_type type)
{
    return types[oc_type_is_listed(type) ? type : OC_UNDEFINED].name;
}

size_t oc_type_size(oc_type type)
{
    return types[oc_type_is_listed(type) ? type : OC_UNDEFINED].size;
}

int oc_type_bits(oc_type type)
{
    return bits_of[oc_type_is_listed(type) ? type : OC_UNDEFINED];
}

size_t oc_type_align(oc_type t)
{
    const size_t size = oc_type_size(t);
    return t == OC_STRING                  ? _Alignof(oc_string)
           : oc_type_in(t, OC_SET_COMPLEX) ? size / 2
           : size                          ? size
                                           : 1;
}

oc_type oc_type_find(const char *name, size_t size)
{
    for (int t = OC_UNDEFINED + 1; t < OC_N_TYPES; t++)
        if (strlen(types[t].name) == size && memcmp(types[t].name, name, size) == 0)
            return (oc_type)t;
    return OC_UNDEFINED;
}
