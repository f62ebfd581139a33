/* SPDX-License-Identifier: Apache-2.0
 * registry.c - the list of the built-in operators' tables, and the search in it. */
#include "ops/kit/registry.h"

#include "ops/signature/sig.h"

#define OC_OPS(file) extern const oc_op oc_ops_##file[];
#include "ops/ops.def"
#undef OC_OPS

static const oc_op *const tables[] = {
#define OC_OPS(file) oc_ops_##file,
#include "ops/ops.def"
#undef OC_OPS
    NULL};

/* The newest version that serves the operator. The versions of one operator are adjacent, newest
 * first. */
static const oc_op *find_version(const oc_op *version, const char *domain, const char *name,
                                 int64_t opset, int *oldest)
{
    const char first = *domain ? *domain : *name; /* most versions differ here already */
    for (; version && version->signature; version++) {
        if (version->signature[0] != first || !oc_sig_names(version->signature, domain, name))
            continue;
        if (version->since <= opset)
            return version;
        *oldest = version->since;
    }
    return NULL;
}

const oc_op *oc_op_find(const oc_op *host, const char *domain, const char *name, int64_t opset,
                        int *oldest)
{
    *oldest = 0;
    const oc_op *version = find_version(host, domain, name, opset, oldest);
    for (int t = 0; !version && tables[t]; t++)
        version = find_version(tables[t], domain, name, opset, oldest);
    return version;
}

const oc_op *oc_op_at(int i)
{
    for (int t = 0; tables[t]; t++)
        for (const oc_op *version = tables[t]; version->signature; version++)
            if (i-- == 0)
                return version;
    return NULL;
}
