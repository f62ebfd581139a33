/* SPDX-License-Identifier: Apache-2.0
 * types.c - the known types of values, each packed in one integer of a map. */
#include "graph/types.h"

enum { KIND_SHIFT = 8, KIND_MASK = 0xff, MIXED = 1 << 16 };

oc_types oc_types_new(oc_arena *arena)
{
    return (oc_types){oc_name_map_new(arena)};
}

void oc_types_put(oc_types *t, oc_name value, oc_known_type type)
{
    if (type.type == OC_UNDEFINED || !*value)
        return;
    const int packed = (int)type.kind << KIND_SHIFT | (int)type.type;
    const int before = oc_name_map_get(&t->of, value);
    const bool mixed = before >= 0 && before != packed;
    if (before != (packed | MIXED))
        oc_name_map_put(&t->of, value, mixed ? packed | MIXED : packed);
}

static oc_known_type unpack(int packed)
{
    if (packed < 0)
        return (oc_known_type){.type = OC_UNDEFINED};
    return (oc_known_type){(oc_kind)(packed >> KIND_SHIFT & KIND_MASK),
                           (oc_type)(packed & ((1 << KIND_SHIFT) - 1))};
}

oc_known_type oc_types_get(const oc_types *t, oc_name value)
{
    return unpack(*value ? oc_name_map_get(&t->of, value) : -1);
}

oc_known_type oc_types_only(const oc_types *t, oc_name value)
{
    const int packed = *value ? oc_name_map_get(&t->of, value) : -1;
    return unpack(packed < 0 || packed & MIXED ? -1 : packed);
}

oc_known_type oc_known_from(const oc_type_info *declared)
{
    oc_known_type known = {.kind = OC_TENSOR};
    if (declared->kind == OC_TYPE_OPTIONAL || declared->kind == OC_TYPE_SEQUENCE) {
        known.kind = declared->kind == OC_TYPE_SEQUENCE ? OC_SEQUENCE : OC_OPTIONAL;
        declared = declared->item;
    }
    known.type = declared && declared->kind == OC_TYPE_TENSOR ? declared->type : OC_UNDEFINED;
    return known;
}
