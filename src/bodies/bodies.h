/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - models whose calls of functions are replaced by the functions' bodies.
 *
 * A function is one of the model's own, one of ONNX's operators that has a body (library.h), or an
 * operator that the host gives a body for. The executor never sees a call. */
#ifndef OC_BODIES_BODIES_H
#define OC_BODIES_BODIES_H

#include "graph/graph.h"

/* Which calls become bodies: the like fields of oc_session_options. */
typedef struct oc_body_choice {
    oc_body_policy policy;
    const char *only;
    bool kernels_first;
    const oc_op *host_ops;
    const oc_function_text *functions; /* bodies of the host's own */
} oc_body_choice;

/* *out becomes a new model without the calls that the choice replaces, checked and counted; it
 * borrows from m, and its nodes keep the opset of the body they come from. NULL: m has no such
 * call. */
oc_status oc_bodies_inline(const oc_model *m, const oc_body_choice *choice, oc_model **out,
                           oc_error *e);

/* The same as a model that other programs can read: under one opset version for each domain. *out
 * is never NULL where the status is OC_OK. */
oc_status oc_bodies_expand(const oc_model *m, const oc_body_choice *choice, oc_model **out,
                           oc_error *e);

#endif
