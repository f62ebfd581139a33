/* SPDX-License-Identifier: Apache-2.0
 * answer_pick.h - leaves in an answer only what is of some classes. */
#pragma once

#include "answer/answer.h"
#include "metadata/metadata.h"

/* Starts as all zero: every class. */
typedef struct picked_classes {
    bool *has; /* n, one for each label from 0 on; NULL: every class */
    int n;
} picked_classes;

/* Reads "cat,3,hot dog": names, or numbers of labels, with commas between. A name may have commas
 * itself. n_classes: of the network; -1: not known. OC_ARGUMENT for what is no class. Free with
 * picked_free, also after an error. */
void picked_read(picked_classes *p, const char *text, const metadata_names *names,
                 int64_t n_classes, oc_error *e);
void picked_free(picked_classes *p);

/* Leaves out objects of other classes, and makes cells of other classes cells without one. What is
 * left is in *memory, which the answer then borrows; free it with data_free. */
void answer_pick(answer *a, const picked_classes *p, void **memory, oc_error *e);
