/* SPDX-License-Identifier: Apache-2.0
 * sig_types.h - what a signature tells of the types of outputs before anything is computed. */
#pragma once

#include "ops/signature/sig.h"

/* The kind of a value, and the element type of a tensor, or of the tensors in a sequence or
 * optional. */
typedef struct oc_known_type {
    oc_kind kind;
    oc_type type; /* OC_UNDEFINED: neither the type nor the kind is known */
} oc_known_type;

static inline bool oc_type_is_known(oc_known_type t)
{
    return t.type != OC_UNDEFINED;
}

/* Binds the type variable of input i, in `bound`, to the type `given`. A type that is not known
 * changes nothing. Returns false if the variable already had another type. */
bool oc_sig_bind_type(const oc_sig *sig, int i, oc_known_type given,
                      oc_known_type bound[OC_SIG_VARS]);
/* Returns the type of a value at an output port, as far as the types bound by the inputs, the
 * node's attributes and the port's set tell it. */
oc_known_type oc_sig_output_type(const oc_sig *sig, const oc_sig_port *port, const oc_attr *attr,
                                 int n_attr, const oc_known_type bound[OC_SIG_VARS]);
