/* SPDX-License-Identifier: Apache-2.0
 * operators.h - operators of the program (OrtCustomOp) as operators of Ocellus. */
#pragma once

#include "common/env.h"
#include "options/options.h"

#include <ocellus_op.h>

typedef struct ort_operators ort_operators;

struct OrtCustomOpDomain {
    char *name;             /* "": ONNX's own */
    const OrtCustomOp **op; /* the program's */
    size_t n;
};

/* Finds the operators of the options' domains that a model's nodes call, with the attributes that
 * those nodes have. *out is NULL where the options have no domain. Kernels live until
 * ort_operators_free. */
OrtStatus *ort_operators_new(const oc_model *model, const OrtSessionOptions *options,
                             const OrtLogger *logger, ort_operators **out);
/* Returns the table for oc_session_options.ops; NULL where operators is NULL. */
const oc_op *ort_operators_table(const ort_operators *operators);
void ort_operators_free(ort_operators *operators); /* NULL is allowed */
