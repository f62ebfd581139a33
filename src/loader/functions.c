/* SPDX-License-Identifier: Apache-2.0
 * functions.c - the embedded function bodies, by name and version. */
#include "loader/functions.h"

#include <string.h>

#include "functions.def"

static const oc_body body[] = {
#define X(name, since, standard, repaired) {name, since, standard, repaired},
    OC_BODIES(X)
#undef X
};

enum { N_BODIES = sizeof body / sizeof *body };

/* The table is sorted by name, newest first: the first entry that is not before (name, opset). */
static int lower_bound(const char *name, int64_t opset)
{
    int first = 0, last = N_BODIES;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        const int order = strcmp(body[middle].name, name);
        if (order < 0 || (order == 0 && body[middle].since > opset))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

const oc_body *oc_body_find(const char *name, int64_t opset)
{
    const oc_body *b = oc_body_at(lower_bound(name, opset));
    return b && strcmp(b->name, name) == 0 ? b : NULL;
}

const oc_body *oc_body_at(int i)
{
    return i >= 0 && i < N_BODIES ? &body[i] : NULL;
}
