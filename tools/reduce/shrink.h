/* SPDX-License-Identifier: Apache-2.0
 * shrink.h - the smallest part of a model that still shows what is looked for. */
#ifndef TOOLS_REDUCE_SHRINK_H
#define TOOLS_REDUCE_SHRINK_H

#include "reduce/shows.h"

typedef struct shrink_result {
    oc_model *part; /* the smallest found; the caller frees it; NULL: none */
    int64_t tries;
    bool ended; /* by most tries */
} shrink_result;

/* Looks at no more than most parts of the model. Each smaller part that shows it is written to the
 * path out at once. A model that does not show it itself is OC_ARGUMENT. An error may leave a
 * part. */
shrink_result shrink(const oc_model *m, const shows *looked, const char *out, int64_t most,
                     bool quiet, oc_error *e);

#endif
