/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - models whose calls of functions are replaced by the functions' bodies.
 *
 * A function is one of the model's own, one of ONNX's operators that has a body (library.h), or an
 * operator that the host gives a body for. The executor never sees a call. */
#ifndef OC_BODIES_BODIES_H
#define OC_BODIES_BODIES_H

#include "graph/graph.h"

/* *out becomes a new model without the calls that the choice replaces, checked and counted, where
 * the host has operators of its own (NULL: none); the new model
 * borrows from m, and its nodes keep the opset of the body they come from. NULL: m has no such
 * call. */
oc_status oc_bodies_inline(const oc_model *m, const oc_body_options *choice, const oc_op *host_ops,
                           oc_model **out, oc_error *e);

/* The same as a model that other programs can read: under one opset version for each domain. *out
 * is never NULL where the status is OC_OK. */
oc_status oc_bodies_expand(const oc_model *m, const oc_body_options *choice, oc_model **out,
                           oc_error *e);

#endif
