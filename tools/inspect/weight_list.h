/* SPDX-License-Identifier: Apache-2.0
 * weight_list.h - the weights of a model: initializers, and tensors that its file has elsewhere.
 *
 * Some exporters, Paddle's for one, write weights as nodes Constant of the main graph. Such a node
 * has weights if its value is a tensor with axes, of at least two elements that are floats or codes
 * of at most 8 bits, or of many others; small integers are shapes and axes. */
#pragma once

#include "common/index.h"

#include <ocellus_model.h>

typedef struct weight {
    oc_port port; /* its name, type and dims */
    size_t bytes;
    bool external, sparse;
    bool constant; /* true: the value of a node Constant */
    bool lost;     /* true: its elements cannot be read, so the model has it as an input */
} weight;

typedef struct weight_list {
    weight *item;
    int n, n_constant, n_lost;
    int64_t n_parameters; /* elements of all weights */
    /* weights that the library tells as values: the outputs of Constants, and lost ones */
    text_index hidden;
} weight_list;

/* Free with weight_list_free, also after an error. */
weight_list weight_list_of(const oc_model *model, oc_error *e);
void weight_list_free(weight_list *w);

/* Do nodes read this value as a weight? */
bool weight_list_has(const weight_list *w, const oc_port *read);
