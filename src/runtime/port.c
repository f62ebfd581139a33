/* SPDX-License-Identifier: Apache-2.0
 * port.c - shows a declared value in the public interface. */
#include "runtime/port.h"

#include "graph/declared.h"

oc_port oc_port_of(const oc_value_info *info)
{
    const oc_type_info *t = &info->type;
    oc_port p = {.name = info->name,
                 .type = t->type,
                 .rank = -1,
                 .description = info->doc && *info->doc ? info->doc : NULL};
    p.kind = oc_declared_kind(t);
    for (; t->item; t = t->item) {
        if (t->kind == OC_TYPE_MAP)
            p.key_type = t->type;
        p.type = t->item->type;
    }
    if (p.kind != OC_TENSOR || t->rank > OC_MAX_RANK)
        return p;
    p.rank = t->rank;
    for (int i = 0; i < t->rank; i++) {
        const oc_dim *d = &t->dims[i];
        p.dim[i] = d->n;
        p.dim_name[i] = *d->symbol ? d->symbol : NULL;
        p.dim_denotation[i] = d->denotation && *d->denotation ? d->denotation : NULL;
    }
    return p;
}
