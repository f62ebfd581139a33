/* SPDX-License-Identifier: Apache-2.0
 * sweep.h - runs one dimension of a model's inputs at several sizes, as in --sweep N=1,2,4. */
#pragma once

#include "session/inputs.h"

typedef struct sweep {
    char *name; /* name of the dimension, as in --dim */
    int64_t *size;
    int n;
} sweep;

/* Reads "NAME=N,N,..."; OC_ARGUMENT if it is malformed. text NULL: no sizes. Free with
 * sweep_free. */
sweep sweep_read(const char *text, oc_error *e);
void sweep_free(sweep *s);
/* Returns the list given, followed by what --dim would be for the size. That is a --dim of the
 * name. If no dimension has the name "batch", it means those first axes that the model leaves
 * free and that have the name of the first input's one, or no name. OC_ARGUMENT if no input has
 * such an axis. Free with sweep_free_dims. */
args_list sweep_dims(const sweep *s, const oc_model *model, int64_t size, const args_list *given,
                     oc_error *e);
void sweep_free_dims(args_list *dims, const args_list *given);
/* OC_ARGUMENT if an input's value, from a file, has another size on an axis that the dims behind
 * those given name. */
void sweep_check(const inputs *in, const args_list *dims, const args_list *given, oc_error *e);

/* Returns the number of items that a run takes: the size of the first axis of the first input
 * without a default, if the model leaves it free and the first output has it too; 0 when it is
 * unknown. */
int64_t sweep_batch(const inputs *in, const oc_session *session);
