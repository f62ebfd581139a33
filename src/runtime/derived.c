/* SPDX-License-Identifier: Apache-2.0
 * derived.c - the last step of making a model that borrows from others. */
#include "runtime/derived.h"

#include "graph/build.h"
#include "graph/ports.h"
#include "runtime/plans.h"

oc_model *oc_derived_finish(oc_model *out, oc_status status, const oc_model *source,
                            const oc_model *second, oc_error *e)
{
    if (status != OC_OK) {
        oc_model_drop(source);
        oc_model_drop(second);
        return NULL;
    }
    out->source = source;
    out->second = second;
    if (oc_model_index_ports(out, e) == OC_OK && oc_plans_new(out, e) == OC_OK &&
        e->code == OC_OK) /* a callback may have set e */
        return out;
    oc_model_free(out);
    return NULL;
}
