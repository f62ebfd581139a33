/* SPDX-License-Identifier: Apache-2.0
 * shrink.h - finds the smallest part of a model that still shows what is searched for. */
#pragma once

#include "reduce/shows.h"

typedef struct shrink_result {
    oc_model *part; /* the smallest part found, which the caller frees; NULL: none */
    int64_t tries;
    bool ended; /* true: `most` parts were tried */
} shrink_result;

/* Tries no more than `most` parts of the model. Each smaller part that shows it is written to
 * the path out at once. OC_ARGUMENT when the model itself does not show it. After an error there
 * may be a part. */
shrink_result shrink(const oc_model *m, const shows *looked, const char *out, int64_t most,
                     bool quiet, oc_error *e);
