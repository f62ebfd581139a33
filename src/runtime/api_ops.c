/* SPDX-License-Identifier: Apache-2.0
 * api_ops.c - tells which operators the library has, and how it supports those of a model. */
#include "bodies/library.h"
#include "ops/kit/registry.h"
#include "runtime/sized.h"

#include <ocellus_model.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *oc_version(void)
{
    return TEXT(OC_VERSION_MAJOR) "." TEXT(OC_VERSION_MINOR) "." TEXT(OC_VERSION_PATCH);
}

const oc_op *oc_builtin_op(int i)
{
    return i < 0 ? NULL : oc_op_at(i);
}

const char *oc_builtin_body(int i, int *since)
{
    const oc_body *b = i < 0 ? NULL : oc_body_at(i);
    if (b && since)
        *since = b->since;
    return b ? b->label : NULL;
}

static oc_model_operator describe(const oc_usage *u)
{
    oc_model_operator o = {.domain = u->domain,
                           .name = u->op_type,
                           .opset = u->opset,
                           .count = u->count,
                           .support = OC_SUPPORT_NONE};
    int oldest;
    const oc_op *version = oc_op_find(NULL, u->domain, u->op_type, u->opset, &oldest);
    const oc_body *body = oc_body_find(u->domain, u->op_type, u->opset);
    if (u->function >= 0) {
        o.support = OC_SUPPORT_FUNCTION;
    } else if (version) {
        o.support = OC_SUPPORT_NATIVE;
        o.since = version->since;
    } else if (body) {
        o.support = OC_SUPPORT_BODY;
        o.since = body->since;
    }
    return o;
}

bool oc_model_operator_at_sized(const oc_model *model, int i, oc_model_operator *out,
                                size_t out_size)
{
    if (!model || !out || i < 0 || i >= model->n_usage)
        return false;
    const oc_model_operator o = describe(&model->usage[i]);
    oc_sized_write(out, out_size, &o, sizeof o);
    return true;
}
