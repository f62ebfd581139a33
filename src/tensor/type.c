/* SPDX-License-Identifier: Apache-2.0
 * type.c - one row per element type. */
#include "tensor/type.h"

#include <string.h>

_Static_assert(OC_N_TYPES <= 8 * sizeof(oc_type_mask), "a mask has a bit for each element type");

static const struct {
    const char *name;
    size_t size;
} types[OC_N_TYPES] = {{"undefined", 0},
#define X(name, number, text, size) [number] = {text, size},
                       OC_TYPE_MAP(X)
#undef X
};

const char *oc_type_name(oc_type type)
{
    return types[oc_type_is_listed(type) ? type : OC_UNDEFINED].name;
}

size_t oc_type_size(oc_type type)
{
    return types[oc_type_is_listed(type) ? type : OC_UNDEFINED].size;
}

size_t oc_type_align(oc_type t)
{
    switch (t) {
    case OC_STRING:
        return _Alignof(oc_string);
    case OC_C64:
    case OC_C128:
        return oc_type_size(t) / 2;
    default:
        return oc_type_size(t) ? oc_type_size(t) : 1;
    }
}

int oc_type_bits(oc_type t)
{
    switch (t) {
    case OC_U4:
    case OC_I4:
    case OC_F4E2M1:
        return 4;
    case OC_U2:
    case OC_I2:
        return 2;
    default:
        return (int)oc_type_size(t) * 8;
    }
}

oc_type oc_type_find(const char *name, size_t size)
{
    for (int t = OC_UNDEFINED + 1; t < OC_N_TYPES; t++)
        if (strlen(types[t].name) == size && memcmp(types[t].name, name, size) == 0)
            return (oc_type)t;
    return OC_UNDEFINED;
}
