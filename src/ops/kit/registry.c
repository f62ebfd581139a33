/* SPDX-License-Identifier: Apache-2.0
 * registry.c - the list of the built-in operators' tables, and the search in it. */
#include "ops/kit/registry.h"

#include "ops/kit/sig.h"

#define OC_OPS(file) extern const oc_op oc_ops_##file[];
#include "ops/ops.def"
#undef OC_OPS

static const oc_op *const tables[] = {
#define OC_OPS(file) oc_ops_##file,
#include "ops/ops.def"
#undef OC_OPS
    NULL};

/* The newest row that serves the operator. The rows of one operator are adjacent, newest first. */
static const oc_op *find_row(const oc_op *row, const char *domain, const char *name, int64_t opset,
                             int *oldest)
{
    const char first = *domain ? *domain : *name; /* most rows differ here already */
    for (; row && row->signature; row++) {
        if (row->signature[0] != first || !oc_sig_names(row->signature, domain, name))
            continue;
        if (row->since <= opset)
            return row;
        *oldest = row->since;
    }
    return NULL;
}

const oc_op *oc_op_find(const oc_op *host, const char *domain, const char *name, int64_t opset,
                        int *oldest)
{
    *oldest = 0;
    const oc_op *row = find_row(host, domain, name, opset, oldest);
    for (int t = 0; !row && tables[t]; t++)
        row = find_row(tables[t], domain, name, opset, oldest);
    return row;
}

const oc_op *oc_op_at(int i)
{
    for (int t = 0; tables[t]; t++)
        for (const oc_op *row = tables[t]; row->signature; row++)
            if (i-- == 0)
                return row;
    return NULL;
}
