/* SPDX-License-Identifier: Apache-2.0
 * attr.c - what is known of each kind of attribute. */
#include "tensor/attr.h"

static const struct {
    const char *name;
    oc_attr_kind item;
} kinds[] = {[OC_ATTR_UNDEFINED] = {"undefined", OC_ATTR_UNDEFINED},
#define X(kind, number, item, text) [number] = {text, OC_ATTR_##item},
             OC_ATTR_MAP(X)
#undef X
};

const char *oc_attr_kind_name(oc_attr_kind kind)
{
    return kinds[(unsigned)kind < OC_N_ATTR_KINDS ? kind : OC_ATTR_UNDEFINED].name;
}

oc_attr_kind oc_attr_item(oc_attr_kind kind)
{
    return kinds[kind].item;
}
