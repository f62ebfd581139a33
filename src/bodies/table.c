/* SPDX-License-Identifier: Apache-2.0
 * table.c - finds the built-in function bodies by name and version. */
#include "bodies/table.h"

#include "functions.def"

static const oc_body body[] = {
#define X(name, since, domain, label, standard, repaired, print)                                   \
    {name, since, domain, label, standard, repaired, print},
    OC_BODIES(X)
#undef X
        {NULL}}; /* a build with few operators may have no bodies */

enum { N_BODIES = sizeof body / sizeof *body - 1 };

/* Returns the index of the first entry that is not before (name, domain, opset). The table is
 * sorted by name, then by domain, and newest first. */
static int lower_bound(const char *domain, const char *name, int64_t opset)
{
    int first = 0, last = N_BODIES;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        const int by_name = strcmp(body[middle].name, name);
        const int order = by_name ? by_name : strcmp(body[middle].domain, domain);
        if (order < 0 || (order == 0 && body[middle].since > opset))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

const oc_body *oc_body_find(const char *domain, const char *name, int64_t opset)
{
    const oc_body *b = oc_body_at(lower_bound(domain, name, opset));
    return b && strcmp(b->name, name) == 0 && strcmp(b->domain, domain) == 0 ? b : NULL;
}

const oc_body *oc_body_at(int i)
{
    return i >= 0 && i < N_BODIES ? &body[i] : NULL;
}

const unsigned char *oc_body_texts(size_t *size)
{
    *size = sizeof texts_gz;
    return texts_gz;
}
